"""A client with a bug: each request that is refused refreshes the tokens, although one refresh serves all of them."""
import json, os, sys, threading, urllib.error, urllib.request

base, tokens = sys.argv[1], json.loads(os.environ["BACKLOT_TOKENS"])

def send(path, headers, body=None):
    try:
        with urllib.request.urlopen(urllib.request.Request(base + path, body, headers)) as response:
            return json.load(response)
    except urllib.error.HTTPError:
        return None

def order(number):
    load = lambda: send(f"/orders/{number}", {"Authorization": "Bearer " + tokens["access"]})
    if not load():
        body = json.dumps({"refresh": tokens["refresh"]}).encode()
        tokens.update(send("/refresh", {"Content-Type": "application/json"}, body))
        load()

threads = [threading.Thread(target=order, args=[number]) for number in range(1, 6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
