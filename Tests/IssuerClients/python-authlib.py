from browser import ALGORITHM, CLIENT, ISSUER, REDIRECT, SCOPE, SECRET, finish, fits_basic, require, visit

require("authlib", "requests")
import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.oidc.core import CodeIDToken
from authlib.oidc.discovery import OpenIDProviderMetadata, get_well_known_url

document = requests.get(get_well_known_url(ISSUER, external=True)).json()
for method in ["client_secret_basic"] * fits_basic() + ["client_secret_post"]:
    verifier, nonce = generate_token(48), generate_token(16)
    app = OAuth2Session(CLIENT, SECRET, scope=SCOPE, redirect_uri=REDIRECT, code_challenge_method="S256",
                        token_endpoint_auth_method=method, revocation_endpoint_auth_method=method,
                        token_endpoint=document["token_endpoint"])
    address, state = app.create_authorization_url(document["authorization_endpoint"], code_verifier=verifier,
                                                  nonce=nonce)
    app.fetch_token(authorization_response=visit(address), state=state, code_verifier=verifier)
    keys = JsonWebKey.import_key_set(requests.get(document["jwks_uri"]).json())
    claims = JsonWebToken([ALGORITHM]).decode(
        app.token["id_token"], keys, claims_cls=CodeIDToken, claims_options={"iss": {"values": [ISSUER]}},
        claims_params={"nonce": nonce, "client_id": CLIENT})
    claims.validate()
    app.refresh_token(document["token_endpoint"])
    assert app.introspect_token(document["introspection_endpoint"], app.token["access_token"]).json()["active"]
    user = app.get(document["userinfo_endpoint"]).json()
    assert app.revoke_token(document["revocation_endpoint"], app.token["refresh_token"]).status_code == 200
finish(user)
