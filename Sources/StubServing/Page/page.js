"use strict";
// The page of a running server. What comes from the server becomes text nodes and attributes of SVG, never markup.

const base = location.origin + location.pathname.replace(/\/*$/, "/");
const byId = id => document.getElementById(id);
const wide = matchMedia("(min-width: 1100px)");
const lowRows = matchMedia("(max-width: 640px)");

// What the page knows of the session that it shows.
const fresh = () => ({ life: "", story: undefined, exchanges: [], selected: 0, changes: null, verdict: null });
let known = fresh();
let session = new URLSearchParams(location.hash.slice(1)).get("session") || "default";
let secret = sessionStorage.getItem("backlot-token") || "";
let shown = [];
let scenario = null;
let sessions = [];
let routes = [];

// MARK: Elements

/// An element with attributes, functions for events, and children; text is always text.
function h(name, attributes, ...children) {
  const svg = ["svg", "rect", "line"].includes(name);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === undefined || child === null || child === false || child === "") continue;
    element.append(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
  return element;
}

/// Text with control and bidirectional characters as escapes, because they would change how the rest is read.
const visible = text => text.replace(
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
  character => character === "\r" ? "" : "\\u{" + character.codePointAt(0).toString(16) + "}");

const button = (label, action, name) => h("button", { type: "button", "aria-label": name, click: action }, label);
const chip = (text, kind) => h("span", { class: "chip " + (kind || "") }, text);
const kindOfStatus = status => status >= 500 ? "bad" : status >= 400 ? "mild" : "good";
const kindOfState = state => state === "valid" ? "good" : state === "missing" ? "" : "bad";
const kindOfVerdict = word => ({ passed: "good", held: "good", failed: "bad" })[word] || "mild";

function say(text) { byId("said").textContent = visible(text); }

function complain(error) {
  const place = byId("message");
  place.textContent = error ? visible(error.message || String(error)) : "";
  place.hidden = !error;
}

// MARK: Calls

async function call(method, part, body, signal) {
  const fields = { Accept: "application/json" };
  if (secret) fields["Backlot-Admin-Token"] = secret;
  if (body !== undefined) fields["Content-Type"] = "application/json";
  const query = part.includes("?") ? "&" : "?";
  const response = await fetch(base + part + query + "session=" + encodeURIComponent(session), {
    method, headers: fields, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store", signal,
  });
  const text = await response.text();
  if (response.ok) { byId("access").hidden = true; return text; }
  if (response.status === 401) byId("access").hidden = false;
  let detail = text;
  try { detail = JSON.parse(text).detail || text; } catch { /* It is not a problem document. */ }
  throw Object.assign(new Error(detail), { status: response.status });
}

const get = async part => JSON.parse(await call("GET", part));

/// Changes something on the server, and shows what came of it.
async function act(part, body, done) {
  try {
    await call("POST", part, body);
    complain(null);
    if (done) say(done);
    await poll();
  } catch (error) { complain(error); }
}

// MARK: Polling

// At most twice a second, and not while the tab is hidden.
const interval = 500;
let timer = 0;
let polling = null;
let lastText = "";

function poll() {
  if (!polling) polling = pollOnce().finally(() => { polling = null; });
  return polling;
}

async function pollOnce() {
  clearTimeout(timer);
  if (document.hidden) return;
  let wait = interval;
  const asked = session;
  try {
    for (let more = true; more && asked === session;) {
      const open = known.exchanges.filter(exchange => exchange.outcome === "open").slice(-50).map(e => e.number);
      const newest = known.exchanges.length ? known.exchanges[known.exchanges.length - 1].number : 0;
      const text = await call("GET", "changes?since=" + newest + "&life=" + known.life + "&again=" + open.join(","));
      if (asked !== session) break;
      setConnection("live", "good");
      more = false;
      if (text !== lastText) { lastText = text; more = take(JSON.parse(text)); }
    }
  } catch (error) {
    lastText = "";
    wait = 2000;
    if (error.status === 404 && session !== "default") { choose("default"); complain(error); }
    else if (error.status) { setConnection("refused", "bad"); if (error.status !== 401) complain(error); }
    else setConnection("server not reached", "bad");
  }
  timer = setTimeout(poll, wait);
}

