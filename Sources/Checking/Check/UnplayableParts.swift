import Basics
import JSON
import ScenarioFormat
import Simulation

/// Finds what a story adds and no client can ever see, so that the story cannot pass.
///
/// It plays the story without a client. An event that changes nothing then, and for which neither a response nor another
/// event can make anything that it would change, never changes anything. What a client could bring about is not reported.
struct UnplayableParts {
    let loaded: LoadedScenario

    private var scenario: Scenario { loaded.scenario }

    var findings: [Finding] {
        let unjudged = loaded.findingOnNoExpectation(.warning, id: "check/nothing-expected")
        return ([unjudged].compactMap(\.self) + idleEvents() + unreachableCounts()).inOrder(of: loaded.sources)
    }

    // MARK: Events

    private func idleEvents() -> [Finding] {
        let demanded = scenario.parts.filter { $0.kind == .event && !$0.isOptional }
        guard !demanded.isEmpty else { return [] }
        let start = Session(before: scenario)
        var end = start
        let last = scenario.timeline.compactMap { if case .at(let delay) = $0.trigger { delay } else { nil } }.max()
        end.advance(by: last ?? .zero, at: Session.beginning)
        return demanded.compactMap { part in
            let event = (scenario.given.map(\.event) + scenario.timeline.map(\.event)).first {
                $0.position == part.position
            }
            guard let event else { return nil }
            var idle = end.idleEvents
            var causes = Causes(scenario)
            switch part.trigger {
            case nil: causes = Causes(none: scenario)
            case .at: causes.add(scenario.timeline.filter(\.isConsequence).map(\.event))
            case .after:
                var session = start
                session.enact(event, at: Session.beginning)
                idle = session.idleEvents
                causes.add(scenario.timeline.map(\.event).filter { $0.position != part.position })
            }
            guard idle.contains(part.name), let reason = reason(for: event.action, from: causes, start, part) else {
                return nil
            }
            return Finding(
                .error,
                id: "check/never-played",
                "\(part.name) never changes anything: \(reason)".printable,
                at: loaded.sources.place(of: part.position),
                advice: "change the event so that it has an effect, remove it, or mark it with \"optional\": true"
            )
        }
    }

    /// The reason why an event changes nothing; `nil` where something may be there for it to change.
    private func reason(
        for action: Event.Action,
        from causes: Causes,
        _ session: Session,
        _ part: StoryPart
    ) -> String? {
        let isPast = part.trigger == nil
        func tokens(_ kinds: Event.KindSelection, _ devices: Event.DeviceSelection) -> String? {
            if let reason = absence(of: devices, causes, session) { return reason }
            if causes.issue(kinds) { return nil }
            let kind = if case .kind(let name) = kinds { "\(name) token" } else { "token" }
            return "no valid \(kind) exists at that moment"
                + (isPast ? "" : ", and no response issues a new one")
        }
        switch action {
        case .signOut(let devices): return tokens(.every, devices)
        case .expire(let kinds, let devices), .revoke(let kinds, let devices), .forget(let kinds, let devices):
            return tokens(kinds, devices)
        case .issue(_, let devices):
            if let reason = absence(of: devices, causes, session) { return reason }
            return causes.signsIn ? nil : "no device has signed in before this event"
        case .changeStates(let changes, _):
            if changes.contains(where: { causes.states.contains($0.name) }) { return nil }
            return Self.list(changes.map { "\($0.name) is \($0.value) already" })
        case .setCounters: return isPast ? "the counters already have these values" : nil
        case .advance(let duration): return duration == .zero ? "no time passes" : nil
        case .change: return causes.changesItems ? nil : "the item does not exist, or already has these values"
        case .setClock, .skew: return isPast ? "the clock already has this time" : nil
        default: return nil
        }
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", and ") }

    /// The reason that a device never signs in under its name; `nil` if it may.
    private func absence(of devices: Event.DeviceSelection, _ causes: Causes, _ session: Session) -> String? {
        guard case .named(let name) = devices, session.ledger.device(named: name) == nil, !causes.mayName(name) else {
            return nil
        }
        return "no device \"\(name)\" signs in"
    }

    // MARK: Counts

    /// The parts that take more requests of a route than the story allows.
    private func unreachableCounts() -> [Finding] {
        scenario.parts.filter { !$0.isOptional }.flatMap { part -> [Finding] in
            var needs: [(route: String, origin: String?, status: Int?, count: Int)] = []
            if let route = part.route { needs.append((route, part.origin, nil, part.requests)) }
            if case .after(let awaited, _) = part.trigger {
                needs += awaited.map { ($0.route, nil, $0.status, $0.count) }
            }
            return needs.compactMap { need in
                let limit = scenario.expectations.first { expectation in
                    guard case .exchanges(let pattern, let count, _, _, _) = expectation.content, pattern.isPlain,
                        pattern.origin == need.origin, pattern.route.exact == need.route.exact
                    else { return false }
                    let isWider = pattern.statuses.isEmpty || need.status.map(pattern.statuses.contains) ?? false
                    return isWider && count.atMost < need.count
                }
                guard let limit, case .exchanges(_, let count, _, _, _) = limit.content else { return nil }
                let needed = need.count == 1 ? "1 request" : "\(need.count) requests"
                return Finding(
                    .error,
                    id: "check/never-played",
                    "\(part.name) requires \(needed) to \(need.route), but the story expects at most \(count.atMost)"
                        .printable,
                    at: loaded.sources.place(of: part.position),
                    advice: "expect more requests, or require fewer",
                    related: [RelatedPlace(loaded.sources.place(of: limit.position), "this is the story's expectation")]
                )
            }
        }
    }
}

