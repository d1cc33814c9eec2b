"use strict";
// The page of a running server. What comes from the server becomes text nodes and attributes of SVG, never markup.

const base = location.origin + location.pathname.replace(/\/*$/, "/");
const byId = id => document.getElementById(id);
const wide = matchMedia("(min-width: 1100px)");
const lowRows = matchMedia("(max-width: 640px)");

// What the page knows of the session that it shows.
const fresh = () => ({
  life: "", story: undefined, exchanges: [], selected: 0, opened: null, changes: null, verdict: null, omitted: 0,
});
let known = fresh();
const fragment = new URLSearchParams(location.hash.slice(1));
let session = fragment.get("session") || "default";
// Only in memory: a page that the backend serves has the same origin, and could read what is stored.
let secret = fragment.get("token") || "";
if (fragment.has("token")) {
  // From the QR code of `serve --lan`. It does not stay in the address, which may be shown, copied and kept.
  fragment.delete("token");
  history.replaceState(null, "", location.pathname + (fragment.toString() && "#" + fragment));
}
let shown = [];
let scenario = null;
let sessions = [];
let routes = [];
/// The operations of the contract that have no route.
let operations = [];

// MARK: Elements

/// An element with attributes, functions for events, and children; text is always text.
function h(name, attributes, ...children) {
  const svg = ["svg", "rect"].includes(name);
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

/// Gives a panel new contents; the keyboard's place and the scroll position stay.
function rebuild(panel, ...children) {
  const name = element => element.getAttribute("aria-label") || element.getAttribute("href") || element.textContent;
  const focused = panel.contains(document.activeElement) ? name(document.activeElement) : null;
  const scroll = panel.scrollTop;
  panel.replaceChildren(...children.filter(Boolean));
  panel.scrollTop = scroll;
  if (focused !== null) [...panel.querySelectorAll("button, summary, a")].find(element => name(element) === focused)?.focus();
}

/// A function that loads what a panel shows, while it can be seen.
///
/// What reads the whole journal is not asked for again before 20 times what it took have passed, at least `leastRest` and
/// at most 60,000 milliseconds.
function seldom(panel, leastRest, load) {
  let [timer, rest, isStale] = [0, 0, false];
  return function soon() {
    isStale = true;
    if (timer || byId(panel).hidden || document.hidden) return;
    timer = setTimeout(async () => {
      isStale = false;
      const begin = performance.now();
      await load();
      rest = Math.min(60000, Math.max(leastRest, 20 * (performance.now() - begin)));
      timer = 0;
      if (isStale) soon();
    }, rest);
  };
}

function say(text) { byId("said").textContent = visible(text); }

function complain(error) {
  const place = byId("message");
  place.textContent = error ? visible(error.message || String(error)) : "";
  place.hidden = !error;
}

// MARK: Calls

async function call(method, part, body) {
  const fields = { Accept: "application/json" };
  if (secret) fields["Backlot-Admin-Token"] = secret;
  if (body !== undefined) fields["Content-Type"] = "application/json";
  const query = part.includes("?") ? "&" : "?";
  const response = await fetch(base + part + query + "session=" + encodeURIComponent(session), {
    method, headers: fields, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store",
  });
  if (!response.ok) throw await refusal(response);
  byId("access").hidden = true;
  return response.text();
}

/// The server's message for a call that it refuses.
async function refusal(response) {
  if (response.status === 401) byId("access").hidden = false;
  const text = await response.text();
  let detail = text;
  try { detail = JSON.parse(text).detail || text; } catch { /* It is not a problem document. */ }
  return Object.assign(new Error(detail), { status: response.status });
}

const get = async part => JSON.parse(await call("GET", part));

/// Changes something on the server, and shows what came of it.
async function act(part, body, done) {
  try {
    await call("POST", part, body);
    complain(null);
    if (done) say(done);
    return true;
  } catch (error) { complain(error); return false; }
}

// MARK: Following

// One stream of server-sent events while the tab is visible, by fetch: an EventSource cannot send the token.
let following = null;
let lastEvent = "";
let retryTimer = 0;
let wait = 1000;

