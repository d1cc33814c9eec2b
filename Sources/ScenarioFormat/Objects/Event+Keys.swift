import Basics
import JSON

// One vocabulary of events for `given`, `timeline`, a response's `then` and the admin API.
extension Event {
    /// Every event, in the order in which the format mentions them.
    ///
    /// An update comes before the clock's "set", which is also a key of an update.
    static let variants = list

    @ObjectVariantList<Action> private static var list: [ObjectVariant<Action>] {
        ItemEvent.variants
        ObjectVariant(SignIn.self) { .signIn(device: $0.device, account: $0.account, grants: $0.grants) }
        ObjectVariant("signOutEvent", "a \"signOut\" event", "a device signs out", "signOut", .devices) { .signOut($0) }
            .summary("The device that signs out, or \"caller\".").example("phone")
        tokens("expire", "an", "tokens expire", "The kind of token to expire immediately, or \"*\" for every kind.") {
            .expire($0.kinds, $0.devices)
        }
        tokens(
            "revoke",
            "a",
            "tokens are revoked",
            "The kind of token to revoke, or \"*\" for every kind. The server refuses these tokens before they expire."
        ) { .revoke($0.kinds, $0.devices) }
        tokens(
            "forget",
            "a",
            "the server deletes its stored copies of tokens",
            "The kind of token whose stored copies the server deletes, or \"*\" for every kind. The tokens remain valid."
        ) { .forget($0.kinds, $0.devices) }
        tokens("issue", "an", "a token is issued", "The kind of token to issue.", .name) { event in
            if case .kind(let kind) = event.kinds { .issue(kind: kind, event.devices) } else { nil }
        }
        clock("rotateKeys", "a", .duration, Action.rotateKeys, "signing keys are replaced")
            .summary("Replaces the signing keys; the value is the duration for which the old keys remain in `jwks`.")
        ObjectVariant(StateEvent.self) { .changeStates($0.changes, $0.devices) }
        ObjectVariant(
            "counterEvent",
            "a \"counter\" event",
            "counters are set",
            "counter",
            .counters(areDeclared: true)
        ) { .setCounters($0) }
        .summary("Counters and their new values.").example(["note": 5])
        ObjectVariant(FaultEvent.self) { .armFault($0.fault, route: $0.route, times: $0.times) }
        clock("advance", "an", .duration, Action.advance)
            .summary("The duration by which the clock advances. Events that become due happen in order.")
        clock("set", "a", .moment(.instant), Action.setClock)
            .summary("The new time. Setting the clock back does not repeat events.")
        clock("freeze", "a", .boolean, Action.freeze)
            .summary("If true, stops the clock; if false, starts it again.")
        clock("rate", "a", .number(0...1_000_000), Action.rate)
            .summary("The number of virtual seconds per real second.")
        clock("automatic", "an", .boolean, Action.automatic)
            .summary(
                """
                If true, the clock stands still until every open request is waiting for it, and then jumps to the next \
                event; if false, the clock runs.
                """
            )
        clock("skew", "a", .signedDuration, Action.skew)
            .summary("The offset of the Date header field from the virtual clock.")
        ObjectVariant("tlsEvent", "a \"tls\" event", "the TLS of the servers changes", "tls", .tls, Action.tls)
            .summary("The new TLS of the servers.").example("expired")
        ObjectVariant(Launch.self) { .launch($0.number, store: $0.store) }
        ObjectVariant(ProcessAction.self) { .process($0) }
        ObjectVariant(StreamPush.self) { .push($0) }
    }

    private static func clock<Value>(
        _ verb: String,
        _ article: String,
        _ type: ValueType<Value>,
        _ make: @escaping @Sendable (Value) -> Action,
        _ summary: String = "the clock changes"
    ) -> ObjectVariant<Action> {
        ObjectVariant("\(verb)Event", "\(article) \"\(verb)\" event", summary, verb, type, make)
    }

    private static func tokens(
        _ verb: String,
        _ article: String,
        _ purpose: String,
        _ summary: String,
        _ form: TextForm = .kindOrAll,
        _ make: @escaping @Sendable (TokenEvent) -> Action?
    ) -> ObjectVariant<Action> {
        let keys = TokenEvent.Keys(
            "\(verb)Event",
            "\(article) \"\(verb)\" event",
            purpose,
            exclusive: [["device", "account"]]
        ) {
            TokenEvent.Key(verb, \.kinds, .kinds(form, for: verb), summary).required.example("access")
            TokenEvent.Key(EventDevices.device)
            TokenEvent.Key(EventDevices.account)
        }
        return ObjectVariant(keys) { event, _, _ in make(event) }
    }

    private static let variantsByVerb = Dictionary(uniqueKeysWithValues: variants.map { ($0.shape.verb, $0) })

    static func isVerb(_ name: String) -> Bool { variantsByVerb[name] != nil }

