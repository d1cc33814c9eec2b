from notes import Notes


class Client(Notes):
    def wait(self, answer):
        pass


client = Client()
client.call("GET", "/notes")
