import os

from browser import CLIENT, ISSUER, REDIRECT, SCOPE, SECRET, finish, fits_basic, require, visit

require("requests_oauthlib")
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"
import requests
from requests_oauthlib import OAuth2Session

document = requests.get(ISSUER + "/.well-known/openid-configuration").json()
for in_form in [False] * fits_basic() + [True]:
    app = OAuth2Session(CLIENT, redirect_uri=REDIRECT, scope=SCOPE, pkce="S256")
    address, _ = app.authorization_url(document["authorization_endpoint"])
    app.fetch_token(document["token_endpoint"], authorization_response=visit(address), client_secret=SECRET,
                    include_client_id=in_form)
    app.refresh_token(document["token_endpoint"], client_id=CLIENT, client_secret=SECRET)
    user = app.get(document["userinfo_endpoint"]).json()
finish(user)
