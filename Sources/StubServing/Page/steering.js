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

/// The seconds until a token expires.
const secondsLeft = token => (Date.parse(token.expiresAt) - virtualNow()) / 1000;

const allTokens = () => known.changes ? known.changes.devices.flatMap(device => device.tokens) : [];

/// The virtual time now, which a running clock has advanced since the server sent it.
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
  byId("mode").textContent = clock.mode;
  byId("mode").hidden = clock.mode === "running";
  byId("freeze").textContent = clock.mode === "frozen" ? "Run" : "Freeze";
  showRate(clock.mode === "running" ? String(clock.rate || 1) : "");
  const title = story && scenario && scenario.story ? story + ": " + scenario.story.title : story;
  byId("title").textContent = visible(title ? backend + ", " + title : backend);
  document.title = visible((story || backend) + " · Backlot");
  const next = nextExpiry();
  byId("expiry").textContent = next
    ? "Next expiry: " + next.id + " in " + span((Date.parse(next.expiresAt) - virtualNow()) / 1000)
    : "No token will expire.";
  byId("before").disabled = byId("after").disabled = !next;
  showAgenda();
}

function showRate(text) {
  const rate = byId("rate");
  if (rate === document.activeElement) return;
  if (![...rate.options].some(option => option.value === text)) rate.append(h("option", { value: text }, text + "×"));
  rate.value = text;
}

let agendaKey = "";

