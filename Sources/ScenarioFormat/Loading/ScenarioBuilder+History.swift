import JSON

extension ScenarioBuilder {
    /// Reads the past, and follows its moments: they may neither go backwards nor reach beyond the start.
    mutating func given() -> [PastEvent] {
        let trees = root["given"]?.array ?? []
        let advances = trees.compactMap { $0["advance"]?.string.flatMap(DurationText.parse) }
        let agos = trees.compactMap { $0["ago"]?.string.flatMap(DurationText.parse) }
        // The past begins early enough for all that happens in it.
        var ago = max(advances.reduce(.zero, +), agos.max() ?? .zero)
        return trees.compactMap { tree in
            if let written = tree["ago"], let duration = written.string.flatMap(DurationText.parse) {
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
            if let written = tree["advance"], let duration = written.string.flatMap(DurationText.parse) {
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
            if let set = tree["set"], tree["update"] == nil {
                report(
                    "scenario/idle-key",
                    "\"set\" means nothing in \"given\", which ends with the scenario's start",
                    at: set.position,
                    advice: "say when that is with \"clock\": {\"start\": …}"
                )
            }
            let moment = tree["ago"]?.string.flatMap(DurationText.parse)
            return event(tree, inResponse: false).map { PastEvent(event: $0, ago: moment) }
        }
    }

    mutating func timeline() -> [TimelineEntry] {
        (root["timeline"]?.array ?? []).compactMap { tree in
            guard let trigger = trigger(of: tree) else { return nil }
            return event(tree, inResponse: false, mayLaunch: true).map { TimelineEntry(trigger: trigger, event: $0) }
        }
    }

    private mutating func trigger(of tree: JSONValue) -> TimelineEntry.Trigger? {
        switch (tree["at"], tree["after"]) {
        case (let at?, nil):
            if let delay = tree["delay"] {
                report("scenario/idle-key", "\"delay\" belongs to \"after\"", at: delay.position)
            }
            return at.string.flatMap(DurationText.parse).map(TimelineEntry.Trigger.at)
        case (nil, let after?):
            let awaited = (after.array ?? [after]).compactMap { awaitedExchange($0) }
            guard !awaited.isEmpty else { return nil }
            return .after(awaited, delay: tree["delay"]?.string.flatMap(DurationText.parse) ?? .zero)
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
        guard let request = tree["request"], let route = request.string else { return nil }
        expectRoute(route, at: request.position)
        return AwaitedExchange(
            route: route,
            count: tree["count"]?.number?.int ?? 1,
            status: tree["status"]?.number?.int
        )
    }
}
