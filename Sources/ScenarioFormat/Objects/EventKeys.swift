import Basics
import JSON

// One vocabulary of events for `given`, `timeline`, a response's `then` and the admin API.

/// An event: its declaration, and how it is read.
protocol EventObject: FormatObject {
    /// Reads an event; `nil` if it has the wrong shape or an unknown name.
    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action?
}

extension Event {
    /// Every event, in the order in which the format mentions them.
    static let objects: [any EventObject.Type] = [
        // Before the clock's "set", which is also a key of an update.
        CreateEventKeys.self, UpdateEventKeys.self, DeleteEventKeys.self, UploadEventKeys.self,
        SignInEventKeys.self, SignOutEventKeys.self, ExpireEventKeys.self, RevokeEventKeys.self, ForgetEventKeys.self,
        IssueEventKeys.self, RotateKeysEventKeys.self, StateEventKeys.self, CounterEventKeys.self, FaultEventKeys.self,
        AdvanceEventKeys.self,
        SetEventKeys.self, FreezeEventKeys.self, RateEventKeys.self, AutomaticEventKeys.self, SkewEventKeys.self,
        LaunchEventKeys.self, ProcessEventKeys.self, PushEventKeys.self,
    ]

    /// The same by the key that tells each from the others.
    fileprivate static let objectsByVerb = Dictionary(uniqueKeysWithValues: objects.map { ($0.shape.verb, $0) })

    static func isVerb(_ name: String) -> Bool { objectsByVerb[name] != nil }

    /// The member that says which event an object is.
    static func verb(of tree: JSONValue) -> JSONObject.Member? {
        let verbs = Optional(tree).members.filter { objectsByVerb[$0.name] != nil }
        // An update has a separate "set".
        return verbs.first { $0.name == UpdateEventKeys.update.name } ?? verbs.first
    }

    /// The rules about events that no request causes: there is no caller, and nothing is found or uploaded.
    fileprivate static let rulesWithoutRequest: [ObjectRule] = {
        let isCaller = ValueTest.oneOf(["caller"])
        let ofTokens: [any FormatKey] = [
            ExpireEventKeys.kind, RevokeEventKeys.kind, ForgetEventKeys.kind, IssueEventKeys.kind,
        ]
        let tests: [ValueTest] = [
            .lacks(UploadEventKeys.part), .lacks(ItemChange.boundName),
            .requires(UpdateEventKeys.update.name, .member(UpdateEventKeys.update, .object)),
            .requires(DeleteEventKeys.delete.name, .member(DeleteEventKeys.delete, .object)),
            .not(.member(UpdateEventKeys.update, .has(SelectionKeys.when))),
            .not(.member(DeleteEventKeys.delete, .has(SelectionKeys.when))),
            .not(.member(device, isCaller)), .not(.member(SignOutEventKeys.device, isCaller)),
            .not(.all([.member(account, isCaller), .hasAny(ofTokens)])),
        ]
        return tests.map { ObjectRule(reportedByLoader: $0) }
    }()

    fileprivate static let device = Key(
        "device",
        .json(.text(.filled)),
        "The affected device; \"caller\" is the device whose request causes the event.",
        otherwise: "the caller in \"then\"; every device elsewhere",
        example: "phone"
    )
    fileprivate static let account = Key(
        "account",
        .json(.text(.name)),
        "The account whose devices are all affected, instead of one device; \"caller\" is the caller's account.",
        example: "ada"
    )
}

extension Shape {
    /// The additional keys of an event.
    enum EventContext: String {
        case nothing = "event"
        /// In `given`: how long ago.
        case ago = "pastEvent"
        /// In `timeline`: when.
        case trigger = "timelineEvent"

        /// No stream is open before the first request.
        fileprivate var objects: [any EventObject.Type] {
            self == .ago ? Event.objects.filter { $0.shape.verb != PushEventKeys.shape.verb } : Event.objects
        }

        fileprivate var keys: [any FormatKey] {
            switch self {
            case .nothing: []
            case .ago: [HistoryKeys.ago, ResponseKeys.optional]
            case .trigger: [HistoryKeys.at, HistoryKeys.after, HistoryKeys.delay, ResponseKeys.optional]
            }
        }

        fileprivate var rules: ObjectRules {
            switch self {
            case .nothing: [LaunchEventKeys.inTimeline]
            case .ago:
                ObjectRules(
                    nil,
                    [LaunchEventKeys.inTimeline] + HistoryKeys.rulesOfThePast + Event.rulesWithoutRequest
                )
            case .trigger: ObjectRules(nil, HistoryKeys.rulesOfTriggers + Event.rulesWithoutRequest)
            }
        }
    }

