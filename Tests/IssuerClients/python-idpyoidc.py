from browser import ALGORITHM, CLIENT, ISSUER, REDIRECT, SCOPE, SECRET, finish, query, require, visit

require("idpyoidc")
from idpyoidc.client.rp_handler import RPHandler

handler = RPHandler(base_url="http://127.0.0.1", client_configs={"id": {
    "issuer": ISSUER, "client_id": CLIENT, "client_secret": SECRET, "client_type": "oidc",
    "redirect_uris": [REDIRECT], "scopes_supported": SCOPE, "response_types_supported": ["code"],
    "id_token_signed_response_alg": ALGORITHM, "token_endpoint_auth_methods_supported": ["client_secret_basic"],
    "services": {name: {"class": "idpyoidc.client.oidc." + path} for name, path in {
        "discovery": "provider_info_discovery.ProviderInfoDiscovery", "registration": "registration.Registration",
        "authorization": "authorization.Authorization", "accesstoken": "access_token.AccessToken",
        "userinfo": "userinfo.UserInfo"}.items()}}})
answer = handler.finalize(ISSUER, query(visit(handler.begin("id"))))
assert "error" not in answer, answer
finish(answer["userinfo"].to_dict())
