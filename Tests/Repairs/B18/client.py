import os

from notes import Notes


class Client(Notes):
    def picture(self, path):
        return self.send("GET", path, token=self.token(), base=os.environ["BACKLOT_ORIGIN_PICTURES"])


client = Client()
client.call("GET", "/me")
client.picture("/pictures/1")