/// Follows the session from here on, in place of what was followed before.
async function follow() {
  clearTimeout(retryTimer);
  if (following) following.abort();
  following = null;
  if (document.hidden) return;
  const mine = following = new AbortController();
  const asked = session;
  try {
    const fields = { Accept: "text/event-stream" };
    if (secret) fields["Backlot-Admin-Token"] = secret;
    if (lastEvent) fields["Last-Event-ID"] = lastEvent;
    const response = await fetch(base + "events?session=" + encodeURIComponent(session),
      { headers: fields, cache: "no-store", signal: mine.signal });
    if (!response.ok) throw await refusal(response);
    byId("access").hidden = true;
    setConnection("live", "good");
    complain(null);
    wait = 1000;
    await readEvents(response.body, event => {
      if (mine !== following) return;
      if (event.id) lastEvent = event.id;
      if (event.data) take(JSON.parse(event.data));
    });
    setConnection("the server ended the stream", "mild");
  } catch (error) {
    if (mine !== following || error.name === "AbortError") return;
    if (error.status === 404 && asked !== "default") { choose("default"); return complain(error); }
    if (error.status === 400) lastEvent = "";
    if (error.status) { setConnection("refused", "bad"); if (error.status !== 401) complain(error); }
    else setConnection("the server cannot be reached", "bad");
    if (error.status === 401) return;
  }
  // Less and less often, up to every 5 s, because it may be away for long.
  if (mine === following) retryTimer = setTimeout(follow, wait);
  wait = Math.min(5000, wait * 1.5);
}

// A line longer than this is not an event of this server, and reading it would fill the memory.
const longestEvent = 64e6;

/// Reads server-sent events until the stream ends (WHATWG HTML, section 9.2.6, of which this server uses a part).
async function readEvents(body, use) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let event = { id: "", data: "" };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    if (rest.length > longestEvent) throw new Error("An event from the server is too large.");
    for (const line of lines) {
      if (line === "") { use(event); event = { id: "", data: "" }; }
      else if (line.startsWith("id: ")) event.id = line.slice(4);
      else if (line.startsWith("data: ")) event.data += line.slice(6);
    }
  }
}

function setConnection(text, kind) {
  const place = byId("connection");
  if (place.textContent === text) return;
  place.textContent = text;
  place.className = "state " + kind;
}

// The page keeps this many exchanges; the journal of the server has its own bounds.
const mostExchanges = 20000;

/// Takes an event: the members of the document `changes` that are different now.
function take(changes) {
  const restarted = changes.life !== undefined && changes.life !== known.life
    || changes.story !== undefined && changes.story !== known.story;
  if (restarted) {
    // The other members are as they were, unless the event says otherwise.
    const { changes: before, received } = known;
    known = { ...fresh(), changes: before, received };
    if (before && !byId("exchange-panel").contains(document.activeElement)) showExchange(null);
  }
  // The first event after connecting has every member, and the server may have been another one before.
  if (restarted || changes.reloaded || changes.session !== undefined) loadSlowFacts();
  if (changes.life !== undefined) known.life = changes.life;
  if (changes.story !== undefined) known.story = changes.story;
  const { exchanges = [], omitted = 0, reloaded = false, ...members } = changes;
  known.changes = { ...known.changes, ...members };
  known.omitted += omitted;
  if (members.clock) known.received = performance.now();
  for (const exchange of exchanges) {
    const place = indexOf(exchange.number);
    const isThere = place < known.exchanges.length && known.exchanges[place].number === exchange.number;
    known.exchanges.splice(place, isThere ? 1 : 0, exchange);
  }
  const excess = known.exchanges.length - (members.count === 0 ? 0 : mostExchanges);
  if (excess > 0) { known.exchanges.splice(0, excess); known.omitted += members.count === 0 ? 0 : excess; }
  if (exchanges.length || restarted || members.count === 0) showListSoon();
  showClock();
  if (members.devices || restarted) showTokens();
  if (known.opened && exchanges.some(exchange => exchange.number === known.opened.number)) readAgain(known.opened.number);
  else if (known.opened && members.devices) byId("exchange-tokens")?.replaceWith(tokensOf(known.opened));
  if (members.states || members.counters || members.armed || members.gates || members.failedHandshakes || restarted) showLive();
  if (exchanges.length || restarted || reloaded) { verdictSoon(); pictureSoon(); }
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
    return parts.every(part => textOf(exchange).includes(part));
  });
}

/// The text that the words of the filter are searched in; kept, because each event and each typed letter searches it.
const textOf = exchange => exchange.text ??= [exchange.number, exchange.method, exchange.target, exchange.route,
  exchange.status, exchange.device, exchange.fault, exchange.origin, exchange.answeredBy, exchange.granted,
  ...exchange.tokens.map(token => token.id + " " + token.state)].join(" ").toLowerCase();

