from browser import ALGORITHM, CLIENT, ISSUER, REDIRECT, SCOPE, SECRET, finish, require, visit

require("requests_oauth2client")
from requests_oauth2client import OAuth2Client

client = OAuth2Client.from_discovery_endpoint(
    issuer=ISSUER, client_id=CLIENT, client_secret=SECRET, redirect_uri=REDIRECT, testing=True,
    id_token_signed_response_alg=ALGORITHM)
request = client.authorization_request(scope=SCOPE)
tokens = client.authorization_code(request.validate_callback(visit(str(request))), validate=True)
tokens = client.refresh_token(tokens)
assert client.introspect_token(tokens)["active"]
finish(client.userinfo(tokens))
