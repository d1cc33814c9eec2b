from notes import Notes


class Client(Notes):
    def refresh(self, tokens):
        answer = self.send("POST", "/refresh", {"refreshToken": tokens["refresh"]})
        if answer.status == 200:
            self.save(answer.body)
        else:
            self.end_session()
        return answer.status == 200


client = Client()
client.call("GET", "/me")
# The app refreshes in the background.
client.renew(client.token())
client.call("GET", "/notes")