function setConnection(text, kind) {
  const place = byId("connection");
  if (place.textContent === text) return;
  place.textContent = text;
  place.className = "state " + kind;
}

const mostExchanges = 20000;

/// Takes a response of `changes`; whether there are more exchanges to ask for.
function take(changes) {
  const restarted = changes.life !== known.life || changes.story !== known.story;
  if (restarted) {
    known = fresh();
    known.life = changes.life;
    known.story = changes.story;
    if (!byId("exchange-panel").contains(document.activeElement)) showExchange(null);
    loadSlowFacts();
  }
  known.changes = changes;
  known.received = performance.now();
  let grown = false;
  for (const exchange of changes.exchanges) {
    const place = indexOf(exchange.number);
    if (place < known.exchanges.length && known.exchanges[place].number === exchange.number) {
      known.exchanges[place] = exchange;
    } else { known.exchanges.push(exchange); grown = true; }
  }
  const excess = known.exchanges.length - Math.min(changes.count, mostExchanges);
  if (excess > 0) { known.exchanges.splice(0, excess); grown = true; }
  if (changes.more) return true;
  if (grown || restarted || changes.exchanges.length) showList();
  showClock();
  showTokens();
  showLive();
  if (grown || restarted) verdictSoon();
  return false;
}

/// Where an exchange is or would be in the list, by bisection: numbers rise.
function indexOf(number) {
  let [low, high] = [0, known.exchanges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (known.exchanges[middle].number < number) low = middle + 1; else high = middle;
  }
  return low;
}

// MARK: The list

const words = byId("words");
const which = byId("which");
const list = byId("list");
const rows = byId("rows");

function filtered() {
  const parts = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = which.value;
  if (!parts.length && !kind) return known.exchanges;
  return known.exchanges.filter(exchange => {
    if (kind === "problem" && exchange.status < 400 && !exchange.findings && !exchange.fault) return false;
    if (kind === "token" && !exchange.tokens.length && !exchange.granted) return false;
    if (kind >= "2" && kind <= "5" && Math.floor(exchange.status / 100) !== Number(kind)) return false;
    if (!parts.length) return true;
    const text = [exchange.number, exchange.method, exchange.target, exchange.route, exchange.status, exchange.device,
      exchange.fault, exchange.origin, exchange.answeredBy, exchange.granted,
      ...exchange.tokens.map(token => token.id + " " + token.state)].join(" ").toLowerCase();
    return parts.every(part => text.includes(part));
  });
}

const rowHeight = () => lowRows.matches ? 56 : 34;

function showList() {
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - rowHeight();
  shown = filtered();
  const all = known.exchanges.length;
  const dropped = known.changes && known.changes.dropped ? ", " + known.changes.dropped + " dropped" : "";
  byId("count").textContent = (shown.length === all ? all : shown.length + " of " + all)
    + (all === 1 ? " exchange" : " exchanges") + dropped;
  byId("empty").hidden = all > 0;
  rows.style.height = shown.length * rowHeight() + "px";
  if (atEnd) list.scrollTop = list.scrollHeight;
  showRows();
}

/// Makes the rows that can be seen, and no others.
function showRows() {
  const height = rowHeight();
  const first = Math.max(0, Math.floor(list.scrollTop / height) - 5);
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + 5);
  const made = [];
  for (let place = first; place < last; place++) made.push(row(shown[place], shown[place - 1], place, height));
  rows.replaceChildren(...made);
  const active = byId("row-" + known.selected);
  if (active) list.setAttribute("aria-activedescendant", active.id); else list.removeAttribute("aria-activedescendant");
}

