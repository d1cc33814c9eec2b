from notes import Notes


class Client(Notes):
    cached = None

    def token(self):
        self.cached = self.cached or super().token()
        return self.cached


client = Client()
client.call("GET", "/me")
client.sign_out()
client.sign_in("bob")
client.call("GET", "/notes")
client.call("GET", "/feed")