    /// One of the events.
    static func event(with context: EventContext) -> Shape {
        .shared(
            context.rawValue,
            .restricted(
                .variants(context.objects.map { $0 as any FormatObject.Type }, plus: context.keys.map(\.declaration)),
                context.rules
            )
        )
    }
}

// MARK: - Devices

enum SignInEventKeys: EventObject {
    static let device = Key(
        "signIn",
        .json(.text(.filled)),
        "The device that signs in.",
        required: true,
        example: "phone"
    )
    static let account = Key(
        "account",
        .json(.text(.name)),
        "The account that signs in.",
        otherwise: "the first account",
        example: "ada"
    )
    static let grants = Key(
        "grants",
        list: .grants,
        "The token kinds to grant.",
        otherwise: "`signIn` of `tokens`",
        example: ["access": "new"]
    )

    static let shape = ObjectShape(
        "signInEvent",
        "a \"signIn\" event",
        "a device signs in without a request",
        [device, account, grants],
        rules: [
            ObjectRule(
                .not(.member(device, .oneOf(["caller", "*"]))),
                "scenario/reserved-name",
                at: device,
                advice: "choose another name for the device",
                message: { tree in
                    let name = tree[device]?.string ?? ""
                    let meaning = name == "*" ? "every device" : "the caller"
                    return "\"\(name)\" is reserved for \(meaning); it cannot be a device name"
                }
            )
        ]
    )

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        let account = tree[account]
        if let account, let name = account.string {
            builder.expect(name, among: builder.accounts, as: "account", at: account.position)
        }
        guard let device = tree[device]?.string else { return nil }
        builder.noted.signedInDevices.append(device)
        let grants = tree.has(grants) ? builder.grants(tree[grants]) : nil
        return .signIn(device: device, account: account?.string, grants: grants)
    }
}

enum SignOutEventKeys: EventObject {
    static let device = Key(
        "signOut",
        .json(.text(.filled)),
        "The device that signs out, or \"caller\".",
        required: true,
        example: "phone"
    )

    static let shape = ObjectShape("signOutEvent", "a \"signOut\" event", "a device signs out", [device])

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        tree[device].map { .signOut(builder.deviceSelection($0)) }
    }
}

// MARK: - Tokens

enum ExpireEventKeys: EventObject {
    static let kind = Event.kind("expire", "The token kind to expire immediately, or \"*\" for every kind.")
    static let shape = Event.shape("an \"expire\" event", of: kind)

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        builder.tokens(tree, kind).map { .expire($0.kind, $0.devices) }
    }
}

enum RevokeEventKeys: EventObject {
    static let kind = Event.kind(
        "revoke",
        "The token kind to revoke, or \"*\" for every kind. The server refuses these tokens before they expire."
    )
    static let shape = Event.shape("a \"revoke\" event", of: kind)

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        builder.tokens(tree, kind).map { .revoke($0.kind, $0.devices) }
    }
}

enum ForgetEventKeys: EventObject {
    static let kind = Event.kind(
        "forget",
        "The token kind whose stored copies the server deletes, or \"*\" for every kind. The tokens remain valid."
    )
    static let shape = Event.shape("a \"forget\" event", of: kind)

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        builder.tokens(tree, kind).map { .forget($0.kind, $0.devices) }
    }
}

enum IssueEventKeys: EventObject {
    static let kind = Key(
        "issue",
        .json(.text(.name)),
        "The token kind to issue.",
        required: true,
        example: "access"
    )
    static let shape = Event.shape("an \"issue\" event", of: kind)

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        guard let written = tree[kind], let kind = written.string else { return nil }
        builder.expectOwnKind(kind, at: written.position, for: "issue")
        return .issue(kind: kind, builder.devices(of: tree))
    }
}

enum RotateKeysEventKeys: EventObject {
    static let overlap = Key(
        "rotateKeys",
        .duration,
        "Replaces the signing keys; the value is the duration for which the old keys remain in `jwks`.",
        required: true
    )
    static let shape = Event.clockShape("a \"rotateKeys\" event", overlap, "signing keys are replaced")

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        tree[overlap].map(Event.Action.rotateKeys)
    }
}

extension Event {
    fileprivate static func kind(_ verb: String, _ summary: String) -> Key<JSONValue?> {
        Key(verb, .json(.text(.kindOrAll)), summary, required: true, example: "access")
    }