    /// The kind of event that an object is.
    fileprivate static func variant(of tree: JSONValue) -> ObjectVariant<Action>? {
        let verbs = Optional(tree).memberNames.filter(isVerb)
        // An update has a separate "set".
        return (verbs.contains("update") ? "update" : verbs.first).flatMap { variantsByVerb[$0] }
    }

    /// The rules about events that no request causes: there is no caller, and nothing is found or uploaded.
    fileprivate static let rulesWithoutRequest: [ObjectRule] = {
        let isCaller = ValueTest.oneOf(["caller"])
        let tests: [ValueTest] = [
            .lacks("upload"), .lacks("as"),
            .requires("update", .member("update", .object)),
            .requires("delete", .member("delete", .object)),
            .not(.member("update", .has("when"))),
            .not(.member("delete", .has("when"))),
            .not(.member("device", isCaller)), .not(.member("signOut", isCaller)),
            .not(.all([.member("account", isCaller), .hasAny(["expire", "revoke", "forget", "issue"])])),
        ]
        return tests.map { ObjectRule(reportedByLoader: $0) }
    }()
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
        fileprivate var shapes: [ObjectShape] {
            Event.variants.map(\.shape).filter { self != .ago || $0.verb != StreamPush.shape.verb }
        }

        fileprivate var keys: [any FormatKey] {
            switch self {
            case .nothing: []
            case .ago: [EventTime.past, StubResponse.optional]
            case .trigger: EventTime.future + [StubResponse.optional]
            }
        }

        fileprivate var rules: ObjectRules {
            switch self {
            case .nothing: [Event.Launch.inTimeline]
            case .ago:
                ObjectRules(
                    nil,
                    [Event.Launch.inTimeline] + EventTime.rulesOfThePast + Event.rulesWithoutRequest
                )
            case .trigger: ObjectRules(nil, EventTime.rulesOfTriggers + Event.rulesWithoutRequest)
            }
        }
    }

    /// One of the events.
    static func event(with context: EventContext) -> Shape {
        .shared(
            context.rawValue,
            .restricted(.variants(context.shapes, plus: context.keys.map(\.declaration)), context.rules)
        )
    }
}

extension Event {
    fileprivate struct SignIn: ModelObject {
        var device = ""
        var account: String?
        var grants: [Grant]?

        static let keys = Keys(
            "signInEvent",
            "a \"signIn\" event",
            "a device signs in without a request",
            rules: [
                ObjectRule(
                    .not(.member("signIn", .oneOf(["caller", "*"]))),
                    "scenario/reserved-name",
                    at: "signIn",
                    advice: "choose another name for the device",
                    message: { tree in
                        let name = tree["signIn"]?.string ?? ""
                        let meaning = name == "*" ? "every device" : "the caller"
                        return "\"\(name)\" is reserved for \(meaning) and must not be a device name"
                    }
                )
            ]
        ) {
            Key("signIn", \.device, .text(.filled), "The device that signs in.").required.example("phone")
            Key("account", \.account, .name(of: .account), "The account that signs in.")
                .otherwise("the first account").example("ada")
            Key("grants", \.grants, .grants, "The token kinds to grant.")
                .otherwise("`signIn` in `tokens`").example(["access": "new"])
        }

        func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
            if tree["signIn"]?.string != nil { builder.noted.signedInDevices.append(device) }
        }
    }

    fileprivate struct TokenEvent: KeyedModel {
        var kinds = KindSelection.every
        var devices = DeviceSelection.every

        mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
            devices = Event.DeviceSelection(of: tree, &builder)
        }
    }

    fileprivate struct StateEvent: ModelObject {
        var changes: [StateChange] = []
        var devices = DeviceSelection.every

        static let keys = Keys("stateEvent", "a \"state\" event", "states change") {
            Key("state", .map(of: .text(.name), names: .name)) { event, tree, builder in
                event.changes = builder.statesAndValues(Optional(tree).members).flatMap { state in
                    state.values.map { StateChange(name: state.name, value: $0.text) }
                }
                builder.noted.changedStates += event.changes
            }
            .summary("Named states and their new values.").required.example(["plan": "paid"])
            Key(EventDevices.device)
        }

        mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
            devices = Event.DeviceSelection(of: tree, &builder)
        }
    }

    fileprivate struct FaultEvent: ModelObject {
        var fault = Fault()
        var route = ""
        var times = 1

        static let keys = Keys("faultEvent", "a \"fault\" event", "the next requests to a route fail") {
            Key("fault", \.fault, .fault, "The fault to inject.").required.example("reset")
            Key("route", \.route, .name(of: .route), "The route whose next requests fail.").required
            Key("times", \.times, .integer(1...1_000_000), "The number of requests that fail.")
        }
    }

    fileprivate struct Launch: ModelObject {
        var number = 0
        var store: StoreFault?

        static let keys = Keys("launchEvent", "a \"launch\" event", "the client is restarted") {
            Key("launch", \.number, .integer(2...1_000))
                .summary(
                    "The launch number: 2, 3, and so on. The client is restarted with its stored data. Allowed only in \"timeline\"."
                ).required.example(2)
            Key("store", \.store, .word)
                .summary(
                    "The defect in the client's store folder during this launch. The folder is repaired afterward, except if the defect is \"stale\"."
                )
        }

        /// The rule of every other place for events.
        static let inTimeline = ObjectRule(
            .lacks("launch"),
            "scenario/misplaced-event",
            at: "launch",
            "\"launch\" is allowed only in \"timeline\", where events have a time",
            advice: "write {\"at\": …, \"launch\": …} there"
        )

        /// Launches are counted in the order of the file, so that it is clear which number comes next.
        func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
            guard (2...1_000).contains(number) else { return }
            guard number != builder.lastLaunch + 1 else {
                builder.lastLaunch = number
                return
            }
            builder.report(
                "scenario/launch-order",
                "found launch \(number), but the next launch in this timeline is launch \(builder.lastLaunch + 1)",
                at: tree["launch"]?.position ?? tree.position,
                advice: builder.lastLaunch == 1
                    ? "launch 1 is the client's first start, which requires no event" : nil
            )
        }
    }
}

