"""Opens the page of a running server in Chromium, uses it, and prints as JSON what it saw.

Usage: browse.py CHROMIUM URL [FOLDER]; with a folder, screenshots are saved there.

Talks to the browser by the DevTools protocol over pipes (--remote-debugging-pipe): JSON, each message ended by NUL.
"""

import base64, json, os, select, subprocess, sys, tempfile, time, urllib.error, urllib.request

chromium, url = sys.argv[1:3]
folder = sys.argv[3] if len(sys.argv) > 3 else None
everything = "BACKLOT_SCHEDULES" in os.environ
limit = 240  # Seconds after which something that does not happen counts as failed; a busy machine takes its time.


class Browser:
    def __init__(self, profile):
        (their_input, self.to), (self.back, their_output) = os.pipe(), os.pipe()

        def place():
            a, b = os.dup(their_input), os.dup(their_output)
            os.dup2(a, 3)
            os.dup2(b, 4)

        os.environ["TMPDIR"] = profile  # What the browser leaves behind goes with its profile.
        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--deny-permission-prompts", "--disable-extensions", "--disable-sync", "--mute-audio", "--disable-background-networking", "--disable-component-update", "--no-proxy-server",
             "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(their_input)
        os.close(their_output)
        self.rest, self.number, self.session, self.console = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Runtime", "Log", "Page", "Accessibility"]:
            self.call(domain + ".enable")

    def read(self):
        while b"\0" not in self.rest:
            if not select.select([self.back], [], [], limit)[0]:
                raise TimeoutError("the browser says nothing")
            more = os.read(self.back, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.rest += more
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            message = self.read()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            details = message.get("params", {})
            if message.get("method") == "Runtime.consoleAPICalled":
                self.console.append(str([a.get("value") for a in details["args"]]))
            if message.get("method") == "Runtime.exceptionThrown":
                exception = details["exceptionDetails"]
                self.console.append(exception.get("exception", {}).get("description", exception["text"]))
            if message.get("method") == "Log.entryAdded":
                self.console.append(details["entry"]["text"])

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, script):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if self.run(script):
                return
            time.sleep(0.05)
        raise TimeoutError(f"never so: {script}; the page says: {self.run('document.body.innerText')}")

    def click(self, text, within="body"):
        found = "[...document.querySelectorAll(%s + ' button')].find(b => b.textContent === %s && b.offsetParent)"
        found %= (json.dumps(within), json.dumps(text))
        self.until(f"!!{found}")
        self.run(f"{found}.click()")

    def key(self, key, code=0):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def look(self, width, height, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 640)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        time.sleep(0.2)

    def save(self, name):
        if folder:
            data = self.call("Page.captureScreenshot", format="png")["data"]
            with open(os.path.join(folder, name + ".png"), "wb") as file:
                file.write(base64.b64decode(data))


def send(method, path, body=None, **fields):
    request = urllib.request.Request(url + path, body, {k.replace("_", "-"): v for k, v in fields.items()}, method=method)
    try:
        return urllib.request.urlopen(request).read()
    except urllib.error.HTTPError as error:
        return error.read()


# The text colours and backgrounds that do not differ enough (WCAG 2.2, success criterion 1.4.3).
contrast = """(() => {
  const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = element => {
    for (; element; element = element.parentElement) {
      const colour = parse(getComputedStyle(element).backgroundColor);
      if (colour.length && (colour.length < 4 || colour[3] > .99)) return colour;
    }
    return [255, 255, 255];
  };
  const bad = new Set();
  const compare = (element, colour) => {
    const [a, b] = [light(parse(colour)), light(ground(element))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) bad.add(element.tagName + "." + element.getAttribute("class") + " " + element.textContent.slice(0, 30));
  };
  for (const element of document.querySelectorAll("body *")) {
    if (!element.checkVisibility() || element.disabled) continue;
    if (element.placeholder) compare(element, getComputedStyle(element, "::placeholder").color);
    const isField = ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName);
    if (!isField && ![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
    const style = getComputedStyle(element);
    // A badge of the picture lies on a shape of its own and not on the panel.
    if (element instanceof SVGElement) { if (!element.closest(".badge")) compare(element, style.fill); }
    else compare(element, style.color);
  }
  return [...bad];
})()"""

# Marks what the keyboard has reached; then: what it should have and has not.
reach = "if (document.activeElement) document.activeElement.wasReached = true"
unreached = """[...document.querySelectorAll("button, input, select, textarea, summary, a[href], [tabindex='0']")]
  .filter(element => element.checkVisibility() && !element.disabled && element.tabIndex >= 0 && !element.wasReached)
  .filter(element => !element.closest("details:not([open]) > :not(summary)"))
  .map(element => element.tagName + " " + (element.id || element.textContent.slice(0, 30)))"""

controls = {"button", "textbox", "searchbox", "combobox", "listbox", "tab", "link", "option"}


def nameless(browser):
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    return [node["role"]["value"] for node in nodes
            if not node.get("ignored") and node.get("role", {}).get("value") in controls
            and not node.get("name", {}).get("value")]


