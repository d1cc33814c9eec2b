import time

from notes import Notes


class Client(Notes):
    def renew(self, stale):
        tokens = self.load()
        return tokens is not None and (tokens["access"] != stale or self.refresh(tokens))

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