const rowHeight = () => lowRows.matches ? 56 : 34;

/// A function that does something with the next frame of the screen, once for however many calls come before it.
function oncePerFrame(action) {
  let frame = 0;
  return () => { frame ||= requestAnimationFrame(() => { frame = 0; action(); }); };
}

const showListSoon = oncePerFrame(() => showList());
const showRowsSoon = oncePerFrame(() => showRows());

function showList() {
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - rowHeight();
  shown = filtered();
  const all = known.exchanges.length;
  const dropped = known.omitted ? ", " + known.omitted + " earlier exchanges not shown" : "";
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
  if (exchange.armedFault) chips.push(chip("armed fault", "bad"));
  if (exchange.findings) chips.push(chip(exchange.findings + (exchange.findings === 1 ? " finding" : " findings"), "mild"));
  if (exchange.outcome === "open") chips.push(chip("open", "mild"));
  if (former && (former.launch || 1) !== (exchange.launch || 1)) chips.push(chip("launch " + exchange.launch, "mild"));
  const gap = former ? (Date.parse(exchange.time) - Date.parse(former.time)) / 1000 : 0;
  const time = exchange.time.replace(/^.*T|Z$/g, "");
  const element = h("div", {
    class: "exchange", role: "option", id: "row-" + exchange.number, "aria-selected": exchange.number === known.selected,
    "aria-setsize": shown.length, "aria-posinset": place + 1,
    click: () => { list.focus({ preventScroll: true }); select(exchange.number, true); },
  },
    h("span", { class: "n" }, exchange.number),
    h("span", { class: "t" }, time.slice(0, 8), " ",
      gap >= 60 && h("span", { class: "gap", title: "after the previous exchange" }, "+" + span(gap))),
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

list.addEventListener("scroll", showRowsSoon);
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
words.addEventListener("input", showListSoon);
which.addEventListener("change", showListSoon);
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

/// Shows the end of an exchange that was open when it was opened here.
async function readAgain(number) {
  try {
    const exchange = await get("exchanges/" + number);
    if (known.opened && known.opened.number === number) showExchange(exchange);
  } catch { /* It has left the journal, and what is shown is what was known of it. */ }
}

/// Opens an exchange that a verdict names.
function link(number, text) {
  return h("button", { type: "button", class: "link", "aria-label": "exchange " + number,
    click: () => select(Number(number), true) }, text);
}

/// A sentence in which the numbers of exchanges are links; those that it does not name follow it.
function sentence(text, numbers) {
  const left = new Set(numbers.map(String));
  const parts = text.split(/(exchanges? \d+(?:(?:, | and )\d+\b(?! more))*)/).map((part, place) => place % 2 === 0 ? part
    : part.split(/(\d+)/).map(word => left.delete(word) ? link(word, word) : word));
  return [parts.flat(), [...left].map(number => [" ", link(number, "exchange " + number)]).flat()].flat();
}

function facts(pairs) {
  return h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]).flat());
}

