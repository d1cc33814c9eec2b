import asyncio

from browser import CLIENT, ISSUER, REDIRECT, SCOPE, SECRET, finish, query, require, visit

require("httpx_oauth")
from httpx_oauth.clients.openid import OpenID


async def sign_in():
    client = OpenID(CLIENT, SECRET, ISSUER + "/.well-known/openid-configuration", base_scopes=SCOPE)
    answer = query(visit(await client.get_authorization_url(REDIRECT, state="a b&c")))
    assert answer["state"] == "a b&c"
    tokens = await client.get_access_token(answer["code"], REDIRECT)
    tokens = await client.refresh_token(tokens["refresh_token"])
    subject, email = await client.get_id_email(tokens["access_token"])
    return {"sub": subject, "email": email}

finish(asyncio.run(sign_in()))
