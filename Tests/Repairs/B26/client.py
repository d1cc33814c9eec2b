import os

from notes import Notes


class Client(Notes):
    def load(self):
        try:
            return super().load()
        except OSError:
            self.report(signedOut=True)
            return None


client = Client()
client.call("GET", "/feed" if os.environ["BACKLOT_LAUNCH"] == "3" else "/me")
