from notes import Notes


class Client(Notes):
    def end_session(self):
        self.sign_in("guest")
        self.call("GET", "/notes")


client = Client()
client.call("GET", "/me")
