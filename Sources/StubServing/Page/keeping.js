// MARK: Taking along

const quoted = text => "'" + text.replace(/'/g, "'\\''") + "'";

/// The name of a method as a word of a shell; a method may contain `$`, `|` and other characters (RFC 9110, 5.6.2).
const word = method => /^[A-Za-z]+$/.test(method) ? method : quoted(method);

/// The request as a command for a shell, without the fields that curl sets itself.
function curl(exchange) {
  const own = new Set(["host", "content-length", "connection", "transfer-encoding", "accept-encoding", "expect"]);
  const origins = (sessions.find(entry => entry.name === session) || {}).origins || {};
  const server = (exchange.origin && origins[exchange.origin]) || location.origin;
  const path = exchange.target.startsWith("/") ? exchange.target : exchange.path;
  const parts = ["curl --globoff --path-as-is", exchange.method === "HEAD" ? "--head" : "-X " + word(exchange.method),
    quoted(server + path)];
  // The body is shown decoded, unless it could not be decoded.
  if (!(exchange.findings || []).some(text => text.includes("traffic/undecodable-body"))) own.add("content-encoding");
  let fields = exchange.request.headers.filter(([name]) => !own.has(name.toLowerCase()));
  if (session !== "default" && !fields.some(([name]) => name.toLowerCase() === "backlot-session")) {
    fields = [...fields, ["Backlot-Session", session]];
  }
  for (const [name, value] of fields) parts.push("-H " + quoted(value === "" ? name + ";" : name + ": " + value));
  const { text, base64, size } = exchange.request;
  if (!size) return parts.join(" ");
  // An argument of a program has no NUL, and 128 kB at most on Linux; what a shell prints itself may be longer.
  if (text !== undefined && size < 100000 && !text.includes("\0")) return parts.join(" ") + " --data-raw " + quoted(text);
  return "printf %s " + quoted(base64 ?? encoded(text)) + " | base64 -d | " + parts.join(" ") + " --data-binary @-";
}

/// The bytes of a text as Base64.
function encoded(text) {
  const bytes = new TextEncoder().encode(text);
  let characters = "";
  for (let place = 0; place < bytes.length; place += 8192) {
    characters += String.fromCharCode(...bytes.subarray(place, place + 8192));
  }
  return btoa(characters);
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(what + " was copied.");
  } catch {
    const field = h("textarea", { "aria-label": "To copy" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (done) say(what + " was copied."); else complain(new Error("The browser does not allow the page to copy text."));
  }
}

function save(name, content, type = "application/json") {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  say(name + " is saved.");
}

async function saveFrom(part, name, type) {
  try { save(name, await call("GET", part), type); } catch (error) { complain(error); }
}

const bodyOf = part => part.text !== undefined ? part.text : decoded(part.base64 || "");

/// A name for the body of a response: what the path ends with, and an ending by the type of the content.
function fixtureName(exchange) {
  const words = exchange.path.split("/").map(word => word.replace(/[^A-Za-z0-9._-]/g, "")).filter(word => /[A-Za-z0-9]/.test(word));
  const type = (exchange.response.headers.find(([name]) => name.toLowerCase() === "content-type") || [])[1] || "";
  const [, ending = "bin"] = /(json|html|xml|plain|png|jpeg|gif|svg)/.exec(type) || [];
  return (words.pop() || "body").slice(0, 60).replace(/^\.+/, "") + "." + (ending === "plain" ? "txt" : ending);
}

/// An exchange as a case of a route: under the query and the plain members of the JSON body, this response.
function storyCase(exchange) {
  const when = {};
  const query = Object.fromEntries(new URLSearchParams(exchange.target.split("?")[1] || ""));
  if (Object.keys(query).length) when.query = query;
  let body = null;
  try { body = JSON.parse(exchange.request.text || "null"); } catch { /* It is not JSON. */ }
  if (body && typeof body === "object" && !Array.isArray(body)) {
    // A number that JavaScript does not keep exactly would match nothing.
    const plain = Object.entries(body).filter(([, value]) => value === null || typeof value === "string"
      || typeof value === "boolean" || typeof value === "number" && exchange.request.text.includes(JSON.stringify(value)));
    if (plain.length) when.body = Object.fromEntries(plain.map(([name, value]) =>
      ["/" + name.replace(/~/g, "~0").replace(/\//g, "~1"), value]));
  }
  const given = exchange.tokens.find(token => token.id);
  if (!Object.keys(when).length && given) when.token = { [given.kind]: given.state };
  const lines = ["  \"when\": " + JSON.stringify(when), "  \"status\": " + exchange.status];
  const { text, base64 } = exchange.response;
  let isJSON = false;
  try { JSON.parse(text); isJSON = true; } catch { /* It is shown as text. */ }
  // The text of JSON as it came, so that it keeps every digit; two braces would begin a placeholder.
  if (isJSON && !/\{\{/.test(text)) lines.push("  \"json\": " + indented(text).replace(/\n/g, "\n  "));
  else if (text && !/\{\{/.test(text)) lines.push("  \"text\": " + JSON.stringify(text));
  else if (text || base64) lines.push("  \"file\": " + JSON.stringify("fixtures/" + fixtureName(exchange)));
  return "{\n" + lines.join(",\n") + "\n}";
}

function takeAlong() {
  return h("div", {}, h("h3", {}, "Export"), h("div", { class: "row" },
    button("Save the journal", () => saveFrom("journal", "journal.json")),
    button("Save the verdict", () => saveFrom("verdict", "verdict.json")),
    documents.includes("har") && button("Save as HAR", () => saveFrom("documents/har", "session.har")),
    documents.includes("report") && button("Save the report", () => saveFrom("documents/report", "report.html", "text/html")),
    documents.includes("story") && button("Create a story", showDraft)),
  draft && h("div", {},
    h("pre", { tabindex: 0, role: "region", "aria-label": "The story's text" }, draft),
    h("div", { class: "row" }, button("Copy the story", () => copy(draft, "The story")),
      button("Save the story", () => save("story.json", draft)),
      button("Close the story", () => { draft = ""; showStory(); })),
    h("p", { class: "dim" }, "Save the story next to the file that the story extends, and add the behavior of a correct client to \"expect\".")));
}

let documents = [];
let draft = "";

async function showDraft() {
  try { draft = await call("GET", "documents/story"); showStory(); } catch (error) { complain(error); }
}

// MARK: The picture

// The server draws it by the rules of the report. Its shapes are copied one by one, so that nothing else gets in.
const shapes = {
  svg: ["viewBox"], g: ["class"], a: ["href"], title: [], defs: [], use: ["href", "y"],
  path: ["class", "d", "id"], rect: ["class", "x", "y", "width", "height", "rx"],
  text: ["class", "x", "y", "text-anchor", "textLength", "lengthAdjust"],
};

const pictureSoon = seldom("picture-panel", 500, async () => {
  const asked = known;
  try {
    const text = documents.includes("picture") ? await pictureText() : "";
    if (asked === known) showPicture(text);
  } catch (error) { if (error.status !== 401) complain(error); }
});

/// The picture as a document; parsed by XMLHttpRequest, which never runs what is in it.
function pictureText() {
  return new Promise((use, fail) => {
    const request = new XMLHttpRequest();
    request.open("GET", base + "documents/picture?session=" + encodeURIComponent(session));
    if (secret) request.setRequestHeader("Backlot-Admin-Token", secret);
    request.responseType = "document";
    request.onload = () => request.status === 200 ? use(request.responseXML)
      : fail(Object.assign(new Error("The diagram cannot be drawn: " + request.status), { status: request.status }));
    request.onerror = () => fail(new Error("The diagram cannot be loaded."));
    request.send();
  });
}

function showPicture(drawn) {
  const panel = byId("picture-panel");
  const atEnd = panel.scrollTop + panel.clientHeight >= panel.scrollHeight - 20;
  if (!drawn || !known.exchanges.length) {
    return panel.replaceChildren(h("p", { class: "dim" }, drawn === "" ? "This server does not provide diagrams." : "No request yet."));
  }
  const picture = copyShape(drawn.documentElement);
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", "Sequence of requests");
  rebuild(panel, picture);
  if (atEnd) panel.scrollTop = panel.scrollHeight;
}

function copyShape(shape) {
  const copy = document.createElementNS("http://www.w3.org/2000/svg", shape.localName);
  for (const name of shapes[shape.localName]) {
    const value = shape.getAttribute(name);
    if (value !== null && (name !== "href" || value.startsWith("#"))) copy.setAttribute(name, value);
  }
  for (const child of shape.childNodes) {
    if (child.nodeType === 3) copy.append(document.createTextNode(visible(child.data)));
    else if (child.nodeType === 1 && Object.hasOwn(shapes, child.localName)) copy.append(copyShape(child));
  }
  return copy;
}

byId("picture-panel").addEventListener("click", event => {
  const [, number] = /-x(\d+)$/.exec(event.target.closest("a")?.getAttribute("href") || "") || [];
  if (!event.target.closest("a")) return;
  event.preventDefault();
  if (number) select(Number(number), true); else showTab("story");
});

// MARK: Tabs

const tabs = ["list", "picture", "exchange", "tokens", "story"];
let current = wide.matches ? "tokens" : "list";

function showTab(name) {
  current = name;
  for (const tab of tabs) {
    const control = byId("tab-" + tab);
    control.setAttribute("aria-selected", tab === name);
    control.tabIndex = tab === name ? 0 : -1;
    byId(tab + "-panel").hidden = tab !== name && !(tab === "list" && wide.matches);
  }
  if (name === "story") verdictSoon();
  if (name === "picture") pictureSoon();
  if (name === "tokens") showTokens();
  if (name === "list") showList();
}

for (const tab of tabs) {
  byId("tab-" + tab).addEventListener("click", () => showTab(tab));
  byId("tab-" + tab).addEventListener("keydown", event => {
    const usable = tabs.filter(name => name !== "list" || !wide.matches);
    const place = usable.indexOf(current);
    const target = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: usable.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    showTab(usable[(target + usable.length) % usable.length]);
    byId("tab-" + current).focus();
  });
}

const layOut = () => { showTab(current === "list" && wide.matches ? "tokens" : current); showList(); };
wide.addEventListener("change", layOut);
lowRows.addEventListener("change", layOut);
addEventListener("resize", showRowsSoon);

// MARK: Beginning

byId("access").addEventListener("submit", event => {
  event.preventDefault();
  secret = byId("secret").value;
  byId("secret").value = "";
  loadSlowFacts();
  follow();
});
byId("address").textContent = location.origin;
// A hidden tab costs the server nothing, and a browser has few connections for all tabs of a server.
document.addEventListener("visibilitychange", () => { if (document.hidden) setConnection("paused", "mild"); follow(); verdictSoon(); pictureSoon(); });
addEventListener("pageshow", event => { if (event.persisted) follow(); });
addEventListener("hashchange", () => {
  const name = new URLSearchParams(location.hash.slice(1)).get("session") || "default";
  if (name !== session) choose(name);
});
setInterval(() => {
  if (document.hidden || !known.changes || known.changes.clock.mode !== "running") return;
  showClock();
  if (!byId("tokens-panel").hidden) showTokens();
}, 1000);
showTab(current);
showExchange(null);
follow();