function row(exchange, former, place, height) {
  const chips = exchange.tokens.map(token => chip(token.id + " " + token.state, kindOfState(token.state)));
  for (const id of exchange.granted || []) chips.push(chip("+ " + id, "mark"));
  if (exchange.fault) chips.push(chip(exchange.fault, "bad"));
  if (exchange.findings) chips.push(chip(exchange.findings + (exchange.findings === 1 ? " finding" : " findings"), "mild"));
  if (exchange.outcome === "open") chips.push(chip("open", "mild"));
  const gap = former ? (Date.parse(exchange.time) - Date.parse(former.time)) / 1000 : 0;
  const launched = former && (former.launch || 1) !== (exchange.launch || 1);
  const time = exchange.time.replace(/^.*T|Z$/g, "");
  const element = h("div", {
    class: "exchange", role: "option", id: "row-" + exchange.number, "aria-selected": exchange.number === known.selected,
    "aria-setsize": shown.length, "aria-posinset": place + 1,
    click: () => { list.focus({ preventScroll: true }); select(exchange.number, true); },
  },
    h("span", { class: "n" }, exchange.number),
    h("span", { class: "t" }, time.slice(0, 8), " ",
      gap >= 60 && h("span", { class: "gap", title: "later than the exchange before" }, "+" + span(gap)),
      launched && h("span", { class: "gap" }, " launch " + exchange.launch)),
    h("span", { class: "m" }, exchange.method),
    h("span", { class: "path", title: visible(exchange.target) }, exchange.target),
    h("span", { class: "chips" }, chips),
    h("span", { class: "status " + kindOfStatus(exchange.status) }, exchange.status));
  element.style.top = place * height + "px";
  return element;
}

function select(number, opens) {
  known.selected = number;
  const place = shown.findIndex(exchange => exchange.number === number);
  const height = rowHeight();
  if (place >= 0) {
    if (place * height < list.scrollTop) list.scrollTop = place * height;
    const end = (place + 1) * height - list.clientHeight;
    if (end > list.scrollTop) list.scrollTop = end;
  }
  showRows();
  if (opens) openExchange(number);
}

list.addEventListener("scroll", () => requestAnimationFrame(showRows));
list.addEventListener("keydown", event => {
  const page = Math.max(1, Math.floor(list.clientHeight / rowHeight()) - 1);
  const place = shown.findIndex(exchange => exchange.number === known.selected);
  const target = {
    ArrowDown: place + 1, ArrowUp: place < 0 ? shown.length - 1 : place - 1, PageDown: place + page,
    PageUp: place - page, Home: 0, End: shown.length - 1, Enter: place,
  }[event.key];
  if (target === undefined || !shown.length) return;
  event.preventDefault();
  const next = shown[Math.min(shown.length - 1, Math.max(0, target))];
  select(next.number, wide.matches || event.key === "Enter");
});
words.addEventListener("input", showList);
which.addEventListener("change", showList);
byId("filter").addEventListener("submit", event => event.preventDefault());

// MARK: One exchange

async function openExchange(number) {
  showTab("exchange");
  try {
    const exchange = await get("exchanges/" + number);
    if (known.selected !== number) return;
    showExchange(exchange);
    if (!wide.matches) byId("exchange-panel").focus();
  } catch (error) { complain(error); }
}

/// Opens an exchange that a verdict or token names.
function link(number) {
  return h("button", { type: "button", class: "link", click: () => select(number, true) }, "exchange " + number);
}

function facts(pairs) {
  return h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]).flat());
}

