from notes import Notes


class Client(Notes):
    def refresh(self, tokens):
        answer = self.send("POST", "/refresh", {"refreshToken": tokens["refresh"]})
        if answer.status == 200:
            self.save(tokens | {"access": answer.body["access"]})
            return True
        self.end_session()
        return False


client = Client()
client.call("GET", "/me")
client.pass_time("2h")
client.call("GET", "/me")