/// The due events, with a button for each time.
function showAgenda() {
  const { agenda } = known.changes;
  const key = JSON.stringify(agenda);
  if (key === agendaKey) return;
  agendaKey = key;
  byId("agenda").hidden = !agenda.length;
  byId("agenda-count").textContent = agenda.length + (agenda.length === 20 ? " or more" : "") + " due";
  rebuild(byId("agenda-list"), ...agenda.map(entry => h("li", {},
    button("Set the clock", () => act("clock", { set: entry.due }, "The clock is now at " + entry.due + "."), "Set the clock to " + entry.due),
    " ", h("time", {}, entry.due.replace(/T/, " ").replace(/Z$/, "")), " ", entry.what,
    entry.place && h("span", { class: "dim" }, " " + entry.place))));
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
byId("rate").addEventListener("change", () => {
  const rate = Number(byId("rate").value);
  if (rate) act("clock", { rate }, "The clock runs at " + rate + " times real time.");
});
for (const [id, shift, word] of [["before", -1000, "before"], ["after", 1000, "after"]]) {
  byId(id).addEventListener("click", () => {
    const next = known.changes && nextExpiry();
    if (!next) return;
    const target = Date.parse(next.expiresAt) + shift;
    if (target <= virtualNow()) return say("The clock is already at or after this time.");
    act("clock", { set: moment(target) }, "The clock is now just " + word + " the expiry of " + next.id + ".");
  });
}

// MARK: Tokens

let tokenKey = "";

function showTokens() {
  const panel = byId("tokens-panel");
  if (panel.hidden || !known.changes) return;
  const devices = known.changes.devices;
  // A running clock moves the bars once in a second at most, and by no more than can be seen.
  const key = JSON.stringify(devices) + (known.changes.clock.mode === "running" ? Math.floor(virtualNow() / 1000) : known.changes.clock.now);
  if (key === tokenKey) return;
  tokenKey = key;
  const omitted = known.changes.devicesOmitted;
  rebuild(panel, omitted && h("p", { class: "dim" }, omitted + " devices that signed in earlier are not shown."),
    ...(devices.length ? devices.map(showDevice) : [h("p", { class: "dim" }, "No device has signed in.")]));
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
  const share = to > from ? Math.min(1, Math.max(0, secondsLeft(token) * 1000 / (to - from))) : 0;
  const alive = token.state === "valid" && secondsLeft(token) > 0;
  const width = (1 - share) * 300;
  return h("div", { class: "token" + (alive ? "" : " dead") },
    h("span", { class: "name" }, token.id),
    h("div", { class: "life" },
      h("svg", { viewBox: "0 0 300 14", preserveAspectRatio: "none", "aria-hidden": "true" },
        h("rect", { class: "track", x: .5, y: 1.5, width: 299, height: 11 }),
        h("rect", { class: "gone", x: 1, y: 5, width: Math.max(0, width - 1), height: 4 }),
        h("rect", { class: "left", x: width, y: 2, width: Math.max(0, 299.5 - width), height: 10 })),
      h("p", {}, chip(alive || token.state !== "valid" ? token.state : "expired", alive ? "good" : "bad"), h("span", {}, left(secondsLeft(token))),
        h("span", {}, "until " + token.expiresAt))),
    h("div", { class: "row" },
      isNewest && alive && button("Expire", event("expire", token.kind), "Expire the " + token.kind + " token of " + device.device),
      isNewest && alive && button("Revoke", event("revoke", token.kind), "Revoke the " + token.kind + " token of " + device.device),
      isNewest && button("Forget", event("forget", token.kind), "Forget the " + token.kind + " tokens of " + device.device),
      button("Copy", () => copy(token.value, token.id), "Copy " + token.id)));
}

// MARK: The story

const verdictSoon = seldom("story-panel", 1000, async () => {
  const asked = known;
  try {
    const verdict = await get("verdict");
    if (asked === known) { known.verdict = verdict; showStory(); }
  } catch { /* The next change asks again. */ }
});

/// Loads what changes seldom: the story, the sessions and the routes.
async function loadSlowFacts() {
  const asked = session;
  try {
    const loaded = await Promise.all([get("scenario"), get("sessions"), get("routes"), get("documents"), get("collections")]);
    if (asked !== session) return;
    [scenario, { sessions }, { routes, operations = [] }, { documents }, { collections }] = loaded;
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
  lastEvent = tokenKey = agendaKey = draft = "";
  history.replaceState(null, "", name === "default" ? location.pathname : "#session=" + encodeURIComponent(name));
  showExchange(null);
  showList();
  follow();
}

byId("session").addEventListener("change", () => choose(byId("session").value));
byId("session").addEventListener("focus", async () => {
  try { sessions = (await get("sessions")).sessions; showSessions(); } catch { /* The list stays as it was. */ }
});

const liveFacts = h("div", {});

/// States, counters and armed faults, which come with the changes.
function showLive() {
  const { states, statesOmitted, counters, armed, gates, failedHandshakes } = known.changes;
  if (liveFacts.contains(document.activeElement) && document.activeElement.tagName === "INPUT") return;
  rebuild(liveFacts,
    Object.keys(states).length + Object.keys(counters).length ? h("h3", {}, "States and counters") : "",
    ...Object.entries(states).map(([name, value]) => edit(name, value, text =>
      act("states", { state: { [name.split(" of ")[0]]: text } }, name + " is " + text + "."), name.includes(" of "))),
    ...Object.entries(counters).map(([name, value]) => edit(name, value, text =>
      act("states", { counter: { [name]: Number(text) } }, name + " is " + text + "."))),
    statesOmitted ? h("p", { class: "dim" }, statesOmitted + " states of other owners are not shown.") : "",
    failedHandshakes.length ? h("h3", {}, "Failed TLS handshakes") : "",
    failedHandshakes.length ? h("ul", { class: "plain" }, failedHandshakes.map(failed =>
      h("li", {}, failed.time.replace(/^.*T|Z$/g, "").slice(0, 8) + " " + failed.what))) : "",
    gates.length ? h("h3", {}, "Gates") : "",
    gates.length ? h("ul", { class: "plain" }, gates.map(gate => h("li", {}, gate.name + " waits for " + gate.waitsFor + "; ",
      gate.held.length + (gate.held.length === 1 ? " request is held " : " requests are held "),
      button("Release", () => act("release", { gate: gate.name }, gate.name + " is released."), "Release " + gate.name)))) : "",
    armed.length ? h("h3", {}, "Armed faults") : "",
    armed.length ? h("ul", { class: "plain" }, armed.map(fault => h("li", {}, faultText(fault) + " ",
      button("Clear", () => clearFaults(fault.number), "Clear the fault " + fault.number)))) : "",
    armed.length > 1 ? button("Clear all faults", () => clearFaults()) : "");
}

/// An armed fault as a sentence.
function faultText(fault) {
  const failure = [fault.status, fault.fault, fault.latency && "latency " + fault.latency].filter(part => part).join(", ");
  const requests = fault.times === undefined ? "all requests" : fault.times === 1 ? "the next request" : "the next " + fault.times + " requests";
  return failure + " for " + requests + " to " + fault.route + (fault.until ? " until " + fault.until : "");
}

async function clearFaults(number) {
  try {
    await call("DELETE", "faults" + (number === undefined ? "" : "/" + number));
    say(number === undefined ? "All faults are cleared." : "The fault " + number + " is cleared.");
  } catch (error) { complain(error); }
}

/// A line with a value and a field that sets it; the value of one owner alone is only shown.
function edit(name, value, set, isFixed) {
  if (isFixed) return facts([[name, value]]);
  const field = h("input", { value, size: 12, "aria-label": name, spellcheck: "false", autocomplete: "off" });
  return h("form", { class: "row", submit: event => { event.preventDefault(); set(field.value); field.blur(); } },
    h("span", { class: "grow" }, name), field, h("button", { type: "submit", "aria-label": "Set " + name }, "Set"));
}

function showStory() {
  const panel = byId("story-panel");
  if (!scenario || panel.contains(document.activeElement) && /SELECT|TEXTAREA|INPUT/.test(document.activeElement.tagName)) return;
  const openRules = panel.querySelector("details.held")?.open;
  // What was typed into the open collections and not yet stored.
  const written = new Map([...panel.querySelectorAll("details[open] textarea")].map(field => [field.getAttribute("aria-label"), field.value]));
  // What was chosen and not yet used; another story begins with its own choices.
  const played = scenario.file + " " + (scenario.story || {}).id;
  const chosen = panel.dataset.played === played ? [...panel.querySelectorAll("select")].map(choice => choice.value) : [];
  panel.dataset.played = played;
  rebuild(panel,
    h("h2", {}, scenario.story ? scenario.story.id + ": " + scenario.story.title : scenario.backend + " without a story"),
    scenario.story ? h("p", {}, scenario.story.about) : "",
    h("p", { class: "dim" }, scenario.file + (scenario.contract
      ? "; contract " + scenario.contract.file + " (" + scenario.contract.mode + ")" : "; no contract")),
    chooseStory(), ...showVerdict(openRules), liveFacts, faultForm(), ...showStored(written), showOthers(), takeAlong());
  [...panel.querySelectorAll("select")].forEach((choice, place) => { if (chosen[place]) choice.value = chosen[place]; });
}

function chooseStory() {
  const choice = h("select", { "aria-label": "Story" }, scenario.stories.map(story => {
    const option = h("option", { value: story.id }, story.id + ": " + story.title);
    option.selected = scenario.story && scenario.story.id === story.id;
    return option;
  }));
  return h("div", { class: "row" },
    scenario.stories.length ? [choice, button("Play this story", () =>
      act("scenario", { story: choice.value }, choice.value + " is now playing.").then(loadSlowFacts))] : [],
    button("Restart the story", () => act("scenario", { reset: true }, "The story was restarted.").then(loadSlowFacts)));
}

function showVerdict(openRules) {
  const verdict = known.verdict;
  if (!verdict) return [h("h3", {}, "Verdict"), h("p", { class: "dim" }, "Loading.")];
  const badge = status => h("span", { class: "state " + kindOfVerdict(status) }, status);
  const explanation = item => item.explainedBy && h("p", { class: "dim" }, "follows from " + item.explainedBy.rule +
    (item.explainedBy.exchange ? " (exchange " + item.explainedBy.exchange + ")" : ""));
  const expectations = verdict.expectations.map(item => h("li", {}, badge(item.status), " ",
    sentence(item.message, item.exchanges), explanation(item) || item.advice && h("p", { class: "dim" }, item.advice),
    h("p", { class: "dim" }, item.place)));
  const rule = item => h("li", {}, badge(item.status), " ", item.number + " " + item.name,
    (item.violations || []).map(found => h("div", {}, h("p", {}, sentence(found.message, found.exchanges)), explanation(found))),
    item.status !== "held" && !(item.violations || []).some(found => found.explainedBy) && h("p", { class: "dim" }, item.why + "; " + item.advice + ". " + item.source));
  const notHeld = (verdict.rules || []).filter(item => item.status !== "held");
  const held = (verdict.rules || []).filter(item => item.status === "held");
  return [
    h("h3", {}, "Current verdict"),
    h("p", {}, badge(verdict.verdict), " ", verdict.summary),
    expectations.length ? h("h3", {}, "Expectations") : "",
    expectations.length ? h("ul", { class: "plain" }, expectations) : "",
    h("h3", {}, "Rules"),
    notHeld.length ? h("ul", { class: "plain" }, notHeld.map(rule)) : "",
    held.length ? h("details", { class: "held", open: openRules }, h("summary", {}, held.length + (held.length === 1 ? " rule held" : " rules held")),
      h("ul", { class: "plain" }, held.map(rule))) : "",
  ];
}

const statuses = ["400", "401", "403", "404", "409", "429", "500", "502", "503", "504"];
const faults = ["reset", "empty", "never", "lost", "truncated", "malformedChunk", "garbage"];

/// The three kinds of errors that a client distinguishes, each by one click, and every other fault.
function faultForm() {
  const route = h("select", { "aria-label": "Route" }, [...routes.map(entry => entry.route), ...operations].map(name => h("option", { value: name }, name)));
  const fault = h("select", { "aria-label": "Fault" }, [...statuses, ...faults, "latency"].map(name => h("option", { value: name }, name)));
  const times = h("input", { type: "number", value: 1, min: 1, max: 1000000, size: 4, "aria-label": "Number of requests" });
  const latency = h("input", { placeholder: "2s", size: 5, "aria-label": "Latency", spellcheck: "false", autocomplete: "off" });
  const arm = (failure, words) => {
    const body = { route: route.value, times: Number(times.value) || 1, ...failure };
    if (latency.value.trim()) body.latency = latency.value.trim();
    return act("faults", body, words + " is armed for " + route.value + ".");
  };
  const chosen = () => fault.value === "latency" ? { latency: latency.value.trim() || "2s" }
    : /^\d+$/.test(fault.value) ? { status: Number(fault.value) } : { fault: fault.value };
  return h("div", {}, h("h3", {}, "Fail the next requests to a route"),
    h("div", { class: "row" }, route, times),
    h("div", { class: "row" },
      button("Client error", () => arm({ status: 400 }, "Status 400")),
      button("Server error", () => arm({ status: 500 }, "Status 500")),
      button("Network error", () => arm({ fault: "reset" }, "A broken connection"))),
    h("div", { class: "row" }, fault, latency, button("Arm the fault", () => arm(chosen(), fault.value))));
}

let collections = [];

const storeName = stored => stored.name + (stored.account ? " of " + stored.account : "");

/// The stored items, each collection as editable JSON; typed text is kept.
function showStored(written) {
  if (!collections.length) return [];
  return [h("h3", {}, "Stored items"), ...collections.map(stored => {
    const name = storeName(stored);
    const label = "Items of " + name;
    const field = h("textarea", { "aria-label": label, rows: 8, spellcheck: "false" });
    field.value = written.get(label) ?? JSON.stringify(stored.items, null, 2);
    return h("details", { open: written.has(label) }, h("summary", {}, name + ", " + stored.count + (stored.count === 1 ? " item" : " items")), field,
      h("div", { class: "row" }, button("Save", () => store(stored, field.value), "Save the items of " + name),
        button("Reload", readStored, "Reload the items of " + name)));
  })];
}

async function readStored() {
  try {
    ({ collections } = await get("collections"));
    document.activeElement?.blur();
    // What was typed is not to be put back over what was read.
    for (const field of byId("story-panel").querySelectorAll("textarea")) {
      const stored = collections.find(entry => field.getAttribute("aria-label") === "Items of " + storeName(entry));
      if (stored) field.value = JSON.stringify(stored.items, null, 2);
    }
    showStory();
  } catch (error) { complain(error); }
}

/// Replaces the items of a collection by those of a text.
async function store(stored, text) {
  let items;
  try { items = JSON.parse(text); } catch (error) { return complain(new Error("This is not valid JSON: " + error.message)); }
  if (!Array.isArray(items)) return complain(new Error("The items must be an array of JSON objects."));
  const owner = stored.account ? { account: stored.account } : {};
  const events = [{ delete: { all: stored.name }, ...owner }, ...items.map(item => ({ create: stored.name, item, ...owner }))];
  if (await act("events", events, stored.name + " has " + items.length + " items.")) readStored();
}

/// The sessions, each of which a separate tab can show.
function showOthers() {
  return sessions.length < 2 ? "" : h("div", {}, h("h3", {}, "Sessions"), h("ul", { class: "plain" }, sessions.map(entry => h("li", {},
    entry.name === session ? entry.name + " (shown here)"
      : h("a", { href: "#session=" + encodeURIComponent(entry.name), target: "_blank", rel: "noopener" }, entry.name),
    ", " + entry.exchanges + " exchanges" + (entry.story ? ", plays " + entry.story : "")))));
}
