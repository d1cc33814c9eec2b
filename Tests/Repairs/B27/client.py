from notes import Punctual, SCREEN


class Client(Punctual):
    def margin(self, tokens):
        return 300


client = Client()
for method, path in SCREEN:
    client.call(method, path)
client.call("POST", "/notes", {"text": "hello"})
client.call("GET", "/me")