function showExchange(exchange) {
  const panel = byId("exchange-panel");
  if (!exchange) {
    return panel.replaceChildren(h("p", { class: "dim" }, "Choose an exchange to see its request and response."));
  }
  const answer = exchange.answeredBy ? exchange.answeredBy : exchange.route ? "the route's own response" : undefined;
  const nearest = exchange.nearest
    && "The nearest route is " + exchange.nearest.route + ": " + exchange.nearest.difference;
  panel.replaceChildren(
    h("div", { class: "head" },
      h("h2", {}, exchange.method + " " + exchange.target),
      h("span", { class: "status " + kindOfStatus(exchange.status) }, exchange.status)),
    h("div", { class: "row" },
      button("Copy as curl", () => copy(curl(exchange), "The curl command")),
      button("Copy the response", () => copy(bytesOf(exchange.response).text, "The response's body")),
      button("Save", () => save("exchange-" + exchange.number + ".json", JSON.stringify(exchange, null, 2)),
        "Save the exchange as JSON")),
    facts([
      ["Exchange", exchange.number + (exchange.launch ? ", launch " + exchange.launch : "")],
      ["Virtual time", exchange.time],
      ["Route", exchange.route || "none"],
      ["Answered by", answer],
      ["Not matched", nearest],
      ["Server", exchange.origin],
      ["Device", exchange.device && exchange.device + (exchange.account ? " of " + exchange.account : "")],
      ["Fault", exchange.fault],
      ["Breaks on purpose", exchange.breaks],
      ["Gate", exchange.gate && exchange.gate.name],
      ["Outcome", { open: "not ended yet", sent: "sent", clientGone: "the client left", faulted: "broken off by the fault" }[exchange.outcome]],
      ["Took", exchange.wallMilliseconds !== undefined && exchange.wallMilliseconds + " ms"
        + (exchange.holdMilliseconds ? ", " + exchange.holdMilliseconds + " ms of it held on purpose" : "")],
    ]),
    ...tokensOf(exchange),
    ...findingsOf(exchange),
    ...message("Request", exchange.request),
    ...message("Response", exchange.response));
  panel.scrollTop = 0;
}

function tokensOf(exchange) {
  const now = new Map(allTokens().map(token => [token.id, token.state]));
  const line = (id, then, more) => h("tr", {},
    h("td", {}, id || "none"), h("td", {}, then), h("td", {}, now.get(id) || ""), h("td", {}, more));
  const lines = exchange.tokens.map(token => line(token.id, token.state, [
    token.wanted ? token.kind + " where " + token.wanted + " belongs" : token.kind,
    token.accepted === false ? "not accepted" : token.accepted ? "accepted" : "",
    token.secondsLeft === undefined ? "" : left(token.secondsLeft)].filter(Boolean).join(", ")));
  for (const token of exchange.granted || []) lines.push(line(token.id, "handed out", token.kind + ", " + token.source));
  return lines.length ? [h("h3", {}, "Tokens"), h("table", { class: "tokens" },
    h("thead", {}, h("tr", {}, ["Token", "Then", "Now", ""].map(text => h("th", { scope: "col" }, text)))),
    h("tbody", {}, lines))] : [];
}

function findingsOf(exchange) {
  const items = (exchange.violations || []).map(item => h("li", { class: "finding " + item.severity },
    item.message, h("p", { class: "dim" }, [item.in, item.id, item.contract, item.place].filter(Boolean).join(" · "))));
  for (const text of exchange.findings || []) items.push(h("li", { class: "finding" }, text));
  return items.length ? [h("h3", {}, "Findings"), h("ul", { class: "plain" }, items)] : [];
}

// How much of a body the page shows; the rest can be saved.
const longestBody = 200000;

function message(name, part) {
  const body = bytesOf(part);
  const made = [h("h3", {}, name),
    h("table", { class: "fields" }, h("tbody", {}, part.headers.map(([field, value]) =>
      h("tr", {}, h("th", { scope: "row" }, field), h("td", { class: "code" }, value)))))];
  if (!part.size) return [...made, h("p", { class: "dim" }, "No body.")];
  const isJSON = part.headers.some(([field, value]) => field.toLowerCase() === "content-type" && /json/i.test(value))
    || /^\s*[{[]/.test(body.text);
  const text = isJSON ? indented(body.text.slice(0, longestBody)) : body.text.slice(0, longestBody);
  made.push(h("pre", { tabindex: 0, role: "region", "aria-label": name + " body" }, text),
    h("p", { class: "dim" }, part.size + " bytes" + (body.exact ? "" : ", not valid UTF-8")
      + (body.text.length > longestBody ? "; the first " + longestBody + " characters are shown" : "")));
  return made;
}

function bytesOf(part) {
  if (part.text !== undefined) return { text: part.text, exact: true };
  if (part.base64 === undefined) return { text: "", exact: true };
  return { text: new TextDecoder().decode(Uint8Array.from(atob(part.base64), c => c.charCodeAt(0))), exact: false };
}

/// JSON in lines, with every digit and escape as it came; text that is not JSON comes out much as it was.
function indented(text) {
  let [out, depth] = ["", 0];
  const line = () => "\n" + "  ".repeat(Math.min(depth, 40));
  const tokens = /"(?:[^"\\]|\\[^])*"?|[{}[\],:]|\s+|[^\s{}[\],:"]+/g;
  let opened = false;
  for (const [token] of text.matchAll(tokens)) {
    if (/^\s/.test(token)) continue;
    if (token === "}" || token === "]") {
      depth = Math.max(0, depth - 1);
      out += opened ? token : line() + token;
      opened = false;
      continue;
    }
    if (opened) out += line();
    opened = token === "{" || token === "[";
    if (opened) depth += 1;
    out += token === "," ? "," + line() : token === ":" ? ": " : token;
  }
  return out;
}

