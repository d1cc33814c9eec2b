"""Smeem's app without its screens: it sends what the app should send for what a user does.

BUG=access-as-refresh  keeps the access token under both names, as the real app does (smeem/B1)
BUG=no-refresh         refreshes only when it is launched, as the real app does (smeem/B2)
"""

import concurrent.futures
import http.client
import json
import os
import pathlib
import sys
import threading
import time
import urllib.error
import urllib.request

URL = sys.argv[1]
BUG = os.environ.get("BUG")
VERSION = "3.0.1"


class SignedOut(Exception):
    """The session is over, and the user has to sign in."""


def send(method, path, token=None, body=None, base=URL, patience=20):
    """Sends a request, and returns the answer's status, 0 if none came, and its JSON, None if it has none."""
    request = urllib.request.Request(base + path, method=method)
    if token:
        request.add_header("Authorization", "Bearer " + token)
    if body is not None:
        request.add_header("Content-Type", "application/json")
        request.data = json.dumps(body).encode()
    try:
        with urllib.request.urlopen(request, timeout=patience) as response:
            status, text = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    except (OSError, http.client.HTTPException):
        return 0, None
    try:
        return status, json.loads(text)
    except ValueError:
        return status, None


def send_patiently(method, path, token=None, body=None):
    """Sends a request again when the server is too busy, and a reading one when the network lost it."""
    for pause in (0.3, 0.6):
        status, answer = send(method, path, token, body)
        if status != 429 and (status != 0 or method != "GET"):
            return status, answer
        time.sleep(pause)
    return send(method, path, token, body)


def tell(**facts):
    send("POST", "/client", body=facts, base=os.environ["BACKLOT_ADMIN"])


class Session:
    """The user's tokens, kept from one launch to the next."""

    def __init__(self):
        self.file = pathlib.Path(os.environ["BACKLOT_STATE_DIR"], "tokens.json")
        self.is_over = self.file.exists() and self.file.read_text() == "{}"
        text = self.file.read_text() if self.file.exists() else os.environ["BACKLOT_TOKENS"]
        self.tokens = json.loads(text)
        self.lock = threading.Lock()

    def keep(self, tokens):
        self.tokens = tokens
        self.file.write_text(json.dumps(tokens))

    def refresh(self, refused):
        """Fetches a new access token, unless somebody else has done so; returns whether there is one."""
        with self.lock:
            if self.tokens.get("access") != refused:
                return bool(self.tokens)
            kept = self.tokens["refresh"]
            status, answer = send_patiently("POST", "/api/v2/auth/token", kept)
            if status == 401:
                self.keep({})
                raise SignedOut
            if status != 200:
                return False
            access, refresh = answer["data"]["accessToken"], answer["data"]["refreshToken"] or kept
            self.keep({"access": access, "refresh": access if BUG == "access-as-refresh" else refresh})
            return True

    def call(self, method, path, body=None):
        """Sends a request with the access token; if it is refused, refreshes and sends it once more."""
        access = self.tokens.get("access")
        status, answer = send_patiently(method, path, access, body)
        if status == 401 and BUG != "no-refresh" and self.refresh(access):
            return send_patiently(method, path, self.tokens["access"], body)
        return status, answer

    def call_together(self, *calls):
        with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(lambda call: self.call(*call), calls))


