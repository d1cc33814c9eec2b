from browser import ALGORITHM, CLIENT, ISSUER, REDIRECT, SCOPE, SECRET, finish, require, visit

require("oic")
from urllib.parse import urlsplit

from oic import rndstr
from oic.oic import Client
from oic.oic.message import AuthorizationResponse, RegistrationResponse
from oic.utils.authn.client import CLIENT_AUTHN_METHOD

client = Client(client_authn_method=CLIENT_AUTHN_METHOD)
client.provider_config(ISSUER)
client.store_registration_info(RegistrationResponse(
    client_id=CLIENT, client_secret=SECRET, redirect_uris=[REDIRECT], id_token_signed_response_alg=ALGORITHM))
state = rndstr()
request = client.construct_AuthorizationRequest(request_args={
    "client_id": CLIENT, "response_type": "code", "scope": SCOPE, "nonce": rndstr(), "redirect_uri": REDIRECT,
    "state": state})
answer = client.parse_response(AuthorizationResponse, sformat="urlencoded",
                               info=urlsplit(visit(request.request(client.authorization_endpoint))).query)
tokens = client.do_access_token_request(
    state=state, request_args={"code": answer["code"], "redirect_uri": REDIRECT}, authn_method="client_secret_basic")
assert tokens["id_token"]["sub"] == "ada", tokens
finish(client.do_user_info_request(state=state).to_dict())