// MARK: Taking along

const quoted = text => "'" + text.replace(/'/g, "'\\''") + "'";

/// The request as a command for a shell, without the fields that curl sets itself.
function curl(exchange) {
  const own = new Set(["host", "content-length", "connection", "transfer-encoding", "accept-encoding", "expect"]);
  const origins = (sessions.find(entry => entry.name === session) || {}).origins || {};
  const server = (exchange.origin && origins[exchange.origin]) || location.origin;
  const path = exchange.target.startsWith("/") ? exchange.target : exchange.path;
  const parts = ["curl --globoff --path-as-is", exchange.method === "HEAD" ? "--head" : "-X " + exchange.method,
    quoted(server + path)];
  let fields = exchange.request.headers.filter(([name]) => !own.has(name.toLowerCase()));
  if (session !== "default" && !fields.some(([name]) => name.toLowerCase() === "backlot-session")) {
    fields = [...fields, ["Backlot-Session", session]];
  }
  for (const [name, value] of fields) parts.push("-H " + quoted(value === "" ? name + ";" : name + ": " + value));
  const request = exchange.request;
  if (request.base64 !== undefined && request.size) {
    return "printf %s " + quoted(request.base64) + " | base64 -d | " + parts.join(" ") + " --data-binary @-";
  }
  if (request.text) parts.push("--data-raw " + quoted(request.text));
  return parts.join(" ");
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
    if (done) say(what + " was copied."); else complain(new Error("The browser does not let the page copy."));
  }
}

function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  say(name + " is saved.");
}

async function saveFrom(part, name) {
  try { save(name, await call("GET", part)); } catch (error) { complain(error); }
}

// MARK: The clock

/// Seconds in two units at most: 15d, 2h 5m.
function span(seconds) {
  let rest = Math.abs(Math.round(seconds));
  const parts = [];
  for (const [unit, length] of [["d", 86400], ["h", 3600], ["m", 60], ["s", 1]]) {
    if (rest >= length) parts.push(Math.floor(rest / length) + unit);
    rest %= length;
  }
  return parts.slice(0, 2).join(" ") || "0s";
}

const left = seconds => seconds > 0 ? span(seconds) + " left" : span(seconds) + " past its end";

const allTokens = () => known.changes ? known.changes.devices.flatMap(device => device.tokens) : [];

/// The virtual time now, which a running clock has moved since the server told it.
function virtualNow() {
  const clock = known.changes.clock;
  const passed = clock.mode === "running" ? (performance.now() - known.received) * (clock.rate || 1) : 0;
  return Date.parse(clock.now) + passed;
}

/// A moment as the server writes it, to the second.
const moment = milliseconds => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");

function showClock() {
  if (!known.changes) return;
  const { clock, backend, story } = known.changes;
  const text = moment(virtualNow());
  const now = byId("now");
  if (now.textContent !== text) { now.textContent = text; now.setAttribute("datetime", text); }
  byId("mode").textContent = clock.mode === "running" ? "runs at " + (clock.rate || 1) + "×" : clock.mode;
  byId("freeze").textContent = clock.mode === "frozen" ? "Run" : "Freeze";
  const title = story && scenario && scenario.story ? story + ": " + scenario.story.title : story;
  byId("title").textContent = visible(title ? backend + ", " + title : backend);
  document.title = visible((story || backend) + " · Backlot");
  const next = nextExpiry();
  byId("expiry").textContent = next
    ? "Next expiry: " + next.id + " in " + span((Date.parse(next.expiresAt) - virtualNow()) / 1000)
    : "No token is due to expire.";
  byId("before").disabled = byId("after").disabled = !next;
}

