from notes import Notes


class Client(Notes):
    def call(self, method, path, body=None):
        answer = self.send(method, path, body, self.token())
        for _ in range(8):
            if answer.status == 401 and self.renew(self.token()):
                answer = self.send(method, path, body, self.token())
        return answer


client = Client()
client.call("GET", "/me")
