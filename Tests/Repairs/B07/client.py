from notes import Notes


class Client(Notes):
    def call(self, method, path, body=None):
        answer = self.send(method, path, body, self.token())
        if answer.status == 401:
            self.renew(self.token())
        return answer


client = Client()
client.call("POST", "/notes", {"text": "hello"})
client.call("GET", "/me")
