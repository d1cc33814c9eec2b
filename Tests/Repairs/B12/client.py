from notes import Punctual


class Client(Punctual):
    def expiry(self, tokens, asked):
        return self.now() + tokens["expiresIn"]


client = Client()
client.call("GET", "/me")
client.pass_time("30s")
client.call("GET", "/notes")
client.pass_time("61s")
client.call("GET", "/feed")