    fileprivate static func shape(_ article: String, of kind: Key<JSONValue?>) -> ObjectShape {
        ObjectShape(
            "\(kind.name)Event",
            article,
            "an event that changes tokens",
            [kind, device, account],
            exclusive: [[device, account]]
        )
    }
}

// MARK: - States, counters, faults, launches

enum StateEventKeys: EventObject {
    static let states = Key(
        "state",
        list: .map(of: .text(.name), names: .name),
        "Named states and their new values.",
        required: true,
        example: ["plan": "paid"]
    )

    static let shape = ObjectShape("stateEvent", "a \"state\" event", "states change", [states, Event.device])

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        let changes = builder.statesAndValues(tree[states]).flatMap { state in
            state.values.map { Event.StateChange(name: state.name, value: $0.text) }
        }
        builder.noted.changedStates += changes
        return .changeStates(changes, builder.devices(of: tree))
    }
}

enum CounterEventKeys: EventObject {
    static let counters = Key(
        "counter",
        list: .counters,
        "Counters and their new values.",
        required: true,
        example: ["note": 5]
    )

    static let shape = ObjectShape("counterEvent", "a \"counter\" event", "counters are set", [counters])

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        .setCounters(
            tree[counters].compactMap { member in
                builder.expect(member.name, among: builder.everywhere.counters, as: "counter", at: member.namePosition)
                return (member.value.number?.int).map { CounterDeclaration(name: member.name, start: $0) }
            }
        )
    }
}

extension ValueType<[JSONObject.Member]> {
    static var counters: Self { .map(of: .integer(Int.min...Int.max), names: .name) }
}

enum FaultEventKeys: EventObject {
    static let fault = Key("fault", .json(.fault), "The fault to inject.", required: true, example: "reset")
    static let route = Key("route", .json(.text(.route)), "The route whose next requests fail.", required: true)
    static let times = Key("times", .integer(1...1_000_000), default: 1, "The number of requests that fail.")

    static let shape = ObjectShape(
        "faultEvent",
        "a \"fault\" event",
        "the next requests to a route fail",
        [fault, route, times]
    )

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        guard let fault = tree[fault].flatMap({ builder.fault($0) }), let route = tree[route], let key = route.string
        else { return nil }
        builder.expectRoute(key, at: route.position)
        return .armFault(fault, route: key, times: tree[times])
    }
}

enum LaunchEventKeys: EventObject {
    static let launch = Key(
        "launch",
        .integer(2...1_000),
        "The launch number: 2, 3, and so on. The client is restarted with its stored data. Allowed only in \"timeline\".",
        required: true,
        example: 2
    )

    static let store = Key(
        "store",
        .word(StoreFault.self),
        "The defect of the client's store folder during this launch. The folder is repaired afterward."
    )

    static let shape = ObjectShape("launchEvent", "a \"launch\" event", "the client is restarted", [launch, store])

    /// The rule of every other place for events.
    static let inTimeline = ObjectRule(
        .lacks(launch),
        "scenario/misplaced-event",
        at: launch,
        "\"launch\" is allowed only in \"timeline\", where events have a time",
        advice: "write {\"at\": …, \"launch\": …} there"
    )

    /// Launches are counted in the order of the file, so that it is clear which number comes next.
    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        guard let number = tree[launch], (2...1_000).contains(number) else { return nil }
        if number == builder.lastLaunch + 1 {
            builder.lastLaunch = number
        } else {
            builder.report(
                "scenario/launch-order",
                "found launch \(number), but the next launch in this timeline is launch \(builder.lastLaunch + 1)",
                at: tree.written(launch)?.position ?? tree.position,
                advice: builder.lastLaunch == 1
                    ? "launch 1 is the client's first start, which requires no event" : nil
            )
        }
        return .launch(number, store: tree[store])
    }
}

enum ProcessEventKeys: EventObject {
    static let process = Key(
        "process",
        .json(.text(.name)),
        "The process, one of \"processes\".",
        required: true,
        example: "app"
    )
    static let action = Key(
        "do",
        .word(ProcessAction.Kind.self),
        "The action on the process. Only `backlot run` performs this action.",
        required: true,
        example: "suspend"
    )

    static let shape = ObjectShape(
        "processEvent",
        "a \"process\" event",
        "a client process is started, frozen or ended",
        [process, action]
    )

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        guard let written = tree[process], let name = written.string, let kind = tree[action] else { return nil }
        let known = builder.root[ScenarioKeys.processes].map(\.name)
        builder.expect(name, among: known, as: "process", at: written.position)
        return .process(ProcessAction(process: name, kind: kind))
    }
}

// MARK: - The clock

