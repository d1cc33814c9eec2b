"""Signs in, refreshes and is refused with requests-oauthlib and authlib, which follow RFC 6749 by themselves."""
import os, sys, urllib.parse
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
base = sys.argv[1]

import requests
from oauthlib.oauth2 import InvalidGrantError, LegacyApplicationClient, BackendApplicationClient
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

session = OAuth2Session(client=LegacyApplicationClient(client_id="podly"), scope=["listen"])
token = session.fetch_token(base + "/oauth/token", username="ada", password="secret", include_client_id=True)
assert session.get(base + "/episodes").json()["total"] == 5
old = token["refresh_token"]
session.refresh_token(base + "/oauth/token", refresh_token=old, client_id="podly")
assert session.get(base + "/episodes?page=3").links.get("next") is None
try:
    session.refresh_token(base + "/oauth/token", refresh_token=old, client_id="podly")
    raise SystemExit("a refresh token was taken twice")
except InvalidGrantError:
    pass

service = OAuth2Session(client=BackendApplicationClient(client_id="web"))
service.fetch_token(base + "/oauth/token", auth=HTTPBasicAuth("web", "web-secret"))

web = requests.Session()
web.post(base + "/web/login")
assert web.get(base + "/web/me").json() == {"name": "Ada"}

from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from authlib.common.security import generate_token

document = requests.get(base + "/.well-known/oauth-authorization-server").json()
verifier = generate_token(48)
app = AuthlibSession("podly", scope="listen upload", redirect_uri="podly://signed-in", code_challenge_method="S256",
                     token_endpoint_auth_method="none")
url, state = app.create_authorization_url(document["authorization_endpoint"], code_verifier=verifier)
sent = requests.get(url, allow_redirects=False).headers["Location"]
assert dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(sent).query))["state"] == state
app.fetch_token(document["token_endpoint"], authorization_response=sent, code_verifier=verifier)
assert app.token["scope"] == "listen upload"
assert app.introspect_token(document["introspection_endpoint"], token=app.token["access_token"]).json()["active"]
app.revoke_token(document["revocation_endpoint"], token=app.token["refresh_token"])
assert requests.get(base + "/feed", headers={"Authorization": "Bearer " + app.token["access_token"]}).status_code == 401
print("all of it")