/// The keys for the devices that an event is about.
private enum EventDevices {
    static let device = ObjectShape.Key(
        name: "device",
        shape: .text(.filled),
        summary: "The device; \"caller\" is the one whose request causes the event.",
        fallback: "the caller in \"then\"; every device elsewhere",
        example: "phone"
    )
    static let account = ObjectShape.Key(
        name: "account",
        shape: .text(.name),
        summary:
            "The account whose devices are affected, instead of one device; \"caller\" is the caller's.",
        example: "ada"
    )
}

extension ValueType<Event.KindSelection> {
    /// A kind of token, or every kind.
    fileprivate static func kinds(_ form: TextForm, for purpose: String) -> Self {
        .of(.text(form)) { name, tree, builder in
            guard name != "*" else { return .every }
            builder.expect(name, of: .ownKind(for: purpose), at: tree.position)
            return .kind(name)
        }
    }
}

extension ValueType<Event.DeviceSelection> {
    /// A device of the story, the caller's, or every device.
    static var devices: Self { Self(.text(.filled)) { Event.DeviceSelection(named: $0, &$1) } }
}

extension ValueType<[CounterDeclaration]> {
    /// Counters and their values.
    ///
    /// - Parameter areDeclared: whether the file declares these counters in another place.
    static func counters(areDeclared: Bool) -> Self {
        map(names: .name, of: .integer(Int.min...Int.max)) { member, builder in
            if areDeclared { builder.expect(member.name, of: .counter, at: member.namePosition) }
            return member.value.int.map { CounterDeclaration(name: member.name, start: $0) }
        }
    }
}

extension ScenarioBuilder {
    /// Reads one event; `nil` when its shape is not right, which the shape check reports.
    ///
    /// - Parameters:
    ///   - inResponse: whether a request causes it, so that there is a caller.
    ///   - mayLaunch: whether it may start the client.
    mutating func event(_ tree: JSONValue, inResponse: Bool, mayLaunch: Bool = false) -> Event? {
        guard let variant = Event.variant(of: tree) else { return nil }
        // The shape check reports it.
        if variant.shape.verb == Event.Launch.shape.verb, !mayLaunch { return nil }
        if !inResponse { scope.hasRequest = false }
        defer { scope.hasRequest = true }
        return variant.read(tree, &self).map { Event($0, position: tree.position) }
    }
}

extension Event.DeviceSelection {
    /// The devices that an event's "device" or "account" names.
    fileprivate init(of tree: JSONValue, _ builder: inout ScenarioBuilder) {
        guard let account = tree["account"] else {
            self = tree["device"].map { Self(named: $0, &builder) } ?? (builder.scope.hasRequest ? .caller : .every)
            return
        }
        guard let name = account.string, name != "caller" else {
            Self.expectCaller(at: account.position, advice: "name the account", &builder)
            self = .account(nil)
            return
        }
        builder.expect(name, of: .account, at: account.position)
        self = .account(name)
    }

    fileprivate init(named tree: JSONValue, _ builder: inout ScenarioBuilder) {
        switch tree.string {
        case nil, "*":
            self = .every
        case "caller":
            Self.expectCaller(at: tree.position, advice: "name the device", &builder)
            self = .caller
        case let name?:
            builder.noted.mentionedDevices.append((name, tree.position))
            self = .named(name)
        }
    }

    private static func expectCaller(at position: JSONPosition, advice: String, _ builder: inout ScenarioBuilder) {
        guard !builder.scope.hasRequest else { return }
        builder.report(
            "scenario/no-caller",
            "no caller exists here, because no request causes this event",
            at: position,
            advice: advice
        )
    }
}
