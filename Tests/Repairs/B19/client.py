from notes import Notes


class Client(Notes):
    def upload(self, path, data, size):
        start = 0
        while start < len(data):
            token = self.token()
            answer = self.send_piece(path, data, start, size, token)
            if answer.status == 401 and self.renew(token):
                start = 0
            else:
                start += size


client = Client()
client.upload("/files/1", bytes(range(64)), 16)