function nextExpiry() {
  const now = virtualNow();
  return allTokens().filter(token => token.state === "valid" && Date.parse(token.expiresAt) > now)
    .sort((a, b) => Date.parse(a.expiresAt) - Date.parse(b.expiresAt))[0];
}

const advance = text => act("clock", { advance: text }, "The clock was advanced by " + text + ".");

for (const element of document.querySelectorAll("[data-advance]")) {
  element.addEventListener("click", () => advance(element.dataset.advance));
}
byId("advance").addEventListener("submit", event => {
  event.preventDefault();
  advance(byId("duration").value.trim());
});
byId("freeze").addEventListener("click", () => {
  const freezes = known.changes && known.changes.clock.mode !== "frozen";
  act("clock", { freeze: freezes }, freezes ? "The clock is frozen." : "The clock runs.");
});
for (const [id, shift, word] of [["before", -1000, "before"], ["after", 1000, "after"]]) {
  byId(id).addEventListener("click", () => {
    const next = known.changes && nextExpiry();
    if (!next) return;
    const target = Date.parse(next.expiresAt) + shift;
    if (target <= virtualNow()) return say("It is that moment already.");
    act("clock", { set: moment(target) }, "It is now just " + word + " the expiry of " + next.id + ".");
  });
}

// MARK: Tokens

let tokenKey = "";

function showTokens() {
  const panel = byId("tokens-panel");
  const devices = known.changes.devices;
  const key = JSON.stringify(devices);
  // A rebuilt button would lose the keyboard's place.
  if (key === tokenKey) return;
  tokenKey = key;
  const focused = panel.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  panel.replaceChildren(...(devices.length ? devices.map(showDevice)
    : [h("p", { class: "dim" }, "No device has signed in.")]));
  if (focused) [...panel.querySelectorAll("button")].find(b => b.getAttribute("aria-label") === focused)?.focus();
}

function showDevice(device) {
  const event = (verb, kind) => () =>
    act("tokens", { [verb]: kind, device: device.device }, verb + " " + kind + " of " + device.device + ": done.");
  const newest = new Map(device.tokens.map(token => [token.kind, token.id]));
  return h("section", { class: "device", "aria-label": "Device " + visible(device.device) },
    h("div", { class: "head" }, h("h2", {}, device.device), h("span", { class: "dim" }, "account " + device.account)),
    device.omitted ? h("p", { class: "dim" }, device.omitted + " older tokens are not shown.") : "",
    [...device.tokens].reverse().map(token => showToken(token, device, newest.get(token.kind) === token.id, event)),
    h("div", { class: "row" },
      [...newest.keys()].map(kind => button("Issue " + kind, event("issue", kind),
        "Issue a new " + kind + " token to " + device.device)),
      button("Sign out", () => act("tokens", { signOut: device.device }, device.device + " is signed out."),
        "Sign out " + device.device)));
}

function showToken(token, device, isNewest, event) {
  const [from, to] = [Date.parse(token.issuedAt), Date.parse(token.expiresAt)];
  const share = to > from ? Math.min(1, Math.max(0, token.secondsLeft * 1000 / (to - from))) : 0;
  const alive = token.state === "valid";
  const width = (1 - share) * 300;
  return h("div", { class: "token" + (alive ? "" : " dead") },
    h("span", { class: "name" }, token.id),
    h("div", { class: "life" },
      h("svg", { viewBox: "0 0 300 14", preserveAspectRatio: "none", "aria-hidden": "true" },
        h("rect", { class: "track", x: .5, y: 1.5, width: 299, height: 11 }),
        h("rect", { class: "gone", x: 1, y: 5, width: Math.max(0, width - 1), height: 4 }),
        h("rect", { class: "left", x: width, y: 2, width: Math.max(0, 299.5 - width), height: 10 })),
      h("p", {}, chip(token.state, kindOfState(token.state)), h("span", {}, left(token.secondsLeft)),
        h("span", {}, "until " + token.expiresAt))),
    h("div", { class: "row" },
      isNewest && alive && button("Expire", event("expire", token.kind), "Expire the " + token.kind + " token of " + device.device),
      isNewest && alive && button("Revoke", event("revoke", token.kind), "Revoke the " + token.kind + " token of " + device.device),
      button("Copy", () => copy(token.value, token.id), "Copy " + token.id)));
}

