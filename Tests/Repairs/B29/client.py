import json

from notes import Notes


class Client(Notes):
    def token(self):
        return json.dumps(super().token())

    def renew(self, stale):
        return super().renew(json.loads(stale))


client = Client()
client.call("GET", "/me")
client.call("GET", "/notes")
