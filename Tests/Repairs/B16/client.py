from notes import Notes


class Client(Notes):
    def refresh(self, tokens):
        answer = self.send("POST", "/refresh", {"refreshToken": tokens["refresh"]}, tokens["access"])
        if answer.status == 200:
            self.save(answer.body)
        else:
            self.end_session()
        return answer.status == 200


client = Client()
client.call("GET", "/me")
client.call("GET", "/notes")