extension Session {
    static let beginning = MonotonicTime(nanoseconds: 0)

    /// A session before its first request.
    init(before scenario: Scenario) {
        // The same moment for every story, so that what they share is seen to be the same.
        self.init(CompiledScenario(scenario), start: PlaceholderSampler.now, at: Self.beginning)
    }
}

extension TimelineEntry {
    fileprivate var isConsequence: Bool { if case .after = trigger { true } else { false } }
}

/// The state that responses and events may bring about, for an event to change it later.
private struct Causes {
    private let scenario: Scenario
    private var kinds: Set<String> = []
    private var devices: Set<String> = []
    /// A Boolean value that indicates whether a device may sign in under any name.
    private var namesAnyDevice = false
    var states: Set<String> = []
    var signsIn = false
    var changesItems = false

    init(none scenario: Scenario) { self.scenario = scenario }

    /// The state that the responses of a scenario may bring about.
    init(_ scenario: Scenario) {
        self.init(none: scenario)
        let routes = scenario.routes + scenario.origins.flatMap(\.routes)
        let guards = (scenario.earlyGuards + scenario.lateGuards).map(\.response)
        let fallbacks = [scenario.unmatched, scenario.wrongMethod].compactMap(\.self).flatMap(\.allResponses)
        let refusals =
            scenario.tokens.kinds.flatMap(\.rejections).map(\.response)
            + routes.flatMap(\.allRequirements).flatMap(\.rejections).map(\.response)
        let responses =
            routes.flatMap(\.allResponses) + guards + fallbacks + refusals
            + [scenario.invalidRequest].compactMap(\.self)
        for response in responses {
            for grant in response.grants where grant.source == .new { kinds.insert(grant.kind) }
            if response.signIn != nil || !response.grants.isEmpty {
                signsIn = true
                // A device that the response does not name is that of the header.
                let name = response.signIn?.device.map(\.constant) ?? nil
                if let name { devices.insert(name) }
                if scenario.deviceHeader != nil || response.signIn?.device != nil && name == nil {
                    namesAnyDevice = true
                }
            }
            add(response.changes)
        }
    }

    mutating func add(_ events: [Event]) {
        for event in events {
            switch event.action {
            case .signIn(let device, _, let grants):
                signsIn = true
                devices.insert(device)
                kinds.formUnion((grants ?? scenario.tokens.signInGrants).map(\.kind))
            case .issue(let kind, _): kinds.insert(kind)
            case .changeStates(let changes, _): states.formUnion(changes.map(\.name))
            case .change: changesItems = true
            default: break
            }
        }
    }

    func issue(_ selection: Event.KindSelection) -> Bool {
        switch selection {
        case .every: !kinds.isEmpty
        case .kind(let kind): kinds.contains(kind)
        }
    }

    /// Returns whether a device of this name may sign in; the server names those that have no name itself.
    func mayName(_ name: String) -> Bool {
        namesAnyDevice || devices.contains(name) || signsIn && name.hasPrefix("device-")
    }
}
