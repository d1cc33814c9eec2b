from notes import Answer, Notes


class Client(Notes):
    def call(self, method, path, body=None):
        token = self.token()
        if token is None:
            return Answer(None)
        answer = self.send(method, path, body, token)
        if answer.status == 401:
            self.end_session()
        return answer


client = Client()
client.call("GET", "/me")
client.call("GET", "/notes")
