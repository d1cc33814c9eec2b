from notes import Punctual


class Client(Punctual):
    clock_error = 7200

    def is_due(self, tokens):
        return self.now() >= tokens["expires_at"]


client = Client()
client.report_time()
client.call("GET", "/me")
client.pass_time("1m")
client.call("GET", "/notes")
client.pass_time("1m")
client.call("GET", "/feed")
