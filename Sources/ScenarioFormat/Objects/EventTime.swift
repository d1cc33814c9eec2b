import Basics
import JSON

/// An event of the past, as `given` tells it.
package struct PastEvent: Sendable {
    package var event: Event
    /// The time before the scenario's start; `nil` for right after the previous event.
    package var ago: Duration?
}

/// An event of the future, and what sets it off.
package struct TimelineEntry: Sendable {
    package enum Trigger: Sendable {
        /// The time since the scenario's start.
        case at(Duration)
        /// A delay after all of these exchanges, in any order; the list is not empty.
        case after([AwaitedExchange], delay: Duration)
    }

    package var trigger: Trigger
    package var event: Event
}

/// The *n*th exchange of a route, counted from one, which an event waits for.
package struct AwaitedExchange: Sendable, Hashable {
    package var route = ""
    package var count = 1
    /// Only exchanges with this status count; every one when `nil`.
    package var status: Int?
}

extension AwaitedExchange: ModelObject {
    static let keys = Keys("afterExchange", "\"after\"", "an exchange that triggers an event") {
        Key("request", \.route, .name(of: .route), "The route of the exchange.").required
        Key("count", \.count, .integer(1...1_000_000), "The exchange's number on the route, counted from 1.")
        Key("status", \.status, .integer(100...999), "The status code of the exchanges to count.")
    }
}

/// The time of an event in `given` or `timeline`.
struct EventTime: KeyedModel {
    var ago: Duration?
    var at: Duration?
    var after: [AwaitedExchange] = []
    var delay: Duration?

    /// The key of events of the past.
    static let past = Key("ago", \.ago, .duration, "The time from the event to the scenario's start.")
        .otherwise("immediately after the previous event")

    /// The keys of events of the timeline.
    static let future = [
        Key("at", \.at, .duration, "The time from the scenario's start to the event, on the virtual clock."),
        Key("after", \.after, .oneOrMore(.object))
            .summary(
                "The exchange that triggers the event. If several exchanges are listed, the event follows the last exchange that happens."
            ).example(["request": "POST /refresh", "status": 200]),
        Key("delay", \.delay, .duration, "The delay after the triggering exchange, on the virtual clock."),
    ]

    /// The rules about events of the past, which end at the scenario's start.
    static let rulesOfThePast = [
        ObjectRule(
            .any([.lacks("set"), .has("update")]),
            "scenario/idle-key",
            at: "set",
            "\"set\" has no effect in \"given\", which ends at the scenario's start",
            advice: "set the start with \"clock\": {\"start\": …}"
        )
    ]

    /// The rules about the moment of an event.
    static let rulesOfTriggers = [
        ObjectRule(
            .hasAny(["at", "after"]),
            "scenario/missing-key",
            "an event in the timeline requires \"at\" or \"after\""
        ),
        ObjectRule(
            .any([.lacks("at"), .lacks("after")]),
            "scenario/rival-keys",
            at: "after",
            "\"at\" and \"after\" cannot be combined; keep one"
        ),
        ObjectRule(
            .any([.lacks("delay"), .has("after"), .lacks("at")]),
            "scenario/idle-key",
            at: "delay",
            "\"delay\" requires \"after\""
        ),
    ]

    fileprivate var trigger: TimelineEntry.Trigger? {
        switch (at, after.isEmpty) {
        case (let at?, true): .at(at)
        case (nil, false): .after(after, delay: delay ?? .zero)
        default: nil
        }
    }
}

extension PastEvent {
    /// Reads the past, and follows its moments: they may neither go backwards nor reach beyond the start.
    static func all(_ builder: inout ScenarioBuilder) -> [PastEvent] {
        let trees = (builder.root["given"]?.array ?? [])
        // The past begins early enough for all that happens in it.
        var ago = max(
            trees.compactMap { duration($0["advance"]) }.reduce(.zero, +),
            trees.compactMap { duration($0["ago"]) }.max() ?? .zero
        )
        return trees.compactMap { tree in
            if let written = tree["ago"], let duration = duration(written) {
                if duration > ago {
                    builder.report(
                        "scenario/unordered-history",
                        "\"given\" must begin with the oldest event, but the previous event is at"
                            + " \(DurationText.text(ago)) before the start, and this event is at \(written.string ?? "")",
                        at: written.position,
                        advice: "move this event up"
                    )
                }
                ago = duration
            }
            if let written = tree["advance"], let duration = duration(written) {
                if duration > ago {
                    builder.report(
                        "scenario/overrun-history",
                        "\"given\" ends at the scenario's start, but this event continues for"
                            + " \(DurationText.text(duration - ago)) after the start",
                        at: written.position,
                        advice: "start the history earlier, or move the remaining events to \"timeline\""
                    )
                }
                ago = max(.zero, ago - duration)
            }
            return builder.event(tree, inResponse: false).map { PastEvent(event: $0, ago: duration(tree["ago"])) }
        }
    }

    private static func duration(_ tree: JSONValue?) -> Duration? { tree?.string.flatMap(DurationText.parse) }
}

extension TimelineEntry {
    init?(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        var time = EventTime()
        for key in EventTime.future { key.read(tree, into: &time, &builder) }
        guard let trigger = time.trigger,
            let event = builder.event(tree, inResponse: false, mayLaunch: true)
        else { return nil }
        (self.trigger, self.event) = (trigger, event)
    }
}
