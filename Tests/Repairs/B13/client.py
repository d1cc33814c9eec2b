from notes import Punctual


class Client(Punctual):
    def expiry(self, tokens, asked):
        return max(asked + tokens["expiresIn"], self.claims(tokens["access"])["exp"])


client = Client()
client.call("GET", "/me")
client.pass_time("15m")
client.call("GET", "/notes")
client.pass_time("130m")
client.call("GET", "/feed")
