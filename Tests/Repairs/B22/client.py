from notes import Notes, SCREEN


class Client(Notes):
    def call(self, method, path, body=None):
        self.pending = (method, path, body)
        token = self.token()
        answer = self.send(method, path, body, token)
        if answer.status == 401 and self.renew(token):
            answer = self.send(*self.pending, self.token())
        return answer


client = Client()
client.parallel(*SCREEN)