// MARK: The story

// A verdict reads the whole journal, so the next one is not asked for before ten times what the last one took.
let verdictTimer = 0;
let verdictRest = 0;

function verdictSoon() {
  if (verdictTimer || byId("story-panel").hidden) { known.verdictStale = true; return; }
  verdictTimer = setTimeout(async () => {
    const asked = known;
    const begin = performance.now();
    known.verdictStale = false;
    try {
      const verdict = await get("verdict");
      if (asked === known) { known.verdict = verdict; showStory(); }
    } catch { /* The next change asks again. */ }
    verdictRest = Math.min(60000, Math.max(1000, 10 * (performance.now() - begin)));
    verdictTimer = 0;
    if (known.verdictStale) verdictSoon();
  }, verdictRest);
}

/// Loads what changes seldom: the story, the sessions and the routes.
async function loadSlowFacts() {
  const asked = session;
  try {
    const loaded = await Promise.all([get("scenario"), get("sessions"), get("routes")]);
    if (asked !== session) return;
    [scenario, { sessions }, { routes }] = loaded;
    showSessions();
    showStory();
    showClock();
  } catch (error) { if (error.status !== 401 && error.status !== 404) complain(error); }
}

function showSessions() {
  const names = sessions.map(entry => entry.name);
  byId("session").replaceChildren(...names.map(name => {
    const option = h("option", { value: name }, name);
    option.selected = name === session;
    return option;
  }));
}

function choose(name) {
  session = name;
  known = fresh();
  lastText = tokenKey = "";
  history.replaceState(null, "", name === "default" ? location.pathname : "#session=" + encodeURIComponent(name));
  showExchange(null);
  showList();
  poll();
}

byId("session").addEventListener("change", () => choose(byId("session").value));
byId("session").addEventListener("focus", async () => {
  try { sessions = (await get("sessions")).sessions; showSessions(); } catch { /* The list stays as it was. */ }
});

const liveFacts = h("div", {});

/// States, counters and armed faults, which come with the changes.
function showLive() {
  const { states, counters, armed } = known.changes;
  const values = [...Object.entries(states), ...Object.entries(counters)];
  liveFacts.replaceChildren(
    values.length ? h("h3", {}, "States and counters") : "", values.length ? facts(values) : "",
    armed.length ? h("h3", {}, "Armed faults") : "",
    armed.length ? h("ul", { class: "plain" }, armed.map(fault =>
      h("li", {}, fault.fault + " for the next " + (fault.times === 1 ? "request" : fault.times + " requests") + " of " + fault.route))) : "");
}

function showStory() {
  const panel = byId("story-panel");
  if (!scenario || panel.contains(document.activeElement) && document.activeElement.tagName === "SELECT") return;
  const openRules = panel.querySelector("details")?.open;
  const focused = panel.contains(document.activeElement) ? document.activeElement.textContent : null;
  const scroll = panel.scrollTop;
  // What was chosen and not yet used; another story begins with its own choices.
  const played = scenario.file + " " + (scenario.story || {}).id;
  const chosen = panel.dataset.played === played ? [...panel.querySelectorAll("select")].map(choice => choice.value) : [];
  panel.dataset.played = played;
  panel.replaceChildren(
    h("h2", {}, scenario.story ? scenario.story.id + ": " + scenario.story.title : scenario.backend + " without a story"),
    scenario.story ? h("p", {}, scenario.story.about) : "",
    h("p", { class: "dim" }, scenario.file + (scenario.contract
      ? "; contract " + scenario.contract.file + " (" + scenario.contract.mode + ")" : "; no contract")),
    chooseStory(), ...showVerdict(openRules), liveFacts, faultForm(),
    h("h3", {}, "Take it along"),
    h("div", { class: "row" },
      button("Save the journal", () => saveFrom("journal", "journal.json")),
      button("Save the verdict", () => saveFrom("verdict", "verdict.json"))));
  panel.scrollTop = scroll;
  [...panel.querySelectorAll("select")].forEach((choice, place) => { if (chosen[place]) choice.value = chosen[place]; });
  if (focused) [...panel.querySelectorAll("button, summary")].find(b => b.textContent === focused)?.focus();
}