enum AdvanceEventKeys: EventObject {
    static let advance = Key(
        "advance",
        .duration,
        "The duration by which the clock advances. Events that become due happen in order.",
        required: true
    )
    static let shape = Event.clockShape("an \"advance\" event", advance)

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        tree[advance].map(Event.Action.advance)
    }
}

enum SetEventKeys: EventObject {
    static let set = Key(
        "set",
        .moment(.instant),
        "The new time. Setting the clock back does not repeat events.",
        required: true
    )
    static let shape = Event.clockShape("a \"set\" event", set)

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        tree[set].map(Event.Action.setClock)
    }
}

enum FreezeEventKeys: EventObject {
    static let freeze = Key("freeze", .boolean, "If true, stops the clock; if false, starts it again.", required: true)
    static let shape = Event.clockShape("a \"freeze\" event", freeze)

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        tree[freeze].map(Event.Action.freeze)
    }
}

enum RateEventKeys: EventObject {
    static let rate = Key(
        "rate",
        .number(0...1_000_000),
        "The number of virtual seconds per real second.",
        required: true
    )
    static let shape = Event.clockShape("a \"rate\" event", rate)

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        tree[rate].map(Event.Action.rate)
    }
}

enum AutomaticEventKeys: EventObject {
    static let automatic = Key(
        "automatic",
        .boolean,
        "If true, the clock jumps ahead when every request is waiting for it; if false, the clock runs.",
        required: true
    )
    static let shape = Event.clockShape("an \"automatic\" event", automatic)

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        tree[automatic].map(Event.Action.automatic)
    }
}

enum SkewEventKeys: EventObject {
    static let skew = Key(
        "skew",
        .signedDuration,
        "The offset of the Date header field from the virtual clock.",
        required: true
    )
    static let shape = Event.clockShape("a \"skew\" event", skew)

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        tree[skew].map(Event.Action.skew)
    }
}

extension Event {
    fileprivate static func clockShape<Value>(
        _ article: String,
        _ key: Key<Value>,
        _ title: String = "the clock changes"
    ) -> ObjectShape {
        ObjectShape("\(key.name)Event", article, title, [key])
    }
}

// MARK: - Reading

extension ScenarioBuilder {
    /// Reads one event; `nil` when its shape is not right, which the shape check reports.
    ///
    /// - Parameters:
    ///   - inResponse: whether a request causes it, so that there is a caller.
    ///   - mayLaunch: whether it may start the client.
    mutating func event(_ tree: JSONValue, inResponse: Bool, mayLaunch: Bool = false) -> Event? {
        guard let verb = Event.verb(of: tree), let object = Event.objectsByVerb[verb.name] else { return nil }
        // The shape check reports it.
        if verb.name == LaunchEventKeys.launch.name, !mayLaunch { return nil }
        if !inResponse { scope.hasRequest = false }
        defer { scope.hasRequest = true }
        return object.action(tree, &self).map { Event($0, position: tree.position) }
    }

    /// The tokens that an event is about: their kind, or every one, and whose.
    fileprivate mutating func tokens(
        _ tree: JSONValue,
        _ key: Key<JSONValue?>
    ) -> (kind: Event.KindSelection, devices: Event.DeviceSelection)? {
        guard let written = tree[key], let name = written.string else { return nil }
        if name != "*" { expectOwnKind(name, at: written.position, for: key.name) }
        return (name == "*" ? .every : .kind(name), devices(of: tree))
    }

    fileprivate mutating func devices(of tree: JSONValue) -> Event.DeviceSelection {
        let device = tree[Event.device]
        guard let account = tree[Event.account] else {
            return device.map { deviceSelection($0) } ?? (scope.hasRequest ? .caller : .every)
        }
        guard let name = account.string, name != "caller" else {
            if !scope.hasRequest { reportNoCaller(at: account.position, advice: "name the account") }
            return .account(nil)
        }
        expect(name, among: accounts, as: "account", at: account.position)
        return .account(name)
    }

    mutating func deviceSelection(_ tree: JSONValue) -> Event.DeviceSelection {
        guard let name = tree.string, name != "*" else { return .every }
        guard name == "caller" else {
            noted.mentionedDevices.append((name, tree.position))
            return .named(name)
        }
        if !scope.hasRequest { reportNoCaller(at: tree.position, advice: "name the device") }
        return .caller
    }

    private mutating func reportNoCaller(at position: JSONPosition, advice: String) {
        report(
            "scenario/no-caller",
            "no caller exists here, because no request causes this event",
            at: position,
            advice: advice
        )
    }
}
