import ScenarioFormat

extension Scenario {
    /// Whether it has gates, replies that take their time, or anything left to chance.
    var isRace: Bool {
        let rejections = tokens.kinds.flatMap(\.rejections) + routes.flatMap(\.requirements).flatMap(\.rejections)
        let fallbacks = [unmatched, wrongMethod].compactMap(\.self).flatMap(\.allReplies)
        let guarded = (earlyGuards + lateGuards).map(\.reply) + [invalidRequest].compactMap(\.self)
        let replies = routes.flatMap(\.allReplies) + rejections.map(\.reply) + fallbacks + guarded
        return !gates.isEmpty || replies.contains(where: \.isRace) || timeline.contains(where: \.event.isRace)
    }
}

extension Reply {
    fileprivate var isRace: Bool {
        latency != nil || pacing != nil || fault?.isChance ?? false || changes.contains(where: \.isRace)
    }
}

extension Event {
    fileprivate var isRace: Bool {
        if case .armFault(let fault, _, _) = action { fault.isChance } else { false }
    }
}

extension Fault {
    fileprivate var isChance: Bool { probability > 0 && probability < 1 }
}
