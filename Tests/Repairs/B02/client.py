from notes import Notes, SCREEN


class Client(Notes):
    def renew(self, stale):
        return self.refresh(self.load())


client = Client()
client.parallel(*SCREEN)
