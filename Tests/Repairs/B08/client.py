from notes import Notes


class Client(Notes):
    def call(self, method, path, body=None):
        token = self.token()
        answer = self.send(method, path, body, token)
        if answer.status in (401, 403, 500) and self.renew(token):
            answer = self.send(method, path, body, self.token())
        return answer


client = Client()
client.call("GET", "/admin")
client.call("GET", "/me")
client.call("GET", "/broken")
