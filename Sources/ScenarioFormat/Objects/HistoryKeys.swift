import Basics
import JSON

/// The times of events in `given` and `timeline`.
enum HistoryKeys {
    static let ago = Key(
        "ago",
        .duration,
        "The event's time before the scenario's start.",
        otherwise: "immediately after the previous event"
    )
    static let at = Key("at", .duration, "The event's time after the scenario's start, on the virtual clock.")
    static let after = Key(
        "after",
        list: .oneOrMore(.object(AfterExchangeKeys.self)),
        "The exchange that triggers the event. If several exchanges are listed, the event follows the last exchange that happens.",
        example: ["request": "POST /refresh", "status": 200]
    )
    static let delay = Key("delay", .duration, "The delay after the triggering exchange, on the virtual clock.")

    /// The rules about events of the past, which end at the scenario's start.
    static let rulesOfThePast = [
        ObjectRule(
            .any([.lacks(SetEventKeys.set), .has(UpdateEventKeys.update)]),
            "scenario/idle-key",
            at: SetEventKeys.set,
            "\"set\" has no effect in \"given\", which ends at the scenario's start",
            advice: "set the start with \"clock\": {\"start\": …}"
        )
    ]

    /// The rules about the moment of an event.
    static let rulesOfTriggers = [
        ObjectRule(
            .hasAny([at, after]),
            "scenario/missing-key",
            "an event in the timeline requires \"at\" or \"after\""
        ),
        ObjectRule(
            .any([.lacks(at), .lacks(after)]),
            "scenario/rival-keys",
            at: after,
            "\"at\" and \"after\" exclude each other; keep one"
        ),
        ObjectRule(
            .any([.lacks(delay), .has(after), .lacks(at)]),
            "scenario/idle-key",
            at: delay,
            "\"delay\" requires \"after\""
        ),
    ]
}

enum AfterExchangeKeys: FormatObject {
    static let request = Key("request", .json(.text(.route)), "The route of the exchange.", required: true)
    static let count = Key(
        "count",
        .integer(1...1_000_000),
        default: 1,
        "The exchange's number on the route, counted from 1."
    )
    static let status = Key("status", .integer(100...999), "The status code of the exchanges to count.")

    static let shape = ObjectShape(
        "afterExchange",
        "\"after\"",
        "an exchange that triggers an event",
        [request, count, status]
    )
}

// MARK: - Reading

extension ScenarioBuilder {
    /// Reads the past, and follows its moments: they may neither go backwards nor reach beyond the start.
    mutating func given() -> [PastEvent] {
        let trees = root[ScenarioKeys.given]
        // The past begins early enough for all that happens in it.
        var ago = max(
            trees.compactMap { $0[AdvanceEventKeys.advance] }.reduce(.zero, +),
            trees.compactMap { $0[HistoryKeys.ago] }.max() ?? .zero
        )
        return trees.compactMap { tree in
            if let written = tree.written(HistoryKeys.ago), let duration = tree[HistoryKeys.ago] {
                if duration > ago {
                    report(
                        "scenario/unordered-history",
                        "\"given\" must begin with the oldest event, but the previous event is at"
                            + " \(DurationText.text(ago)) before the start, and this event is at \(written.string ?? "")",
                        at: written.position,
                        advice: "move this event up"
                    )
                }
                ago = duration
            }
            if let written = tree.written(AdvanceEventKeys.advance), let duration = tree[AdvanceEventKeys.advance] {
                if duration > ago {
                    report(
                        "scenario/overrun-history",
                        "\"given\" ends at the scenario's start, but this event continues for"
                            + " \(DurationText.text(duration - ago)) after the start",
                        at: written.position,
                        advice: "start the history earlier, or move the remaining events to \"timeline\""
                    )
                }
                ago = max(.zero, ago - duration)
            }
            return event(tree, inResponse: false).map { PastEvent(event: $0, ago: tree[HistoryKeys.ago]) }
        }
    }

    mutating func timeline() -> [TimelineEntry] {
        root[ScenarioKeys.timeline].compactMap { tree in
            guard let trigger = trigger(of: tree) else { return nil }
            return event(tree, inResponse: false, mayLaunch: true).map { TimelineEntry(trigger: trigger, event: $0) }
        }
    }

    private mutating func trigger(of tree: JSONValue) -> TimelineEntry.Trigger? {
        switch (tree.written(HistoryKeys.at), tree.written(HistoryKeys.after)) {
        case (_?, nil):
            return tree[HistoryKeys.at].map(TimelineEntry.Trigger.at)
        case (nil, _?):
            let awaited = tree[HistoryKeys.after].compactMap { awaitedExchange($0) }
            guard !awaited.isEmpty else { return nil }
            return .after(awaited, delay: tree[HistoryKeys.delay] ?? .zero)
        case (nil, nil), (_?, _?): return nil
        }
    }

    private mutating func awaitedExchange(_ tree: JSONValue) -> AwaitedExchange? {
        guard let request = tree[AfterExchangeKeys.request], let route = request.string else { return nil }
        expectRoute(route, at: request.position)
        return AwaitedExchange(
            route: route,
            count: tree[AfterExchangeKeys.count],
            status: tree[AfterExchangeKeys.status]
        )
    }
}
