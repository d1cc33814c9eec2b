from notes import Notes


class Client(Notes):
    def renew(self, stale):
        with self.gate:
            return self.refresh(self.load())


client = Client()
client.call("GET", "/me")
client.call("GET", "/feed")