function showExchange(exchange) {
  const panel = byId("exchange-panel");
  if (!exchange || known.opened?.number !== exchange.number) panel.scrollTop = 0;
  known.opened = exchange;
  if (!exchange) {
    return panel.replaceChildren(h("p", { class: "dim" }, "Choose an exchange to see its request and response."));
  }
  const answer = exchange.answeredBy ? exchange.answeredBy : exchange.route ? "the route's own response" : undefined;
  const nearest = exchange.nearest
    && "The nearest route is " + exchange.nearest.route + ": " + exchange.nearest.difference;
  rebuild(panel,
    h("div", { class: "head" },
      h("h2", {}, exchange.method + " " + exchange.target),
      h("span", { class: "status " + kindOfStatus(exchange.status) }, exchange.status)),
    h("div", { class: "row" },
      button("Copy as curl", () => copy(curl(exchange), "The curl command")),
      button("Copy as a case", () => copy(storyCase(exchange), "The case for a story"), "Copy as a case of a story"),
      button("Copy the body", () => copy(textIn(exchange.response).text, "The response's body"),
        "Copy the response body"),
      exchange.response.size > 0 && button("Save as fixture", () => save(fixtureName(exchange), bodyOf(exchange.response),
        "application/octet-stream"), "Save the response body as a fixture"),
      button("Save", () => save("exchange-" + exchange.number + ".json", JSON.stringify(exchange, null, 2)),
        "Save the exchange as JSON")),
    facts([
      ["Exchange", exchange.number + (exchange.launch ? ", launch " + exchange.launch : "")],
      ["Virtual time", exchange.time],
      ["Route", exchange.route || "none"],
      ["Answered by", answer && [answer, exchange.answeredAt && h("span", { class: "dim" }, " " + exchange.answeredAt)]],
      ["Not matched", nearest],
      ["Not taken", exchange.notTaken && h("ul", { class: "plain" }, exchange.notTaken.map(text => h("li", {}, text)))],
      ["Server", exchange.origin],
      ["Device", exchange.device && exchange.device + (exchange.account ? " of " + exchange.account : "")],
      ["Fault", exchange.fault],
      ["Armed fault", exchange.armedFault],
      ["Intentional violation", exchange.breaks],
      ["Gate", exchange.gate && exchange.gate.name],
      ["Outcome", { open: "in progress", sent: "sent", clientGone: "the client disconnected", faulted: "interrupted by the fault" }[exchange.outcome]],
      ["Took", exchange.wallMilliseconds !== undefined && exchange.wallMilliseconds + " ms"
        + (exchange.holdMilliseconds ? ", " + exchange.holdMilliseconds + " ms of which were an intentional delay" : "")],
    ]),
    tokensOf(exchange),
    ...findingsOf(exchange),
    ...message("Request", exchange.request),
    ...message("Response", exchange.response));
}

/// The tokens of an exchange as they were then, and as they are now.
function tokensOf(exchange) {
  const now = new Map(allTokens().map(token => [token.id, token.state]));
  const line = (id, then, more) => h("tr", {},
    h("td", {}, id || "none"), h("td", {}, then), h("td", {}, now.get(id) || ""), h("td", {}, more));
  const lines = exchange.tokens.map(token => line(token.id, token.state, [
    token.wanted ? token.kind + " where " + token.wanted + " belongs" : token.kind,
    token.accepted === false ? "not accepted" : token.accepted ? "accepted" : "",
    token.secondsLeft === undefined ? "" : left(token.secondsLeft) + " then"].filter(Boolean).join(", ")));
  for (const token of exchange.granted || []) lines.push(line(token.id, "handed out", token.kind + ", " + token.source));
  return h("div", { id: "exchange-tokens" }, lines.length ? [h("h3", {}, "Tokens"), h("table", { class: "tokens" },
    h("thead", {}, h("tr", {}, ["Token", "Then", "Now", "Use"].map(text => h("th", { scope: "col" }, text)))),
    h("tbody", {}, lines))] : []);
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
  const body = textIn(part, longestBody);
  const made = [h("h3", {}, name),
    h("table", { class: "fields" }, h("tbody", {}, part.headers.map(([field, value]) =>
      h("tr", {}, h("th", { scope: "row" }, field), h("td", { class: "code" }, value)))))];
  if (!part.size) return [...made, h("p", { class: "dim" }, "No body.")];
  const isJSON = part.headers.some(([field, value]) => field.toLowerCase() === "content-type" && /json/i.test(value))
    || /^\s*[{[]/.test(body.text);
  made.push(h("pre", { tabindex: 0, role: "region", "aria-label": name + " body" }, isJSON ? indented(body.text) : body.text),
    h("p", { class: "dim" }, part.size + " bytes" + (part.base64 === undefined ? "" : ", not valid UTF-8")
      + (body.isWhole ? "" : "; the beginning is shown")));
  return made;
}

/// The beginning of a body as text: so many characters, or bytes of what is not valid UTF-8.
function textIn(part, limit = Infinity) {
  if (part.base64 === undefined) {
    const text = part.text || "";
    return { text: text.slice(0, limit), isWhole: text.length <= limit };
  }
  // Four characters of Base64 are three bytes.
  const text = new TextDecoder().decode(decoded(part.base64.slice(0, Math.ceil(limit / 3) * 4)));
  return { text, isWhole: part.size <= limit };
}

const decoded = base64 => Uint8Array.from(atob(base64), character => character.charCodeAt(0));

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
    // Thousands of brackets would become a text of spaces that no browser lays out in time.
    if (out.length > 10 * text.length + 1000) return text;
  }
  return out;
}
