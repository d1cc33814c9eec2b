extension ObjectShape {
    private static let device = Key(
        "device",
        .text(.filled),
        "Whose; the caller's in \"then\" and every device's elsewhere if not said."
    )
    private static let account = Key(
        "account",
        .text(.name),
        "Whose, instead of one device's: every device of this account, or of the \"caller\"'s."
    )

    static let signInEvent = ObjectShape([
        Key("signIn", .text(.filled), "The device that signs in.", required: true),
        Key("account", .text(.name), "The account; the first one if not said."),
        Key("grants", .grants, "What it gets; as the backend's sign-in if not said."),
    ])
    static let signOutEvent = ObjectShape([
        Key("signOut", .text(.filled), "The device that signs out, or \"caller\".", required: true)
    ])
    static func tokenEvent(_ verb: String, _ summary: String) -> ObjectShape {
        ObjectShape([Key(verb, .text(.kindOrAll), "\(summary) A kind, or \"*\".", required: true), device, account])
    }
    static let issueEvent = ObjectShape([
        Key("issue", .text(.name), "The kind of which a device gets a new token.", required: true), device, account,
    ])
    static let stateEvent = ObjectShape([
        Key("state", .map(of: .text(.name), names: .name), "States and their new values.", required: true), device,
    ])
    static let counterEvent = ObjectShape([
        Key(
            "counter",
            .map(of: .integer(Int.min...Int.max), names: .name),
            "Counters and their numbers.",
            required: true
        )
    ])
    static let faultEvent = ObjectShape([
        Key("fault", .fault, "The fault that is armed.", required: true),
        Key("route", .text(.route), "The route whose next requests meet it.", required: true),
        Key("times", .integer(1...1_000_000), "How many of them; one if not said."),
    ])
    static let advanceEvent = ObjectShape([
        Key("advance", .text(.duration), "Time passes, and what is due on the way happens in order.", required: true)
    ])
    static let setEvent = ObjectShape([
        Key("set", .text(.instant), "The clock is set. Backwards fires nothing again.", required: true)
    ])
    static let freezeEvent = ObjectShape([
        Key("freeze", .boolean, "Time stands still, or runs again.", required: true)
    ])
    static let rateEvent = ObjectShape([
        Key("rate", .number(0...1_000_000), "Virtual seconds in a real second.", required: true)
    ])
    static let automaticEvent = ObjectShape([
        Key("automatic", .boolean, "Time jumps when every request waits for it, or runs again.", required: true)
    ])
    static let skewEvent = ObjectShape([
        Key("skew", .text(.signedDuration), "How far the Date header is off.", required: true)
    ])
    static let launchEvent = ObjectShape([
        Key(
            "launch",
            .integer(2...1_000),
            "The client is started again, as its so manieth launch. Only in \"timeline\".",
            required: true
        )
    ])
    static let afterExchange = ObjectShape([
        Key("request", .text(.route), "The route.", required: true),
        Key("count", .integer(1...1_000_000), "Which one of its exchanges; the first if not said."),
        Key("status", .integer(100...999), "Only exchanges with this status count."),
    ])
}

extension Shape {
    /// What an event may say besides what happens.
    package enum EventContext {
        case nothing
        /// In `given`: how long ago.
        case ago
        /// In `timeline`: when.
        case trigger

        fileprivate var keys: [ObjectShape.Key] {
            switch self {
            case .nothing: []
            case .ago:
                [
                    ObjectShape.Key("ago", .text(.duration), "How long before the scenario's start."),
                    ObjectShape.optional,
                ]
            case .trigger:
                [
                    ObjectShape.Key("at", .text(.duration), "How long after the scenario's start."),
                    ObjectShape.Key(
                        "after",
                        .choice([.object(.afterExchange), .list(of: .object(.afterExchange), count: 1...Int.max)]),
                        "The exchange after which it happens; after the last of several, in whichever order they come."
                    ),
                    ObjectShape.Key("delay", .text(.duration), "How long after that, on the virtual clock."),
                    ObjectShape.optional,
                ]
            }
        }
    }

    /// One of the events: the same vocabulary in `given`, in `timeline`, in a response's `then` and in the admin API.
    package static func event(with context: EventContext) -> Shape {
        .variants(
            [
                // Before the clock's "set", which is also a key of an update.
                .createEvent, .updateEvent, .deleteEvent, .uploadEvent,
                .signInEvent, .signOutEvent, .expireEvent, .revokeEvent, .forgetEvent, .issueEvent, .stateEvent,
                .counterEvent, .faultEvent, .advanceEvent, .setEvent, .freezeEvent, .rateEvent, .automaticEvent,
                .skewEvent, .launchEvent,
            ],
            plus: context.keys
        )
    }
}
