from notes import Notes


class Client(Notes):
    def refresh(self, tokens):
        answer = self.send("POST", "/refresh", {"refreshToken": tokens["refresh"]})
        if answer.status == 200:
            self.save(answer.body)
            return True
        self.end_session()
        return False


client = Client()
client.call("GET", "/me")
client.call("GET", "/notes")
