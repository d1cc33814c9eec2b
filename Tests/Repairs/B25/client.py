from notes import Notes


class Client(Notes):
    def renew(self, stale):
        tokens = self.load()
        return tokens is not None and self.refresh(tokens)


client = Client()
client.call("GET", "/me")
client.call("GET", "/notes")