function chooseStory() {
  const choice = h("select", { "aria-label": "Story" }, scenario.stories.map(story => {
    const option = h("option", { value: story.id }, story.id + ": " + story.title);
    option.selected = scenario.story && scenario.story.id === story.id;
    return option;
  }));
  return h("div", { class: "row" },
    scenario.stories.length ? [choice, button("Play this story", () =>
      act("scenario", { story: choice.value }, choice.value + " is played.").then(loadSlowFacts))] : [],
    button("Begin again", () => act("scenario", { reset: true }, "The story begins again.").then(loadSlowFacts)));
}

function showVerdict(openRules) {
  const verdict = known.verdict;
  if (!verdict) return [h("h3", {}, "Verdict"), h("p", { class: "dim" }, "It is being read.")];
  const badge = status => h("span", { class: "state " + kindOfVerdict(status) }, status);
  const expectations = verdict.expectations.map(item => h("li", {}, badge(item.status), " ", item.message, " ",
    item.exchanges.map(link), item.advice && h("p", { class: "dim" }, item.advice),
    h("p", { class: "dim" }, item.place)));
  const rule = item => h("li", {}, badge(item.status), " ", item.number + " " + item.name,
    (item.violations || []).map(found => h("p", {}, found.message, " ", found.exchanges.map(link))),
    item.status !== "held" && h("p", { class: "dim" }, item.why + "; " + item.advice + ". " + item.source));
  const notHeld = (verdict.rules || []).filter(item => item.status !== "held");
  const held = (verdict.rules || []).filter(item => item.status === "held");
  return [
    h("h3", {}, "Verdict as it stands now"),
    h("p", {}, badge(verdict.verdict), " ", verdict.summary),
    expectations.length ? h("h3", {}, "Expectations") : "",
    expectations.length ? h("ul", { class: "plain" }, expectations) : "",
    h("h3", {}, "Rules"),
    notHeld.length ? h("ul", { class: "plain" }, notHeld.map(rule)) : "",
    held.length ? h("details", { open: openRules }, h("summary", {}, held.length + (held.length === 1 ? " rule held" : " rules held")),
      h("ul", { class: "plain" }, held.map(rule))) : "",
  ];
}

const faults = ["reset", "empty", "never", "lost", "truncated", "malformedChunk", "garbage"];

function faultForm() {
  const route = h("select", { "aria-label": "Route" }, routes.map(entry => h("option", { value: entry.route }, entry.route)));
  const fault = h("select", { "aria-label": "Fault" }, faults.map(name => h("option", { value: name }, name)));
  return h("div", {}, h("h3", {}, "Break a route's next request"),
    h("div", { class: "row" }, route, fault, button("Arm the fault", () => act("faults",
      { fault: fault.value, route: route.value, times: 1 }, fault.value + " is armed for " + route.value + "."))));
}

// MARK: Tabs

const tabs = ["list", "exchange", "tokens", "story"];
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
addEventListener("resize", () => requestAnimationFrame(showRows));

// MARK: Beginning

byId("access").addEventListener("submit", event => {
  event.preventDefault();
  secret = byId("secret").value;
  sessionStorage.setItem("backlot-token", secret);
  byId("secret").value = "";
  lastText = "";
  poll().then(loadSlowFacts);
});
byId("address").textContent = location.origin;
document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });
setInterval(() => {
  if (!document.hidden && known.changes && known.changes.clock.mode === "running") showClock();
}, 500);
showTab(current);
showExchange(null);
poll();