class App:
    """What the user does, and what they see then."""

    def __init__(self):
        self.session = Session()

    def open(self):
        _, answer = send("GET", "/api/v2/versions/client/app", patience=2)
        if self.is_too_old(answer):
            return tell(screen="update")
        if self.session.is_over:
            tell(screen="start", signedOut=True)
        elif not self.session.tokens:
            self.sign_in()
        elif self.session.refresh(self.session.tokens.get("access")):
            self.open_home()
        else:
            tell(screen="splash", showsError=True)

    def is_too_old(self, answer):
        """Whether the server wants a newer app; a server that does not say which wants none."""
        try:
            forced = int(answer["data"]["iosVersion"]["forceVersion"].split(".")[0])
        except (TypeError, KeyError, ValueError):
            return False
        return forced > int(VERSION.split(".")[0])

    def sign_in(self):
        """Signs in with a token of Kakao's, and once more with another one if Kakao does not know it."""
        for kakao in ("from-kakao", "from-kakao-again"):
            status, answer = send("POST", "/api/v2/auth", kakao, {"social": "KAKAO", "fcmToken": ""})
            if status not in (401, 503):
                break
        try:
            data = answer["data"]
            tokens, _ = {"access": data["accessToken"], "refresh": data["refreshToken"]}, data["hasPlan"]
        except (TypeError, KeyError):
            return tell(screen="start", signedOut=True, showsError=True)
        self.session.keep(tokens)
        if not data["isRegistered"]:
            self.sign_up()
        self.open_home()

    def sign_up(self):
        """Chooses a goal and a plan, and then nicknames until one is free and stays so."""
        _, plans = send("GET", "/api/v2/plans")
        chosen = {"target": "DEVELOP", "planId": plans["data"]["plans"][0]["id"], "hasAlarm": False}
        self.session.call("PATCH", "/api/v2/members/plan", chosen)
        for name in ("mimi", "mimi2", "mimi3"):
            _, answer = send("GET", "/api/v2/members/nickname/check?name=" + name)
            if answer["data"]["isExist"]:
                continue
            status, _ = self.session.call("PATCH", "/api/v2/members", {"username": name, "termAccepted": True})
            if status == 200:
                return

    def open_home(self):
        diaries = "/api/v2/diaries?start=2000-01-01&end=2099-12-31"
        (status, _), _ = self.session.call_together(("GET", diaries), ("PATCH", "/api/v2/members/visit"))
        tell(screen="home", showsError=status != 200)

    def open_summary(self):
        pages = ("/api/v2/members/performance/summary", "/api/v2/members/plan", "/api/v3/members/badges")
        summary, plan, badges = self.session.call_together(*[("GET", page) for page in pages])
        card = "error"
        if plan[0] == 200:
            card = "plan" if (plan[1].get("data") or {}).get("plan") else "none"
        tell(screen="summary", planCard=card, showsError=[summary[0], badges[0]] != [200, 200])

    def edit_diary(self):
        """Saves an edit, and once more if the server has failed: its text is still in the editor."""
        self.session.call("GET", "/api/v2/diaries/345")
        for _ in range(2):
            status, _ = self.session.call("PATCH", "/api/v2/diaries/345", {"content": "I ran along the river today."})
            if status < 500:
                break
        saved = status == 200
        tell(screen="home" if saved else "editor", saved=saved, draftKept=not saved, showsError=not saved)

    def delete_diary(self):
        """Deletes a diary, and once more if the network has lost the answer; then it is gone, whoever says so."""
        for _ in range(2):
            status, _ = self.session.call("DELETE", "/api/v2/diaries/345")
            if status != 0:
                break
        if status in (200, 204, 404):
            self.open_home()
        else:
            tell(showsError=True)

    def sign_out(self):
        self.leave("POST", "/api/v2/auth/sign-out")

    def withdraw(self):
        self.leave("DELETE", "/api/v2/auth", {"withdrawType": "ETC", "reason": ""})

    def leave(self, method, path, body=None):
        status, _ = self.session.call(method, path, body)
        if status in (200, 204):
            self.session.keep({})
        tell(screen="start", signedOut=not self.session.tokens, showsError=status not in (200, 204))

    def choose_second_plan(self):
        _, plans = self.session.call("GET", "/api/v2/plans")
        self.session.call("PATCH", "/api/v2/members/plan", {"planId": plans["data"]["plans"][1]["id"]})
        self.open_settings()

    def turn_reminder_on(self):
        _, me = self.session.call("GET", "/api/v2/members/me")
        time = me["data"]["trainingTime"]
        if time["hour"] < 0:
            time = {"day": "MON,TUE,WED,THU,FRI", "hour": 22, "minute": 0}
        self.session.call("PATCH", "/api/v2/members/plan", {"trainingTime": time, "hasAlarm": True})
        self.open_settings()

    def open_settings(self):
        status, _ = self.session.call("GET", "/api/v2/members/me")
        tell(screen="settings", showsError=status != 200)

    def write_diary(self):
        """Posts a diary once, however often the button is tapped."""
        status, _ = self.session.call("POST", "/api/v2/diaries", {"content": "I baked bread with my sister."})
        if status == 201:
            self.open_home()
        else:
            tell(screen="editor", showsError=True)


# What the user does in each story or variant once the app is open; in the others nothing.
THEN = {
    "SM-04": App.open_home,
    "SM-05": App.open_summary,
    "SM-10": App.open_summary,
    "SM-11": App.edit_diary,
    "SM-12": App.delete_diary,
    "SM-12/signed-out": App.sign_out,
    "SM-12/withdrawn": App.withdraw,
    "SM-15": App.choose_second_plan,
    "SM-16": App.turn_reminder_on,
    "SM-20": App.write_diary,
}

app = App()
try:
    app.open()
    story = os.environ["BACKLOT_STORY"]
    THEN.get(story, THEN.get(story.split("/")[0], lambda app: None))(app)
except SignedOut:
    tell(screen="start", signedOut=True)
