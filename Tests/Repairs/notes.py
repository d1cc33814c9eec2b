"""A correct client of the backend in this folder.

Each folder next to it contains a client that overrides a part with a bug, and a patch with the fix.
"""

import base64, contextlib, datetime, fcntl, http.client, json, os, threading, urllib.parse


class Answer:
    """A response; the status is None if the connection broke."""

    def __init__(self, status, headers=None, body=None):
        self.status, self.headers, self.body = status, headers or {}, body


class Notes:
    device = "phone"
    # How far the clock of the device is ahead, in seconds.
    clock_error = 0

    def __init__(self):
        self.base, self.admin = os.environ["BACKLOT_URL"], os.environ["BACKLOT_ADMIN"]
        self.file = os.path.join(os.environ["BACKLOT_STATE_DIR"], "tokens.json")
        self.gate = threading.RLock()
        # The difference between the server's clock and that of the device, as soon as a response shows it.
        self.offset = None
        # A store that is locked is not empty.
        with contextlib.suppress(OSError), self.processes():
            if not os.path.lexists(self.file):
                self.save(json.loads(os.environ["BACKLOT_TOKENS"]))

    # The store

    def load(self):
        """The stored tokens; None without a session. Raises OSError if the store cannot be read now."""
        with open(self.file) as file:
            return json.load(file) or None

    def save(self, tokens):
        draft = f"{self.file}.{os.getpid()}"
        with open(draft, "w") as file:
            json.dump(tokens, file)
        os.replace(draft, self.file)

    @contextlib.contextmanager
    def processes(self):
        """A lock that all processes of the device share."""
        with open(self.file + ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def end_session(self):
        self.save({})
        self.report(signedOut=True)

    # Requests

    def send(self, method, path, body=None, token=None, base=None, headers=None):
        url = urllib.parse.urlsplit(base or self.base)
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
        fields = {"X-Device": self.device} | (headers or {})
        if token:
            fields["Authorization"] = f"Bearer {token}"
        if body is not None and not isinstance(body, bytes):
            fields["Content-Type"], body = "application/json", json.dumps(body)
        try:
            connection.request(method, url.path + path, body, fields)
            response = connection.getresponse()
            data = response.read()
        except (OSError, http.client.HTTPException):
            return Answer(None)
        finally:
            connection.close()
        if base is None and "Date" in response.headers:
            date = datetime.datetime.strptime(response.headers["Date"], "%a, %d %b %Y %H:%M:%S %Z")
            self.offset = date.replace(tzinfo=datetime.timezone.utc).timestamp() - self.now()
        return Answer(response.status, response.headers, json.loads(data) if data else None)

    def call(self, method, path, body=None):
        """Sends a request; refreshes once and sends it again if its token is refused."""
        token = self.token()
        if token is None:
            return Answer(None)
        answer = self.send(method, path, body, token)
        if answer.status == 401 and self.renew(token):
            answer = self.send(method, path, body, self.token())
        elif answer.status in (429, 503):
            self.wait(answer)
            answer = self.send(method, path, body, self.token())
        return answer

    def wait(self, answer):
        self.pass_time(answer.headers.get("Retry-After", "1") + "s")

    def parallel(self, *requests):
        """Sends requests at the same time."""
        threads = [threading.Thread(target=self.call, args=request) for request in requests]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def upload(self, path, data, size):
        """Sends a file in pieces, and resumes at a refused piece."""
        for start in range(0, len(data), size):
            token = self.token()
            answer = self.send_piece(path, data, start, size, token)
            if answer.status == 401 and self.renew(token):
                self.send_piece(path, data, start, size, self.token())

    def send_piece(self, path, data, start, size, token):
        end = min(start + size, len(data))
        headers = {"Content-Range": f"bytes {start}-{end - 1}/{len(data)}"}
        return self.send("PUT", path, data[start:end], token, headers=headers)

    # Tokens

    def token(self):
        tokens = self.load()
        return tokens and tokens["access"]

    def renew(self, stale):
        """Replaces a refused access token, once for all requests and processes; False if the session has ended."""
        with self.gate, self.processes():
            tokens = self.load()
            if tokens is None:
                return False
            if tokens["access"] != stale:
                return True
            return self.refresh(tokens)

    def refresh(self, tokens):
        for _ in range(3):
            asked = self.server_now()
            answer = self.send("POST", "/refresh", {"refreshToken": tokens["refresh"]})
            if answer.status == 200:
                self.save(answer.body | {"expires_at": self.expiry(answer.body, asked)})
                return True
            if answer.status == 401:
                self.end_session()
                return False
            self.pass_time("1s")
        return False

    def sign_in(self, account):
        answer = self.send("POST", "/login", {"account": account})
        self.save(answer.body | {"expires_at": self.server_now() + answer.body["expiresIn"]})

    def sign_out(self):
        self.send("POST", "/logout", token=self.token())
        self.save({})

    # Time

    def pass_time(self, duration):
        """Lets time pass on the server, while the device waits."""
        self.send("POST", "/clock", {"advance": duration}, base=self.admin)

    def now(self):
        """The time on the device's clock, in seconds."""
        time = self.send("GET", "/clock", base=self.admin).body["now"]
        return datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp() + self.clock_error

    def server_now(self):
        return self.now() + (self.offset or 0)

    def expiry(self, tokens, asked):
        """The expiry of a token: the earlier one, if the response and the token differ."""
        return min(asked + tokens["expiresIn"], self.claims(tokens["access"])["exp"])

    def claims(self, token):
        part = token.split(".")[1]
        return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))

    def report(self, **facts):
        self.send("POST", "/client", facts, base=self.admin)

    def report_time(self):
        time = datetime.datetime.fromtimestamp(self.now(), datetime.timezone.utc)
        self.report(now=time.strftime("%Y-%m-%dT%H:%M:%SZ"))


class Punctual(Notes):
    """A client that refreshes before a token expires, as soon as it knows the server's time."""

    def token(self):
        tokens = self.load()
        if tokens and self.is_due(tokens) and self.renew(tokens["access"]):
            tokens = self.load()
        return tokens and tokens["access"]

    def is_due(self, tokens):
        return self.offset is not None and self.server_now() >= tokens["expires_at"] - self.margin(tokens)

    def margin(self, tokens):
        claims = self.claims(tokens["access"])
        return (claims["exp"] - claims["iat"]) / 10


SCREEN = [("GET", "/me"), ("GET", "/notes"), ("GET", "/feed"), ("GET", "/profile")]
