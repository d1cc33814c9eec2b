"""Plays each row of the podcast backend by a library that follows the standards by itself.

Prints a line for each row: what was played by which library, or that the library is not installed.
"""
import asyncio, importlib, json, sys, time

base = sys.argv[1]
rows = []


def row(name, *modules):
    def note(play):
        rows.append((name, modules, play))
        return play
    return note


def admin(part, body):
    import urllib.request
    data = json.dumps(body).encode()
    request = urllib.request.Request(base + "/__backlot/" + part, data, {"Content-Type": "application/json"})
    return json.load(urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request))


def sign_in():
    import urllib.parse, urllib.request
    form = urllib.parse.urlencode({"grant_type": "password", "client_id": "podly", "username": "ada", "password": "secret"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return json.load(opener.open(base + "/oauth/token", form.encode()))["access_token"]


def bearer():
    return {"Authorization": "Bearer " + sign_in()}


@row("busy", "requests")
def busy():
    """urllib3 waits as Retry-After says; the time itself is not waited here."""
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.util.retry import Retry
    waits, time.sleep = [], lambda seconds: waits.append(seconds)
    session = requests.Session()
    session.trust_env = False
    session.mount("http://", HTTPAdapter(max_retries=Retry(total=3, status_forcelist=[503])))
    assert session.get(base + "/busy").json() == {"busy": False}
    assert waits == [7], waits


@row("cursor and pages", "httpx")
def pages():
    import httpx
    with httpx.Client(base_url=base, headers=bearer(), trust_env=False) as client:
        titles, cursor = [], None
        while True:
            page = client.get("/feed", params={"cursor": cursor} if cursor else None).json()
            titles += [episode["title"] for episode in page["episodes"]]
            cursor = page["next"]
            if not cursor:
                break
        assert titles == ["One", "Two", "Three", "Four", "Five"], titles
        titles, address = [], "/episodes"
        while address:
            response = client.get(address)
            titles += [episode["title"] for episode in response.json()["episodes"]]
            address = response.links.get("next", {}).get("url")
        assert titles == ["One", "Two", "Three", "Four", "Five"], titles


@row("versions, parts and gzip", "httpx")
def versions():
    import httpx
    with httpx.Client(base_url=base, headers=bearer(), trust_env=False) as client:
        tag = client.get("/episodes/2").headers["ETag"]
        assert client.get("/episodes/2", headers={"If-None-Match": tag}).status_code == 304
        change = {"If-Match": tag}
        assert client.patch("/episodes/2", json={"title": "Zwei"}, headers=change).json()["title"] == "Zwei"
        assert client.patch("/episodes/2", json={"title": "Deux"}, headers=change).status_code == 412
        part = client.get("/audio/one.mp3", headers={"Range": "bytes=4-6"})
        assert (part.status_code, part.text, part.headers["Content-Range"]) == (206, "012", "bytes 4-6/14")
        beyond = client.get("/audio/one.mp3", headers={"Range": "bytes=99-"})
        assert (beyond.status_code, beyond.headers["Content-Range"]) == (416, "bytes */14")
        packed = client.get("/episodes", headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip" and packed.json()["total"] == 5


@row("cookie login", "aiohttp")
def cookies():
    import aiohttp

    async def play():
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            assert (await session.get(base + "/web/me")).status == 401
            assert (await session.post(base + "/web/login")).status == 204
            assert await (await session.get(base + "/web/me")).json() == {"name": "Ada"}
    asyncio.run(play())


@row("server-sent events", "httpx", "sseclient")
def events():
    import httpx, sseclient
    with httpx.Client(base_url=base, headers=bearer(), trust_env=False, timeout=60) as client:
        seen = []
        for last in [None, "2"]:
            fields = {"Last-Event-ID": last} if last else {}
            with client.stream("GET", "/progress", headers=fields) as response:
                for event in sseclient.SSEClient(response.iter_bytes()).events():
                    seen.append((event.id, json.loads(event.data)["done"]))
                    if event.id == "2":
                        admin("events", {"push": "GET /progress", "events": [], "close": {}})
                        admin("events", {"push": "GET /progress", "events": [{"id": "3", "json": {"done": 100}}]})
                    if event.id == "3":
                        break
        assert seen == [("1", 0), ("2", 50), ("3", 100)], seen


@row("WebSocket", "websockets")
def sockets():
    from websockets.sync.client import connect
    from websockets.exceptions import ConnectionClosed
    with connect(base.replace("http", "ws") + "/live", additional_headers=bearer(), proxy=None) as socket:
        assert json.loads(socket.recv(60)) == {"hello": "Ada"}
        socket.send("ping")
        assert socket.recv(60) == "ping"
        admin("events", {"push": "GET /live", "events": [{"json": {"playing": "One"}}]})
        assert json.loads(socket.recv(60)) == {"playing": "One"}
        admin("clock", {"advance": "1h"})
        try:
            socket.recv(60)
            raise SystemExit("the WebSocket outlives its token")
        except ConnectionClosed as end:
            assert end.rcvd.code == 4401, end


@row("WebSocket", "aiohttp")
def more_sockets():
    import aiohttp

    async def play():
        async with aiohttp.ClientSession() as session:
            async with session.ws_connect(base + "/live", headers=bearer()) as socket:
                assert await socket.receive_json(timeout=60) == {"hello": "Ada"}
                await socket.send_bytes(b"\0\1")
                assert await socket.receive_bytes(timeout=60) == b"\0\1"
                await socket.close(code=4000, message=b"done")
                assert socket.close_code == 4000, socket.close_code
    asyncio.run(play())


@row("GraphQL", "gql", "requests_toolbelt", "requests")
def graphql():
    from gql import Client, gql
    from gql.transport.exceptions import TransportQueryError
    from gql.transport.requests import RequestsHTTPTransport
    def ask(text, name, headers=None):
        client = Client(transport=RequestsHTTPTransport(base + "/graphql", headers=headers))
        query = gql(text)
        try:
            return client.execute(query, operation_name=name)
        except TypeError:
            query.operation_name = name
            return client.execute(query)
    assert ask("query Latest { latest { title } }", "Latest") == {"latest": {"title": "Five"}}
    try:
        ask("query Me { me { name } }", "Me")
        raise SystemExit("a secured operation is open")
    except TransportQueryError as error:
        assert error.errors[0]["extensions"]["code"] == "UNAUTHENTICATED", error
    assert ask("query Me { me { name } }", "Me", bearer()) == {"me": {"name": "Ada"}}


sleep = time.sleep
for name, modules, play in rows:
    missing = []
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError:
            missing.append(module)
    if missing:
        print(f"{name}: skipped, there is no {' and no '.join(missing)}")
        continue
    play()
    time.sleep = sleep
    print(f"{name}: played by {modules[-1]}")