def reach_by_tab(browser):
    """What the keyboard does not reach in the view that is open."""
    browser.run("document.activeElement.blur()")
    for _ in range(200):
        browser.key("Tab", 9)
        browser.run(reach)
        left = browser.run(unreached)
        if not left:
            return []
    return left


def overflow(browser):
    return browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")


# Methods and times that do not fit into a row of the list, of rows as long as rows usually get.
cut = """(() => {
  const made = ["OPTIONS", "DELETE", "PATCH"].map(method => row({ number: 19999, time: "2026-03-16T12:00:00Z", method,
    target: "/", tokens: [], status: 204, launch: 2 }, { time: "2026-03-01T09:00:00Z" }, 0, rowHeight()));
  rows.append(...made);
  const found = made.flatMap(element => [...element.querySelectorAll(".n, .m, .t, .status")])
    .filter(part => part.scrollWidth > part.clientWidth).map(part => part.textContent);
  for (const element of made) element.remove();
  return found;
})()"""


def use(browser):
    seen = {"contrast": [], "nameless": [], "overflow": [], "unreached": [], "cut": []}
    browser.look(1440, 900, "light")
    browser.call("Page.navigate", url=url + "/__backlot/#token=abc")
    browser.until("document.getElementById('connection')?.textContent === 'live'")
    seen["token"] = browser.run("[secret, location.href.endsWith('/__backlot/')]")
    seen["rowsAtFirst"] = browser.run("document.querySelectorAll('.exchange').length")
    token = json.loads(send("POST", "/login"))["access"]
    send("GET", "/notes", Authorization="Bearer " + token)
    send("POST", "/echo", b'{"note": "<img src=x onerror=hacked=1>", "n": 1.50, "big": 12345678901234567890}',
         Content_Type="application/json", X_Evil="<script>hacked=1</script>\u202eabc".encode().decode("latin-1"))
    send("GET", "/nothing?<b>bold</b>".replace("<", "%3C"))
    browser.until("document.querySelectorAll('.exchange').length === 4")
    browser.run("document.getElementById('list').focus()")
    browser.key("Home")
    browser.key("ArrowDown")
    browser.until("document.getElementById('exchange-panel').textContent.includes('/notes')")
    seen["byKeyboard"] = browser.run("document.querySelector('#exchange-panel h2').textContent")
    browser.key("ArrowDown")
    browser.until("document.getElementById('exchange-panel').textContent.includes('onerror')")
    seen["hostile"] = browser.run("document.querySelector('#exchange-panel pre').textContent")
    seen["ran"] = browser.run("typeof hacked !== 'undefined'")
    seen["images"] = browser.run("document.images.length")
    seen["curl"] = browser.run("get('exchanges/3').then(curl)")
    odd = "{method: 'X|touch$IFS', target: '/a', path: '/a', request: {headers: [], size: 0}}"
    seen["oddCurl"] = browser.run(f"curl({odd})")
    seen["stored"] = browser.run("sessionStorage.length + localStorage.length")

    seen["case"] = browser.run("get('exchanges/3').then(storyCase)")

    browser.click("Diagram", "nav")
    browser.until("document.querySelectorAll('#picture-panel svg path.request').length === 4")
    browser.until("document.getElementById('picture-panel').textContent.includes('/echo')")
    seen["links"] = browser.run("document.querySelectorAll('#picture-panel a').length > 3")
    browser.run("document.querySelector('#picture-panel a[href$=x2]').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
    browser.until("document.getElementById('exchange-panel').textContent.includes('/notes')")

    browser.click("Tokens", "nav")
    state = "[...document.querySelectorAll('.token')].find(t => t.textContent.startsWith('access-1')).querySelector('.chip').textContent"
    browser.until(f"{state} === 'valid'")
    for scheme in ["light", "dark"]:
        for width, height in [(390, 844), (768, 1024), (1440, 900), (1920, 1080)]:
            # Names do not depend on colours, nor colours on every width.
            is_typical = everything or width in [390, 1440]
            if scheme == "dark" and not is_typical:
                continue
            browser.look(width, height, scheme)
            for tab in ["list", "picture", "exchange", "tokens", "story"]:
                if tab == "list" and width >= 1100:
                    continue
                browser.run(f"document.getElementById('tab-{tab}').click()")
                if tab == "story":
                    browser.until("!!document.querySelector('#story-panel details')")
                # What is only seen when it is opened counts as well.
                browser.run("document.querySelectorAll('details').forEach(details => { details.open = true })")
                if width == 1440 and scheme == "light":
                    seen["unreached"] += reach_by_tab(browser)
                if is_typical:
                    seen["contrast"] += browser.run(contrast)
                if is_typical and (everything or scheme == "light"):
                    seen["nameless"] += nameless(browser)
                seen["overflow"].append(overflow(browser))
                if tab == "list" or width >= 1100:
                    seen["cut"] += browser.run(cut)
                browser.save(f"{tab}-{width}-{scheme}")
    browser.look(1440, 900, "light")
    browser.click("Tokens", "nav")
    browser.click("+1 h")
    browser.click("+1 h")
    browser.until(f"{state} === 'expired'")
    seen["now"] = browser.run("document.getElementById('now').textContent")

    browser.click("Story", "nav")
    browser.until("!!document.querySelector('#story-panel form.row')")
    browser.run("(() => { const form = document.querySelector('#story-panel form.row'); form.querySelector('input').value = 'old'; form.requestSubmit(); })()")
    browser.until("known.changes.states.member === 'old'")
    browser.click("Create a story")
    browser.until("document.getElementById('story-panel').textContent.includes('\"extends\"')")
    seen["draft"] = browser.run("draft")
    browser.run("window.saved = []; URL.createObjectURL = (make => blob => { saved.push(blob.type); return make.call(URL, blob); })(URL.createObjectURL)")
    for label in ["Save the journal", "Save as HAR", "Save the report"]:
        count = browser.run("saved.length")
        browser.click(label)
        browser.until(f"saved.length > {count}")
    seen["saved"] = browser.run("saved")
    browser.click("Arm the fault")
    browser.until("document.getElementById('story-panel').textContent.includes('for the next request to')")
    browser.run("document.querySelector('#story-panel').scrollTop = 0")
    browser.click("Play this story")
    browser.until("document.getElementById('title').textContent.includes('Old')")
    browser.until("document.querySelectorAll('.exchange').length === 0")
    seen["afterSwitch"] = browser.run("document.getElementById('count').textContent")
    seen["frames"] = browser.run("""new Promise(done => {
      const frame = document.createElement("iframe");
      frame.onload = () => { let text = ""; try { text = frame.contentDocument.body.innerText } catch { } done(text) };
      frame.src = "/__backlot/";
      document.body.append(frame);
    })""")
    seen["large"] = browser.run(large)
    seen["flood"] = browser.run(flood)
    browser.run("window.reached = window.fetch; window.fetch = () => Promise.reject(new TypeError('gone')); follow()")
    browser.until("document.getElementById('connection').textContent === 'the server cannot be reached'")
    browser.run("window.fetch = reached")
    browser.until("document.getElementById('connection').textContent === 'live'")
    browser.until("known.exchanges.length === 0")
    return seen


# An exchange with large, deep, broken and misleading bodies: what the page makes of each.
large = r"""(() => {
  const none = { headers: [], size: 0 };
  const look = request => {
    showExchange({ number: 1, method: "GET", target: "/\u202egnp.exe", path: "/", status: 200, time: "", tokens: [],
      request: { headers: [["Content-Type", "application/json"]], size: 10000000, ...request }, response: none });
    return document.querySelector("#exchange-panel pre").textContent;
  };
  const text = "[".repeat(5000000) + "]".repeat(5000000);
  const lengths = [look({ text }), look({ text: "x".repeat(10000000) }), look({ base64: "////".repeat(2500000) })].map(text => text.length);
  const shown = look({ text: "a\u202eb\u0000c\u2066d" });
  const title = document.querySelector("#exchange-panel h2").textContent;
  showExchange(null);
  return { lengths, shown, title };
})()"""

# 50,000 exchanges: what is kept of them and made for them, and how long the slowest steps take, in milliseconds.
flood = """(async () => {
  const exchange = number => ({ number, time: "2026-03-01T09:00:00Z", method: "GET", target: "/item/" + number, route: null,
    status: number % 50 ? 200 : 404, outcome: "sent", tokens: [{ id: "access-1", state: "valid" }] });
  const frame = () => new Promise(requestAnimationFrame);
  const slowest = { take: 0, filter: 0, scroll: 0 };
  const timed = (name, action) => {
    const begin = performance.now();
    action();
    slowest[name] = Math.max(slowest[name], performance.now() - begin);
  };
  for (let number = 1; number <= 50000; number += 500) {
    const exchanges = Array.from({ length: 500 }, (_, place) => exchange(number + place));
    timed("take", () => { take({ exchanges, count: number + 499 }); showList(); });
    if (number % 5000 === 1) await frame();
  }
  for (const text of ["4", "item/49", "valid 404", ""]) timed("filter", () => { words.value = text; showList(); });
  for (let place = 0; place < 100; place++) timed("scroll", () => { list.scrollTop = place * 3000; showRows(); void rows.offsetHeight; });
  const seen = { kept: known.exchanges.length, last: known.exchanges.at(-1).number, rows: rows.childElementCount,
    nodes: document.querySelectorAll("*").length, count: byId("count").textContent, slowest };
  known = fresh();
  lastEvent = "";
  return seen;
})()"""


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(profile)
    try:
        seen = use(browser)
        seen["console"] = [text for text in browser.console if "frame" not in text.lower()]
        print(json.dumps(seen))
    except Exception:
        print(browser.console, file=sys.stderr)
        raise
    finally:
        browser.process.kill()
        browser.process.wait()
