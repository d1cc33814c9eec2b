import Basics
import JSON

/// What events of `given` and `timeline` say of their moment.
enum HistoryKeys {
    static let ago = Key(
        "ago",
        .duration,
        "How long before the scenario's start.",
        otherwise: "right after the one before"
    )
    static let at = Key("at", .duration, "How long after the scenario's start, on the virtual clock.")
    static let after = Key(
        "after",
        list: .oneOrMore(.object(AfterExchangeKeys.self)),
        "The exchange after which it happens; after the last of several, in whichever order they come.",
        example: ["request": "POST /refresh", "status": 200]
    )
    static let delay = Key("delay", .duration, "How long after that, on the virtual clock.")
}

enum AfterExchangeKeys: FormatObject {
    static let request = Key("request", .json(.text(.route)), "The route.", required: true)
    static let count = Key("count", .integer(1...1_000_000), default: 1, "Which one of its exchanges.")
    static let status = Key("status", .integer(100...999), "Only exchanges with this status count.")

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
                        "\"given\" is told oldest first, but by now it is \(DurationText.text(ago)) before the start, and"
                            + " this is \(written.string ?? "") before it",
                        at: written.position,
                        advice: "put this event further up"
                    )
                }
                ago = duration
            }
            if let written = tree.written(AdvanceEventKeys.advance), let duration = tree[AdvanceEventKeys.advance] {
                if duration > ago {
                    report(
                        "scenario/overrun-history",
                        "\"given\" ends with the scenario's start, which this overruns by"
                            + " \(DurationText.text(duration - ago))",
                        at: written.position,
                        advice: "let the history begin earlier, or put what follows into \"timeline\""
                    )
                }
                ago = max(.zero, ago - duration)
            }
            if let set = tree.written(SetEventKeys.set), !tree.has(UpdateEventKeys.update) {
                report(
                    "scenario/idle-key",
                    "\"set\" means nothing in \"given\", which ends with the scenario's start",
                    at: set.position,
                    advice: "say when that is with \"clock\": {\"start\": …}"
                )
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
            if let delay = tree.written(HistoryKeys.delay) {
                report("scenario/idle-key", "\"delay\" belongs to \"after\"", at: delay.position)
            }
            return tree[HistoryKeys.at].map(TimelineEntry.Trigger.at)
        case (nil, _?):
            let awaited = tree[HistoryKeys.after].compactMap { awaitedExchange($0) }
            guard !awaited.isEmpty else { return nil }
            return .after(awaited, delay: tree[HistoryKeys.delay] ?? .zero)
        case (nil, nil):
            report(
                "scenario/missing-key",
                "an event of the timeline needs its moment: \"at\" or \"after\"",
                at: tree.position
            )
            return nil
        case (_?, let after?):
            report("scenario/rival-keys", "\"at\" and \"after\" exclude each other; keep one", at: after.position)
            return nil
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
