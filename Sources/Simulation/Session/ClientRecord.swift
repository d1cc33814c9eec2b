package import Basics
package import JSON
package import ScenarioFormat

/// The data about the client that no request contains: its launches, its processes and the facts that it has reported.
package struct ClientRecord: Sendable {
    /// The facts that the client has reported about itself, by name.
    package private(set) var facts = JSONObject()
    /// All reports, in order.
    package private(set) var statements: [ClientStatement] = []
    /// The current launch of the client, starting at 1.
    package private(set) var launch = 1
    /// The processes of the client by connection, if several share the session.
    private var connections: [UInt64: String] = [:]
    /// The current launches of the processes.
    private var launches: [String: Int] = [:]

    /// The maximum number of statements, so that a client that reports in a loop fills no memory.
    private static let mostStatements = 10_000

    // MARK: Processes

    /// The process that a connection belongs to; `nil` for the client as a whole.
    func process(of connection: UInt64) -> String? { connections.isEmpty ? nil : connections[connection] }

    /// The current launch of a process, or of the client.
    func launch(of process: String?) -> Int { process.map { launches[$0] ?? 1 } ?? launch }

    mutating func note(process: String, on connection: UInt64) { connections[connection] = process }

    /// Notes that a process is started, once more.
    mutating func begin(process: String) { launches[process, default: 0] += 1 }

    // MARK: Reports

    /// Notes that a launch begins, and the state of its store if the store is, or was, defective.
    ///
    /// - Parameter report: the time and the moment of the report, and the newest exchange.
    mutating func begin(launch number: Int, _ fault: StoreFault?, _ report: ClientStatement) {
        let isNews = launch != number
        launch = number
        let last = statements.last { $0.fact == Session.storeFact }?.value.string
        guard isNews, fault != nil || last.map({ $0 != Session.noStoreFault }) ?? false else { return }
        var statement = report
        (statement.fact, statement.launch) = (Session.storeFact, number)
        statement.value = .string(fault?.rawValue ?? Session.noStoreFault)
        statements.append(statement)
    }

    /// Stores facts; one that was reported before gets its new value.
    ///
    /// - Parameter report: the time, the moment and the process of the report, and the newest exchange.
    mutating func note(_ facts: JSONObject, _ report: ClientStatement) {
        for fact in facts.members {
            let last = report.process == nil ? self.facts[fact.name] : lastValue(of: fact.name, by: report.process)
            guard last != fact.value else { continue }
            self.facts[fact.name] = fact.value
            guard statements.count < Self.mostStatements else { continue }
            var statement = report
            (statement.fact, statement.value, statement.launch) = (fact.name, fact.value, launch(of: report.process))
            statements.append(statement)
        }
    }

    private func lastValue(of fact: String, by process: String?) -> JSONValue? {
        statements.last { $0.process == process && $0.fact.exact == fact.exact }?.value
    }
}

extension Session {
    /// The numbers of the launches that the story has, in their order; there is always a first one.
    package var launches: [Int] {
        let later = played.scenario.timeline.compactMap(\.launch).filter { $0 > 1 }
        return [1] + Set(later).sorted()
    }

    /// Begins a launch: lets time pass until its moment, with everything that is due on the way.
    ///
    /// A launch after an exchange of the timeline has no separate time, so it begins immediately.
    package mutating func begin(launch number: Int, at now: MonotonicTime) {
        let moments = played.scenario.timeline.compactMap { entry -> VirtualTime? in
            guard entry.launch == number, case .at(let delay) = entry.trigger else { return nil }
            return start + delay
        }
        let time = catchUp(at: now)
        if let moment = moments.first, moment > time { advance(by: moment - time, at: now) }
        enter(launch: number, storeFault(of: number), at: self.time(at: now), now)
    }

    /// The defect of the client's store in a launch.
    package func storeFault(of launch: Int) -> StoreFault? {
        played.scenario.timeline.lazy.compactMap { entry -> StoreFault? in
            if case .launch(launch, let fault) = entry.event.action { fault } else { nil }
        }.first
    }

    mutating func enter(launch number: Int, _ fault: StoreFault?, at time: VirtualTime, _ now: MonotonicTime) {
        let moment = max(latest, now)
        client.begin(
            launch: number,
            fault,
            ClientStatement(fact: "", time: time, moment: moment, afterExchange: lastExchange)
        )
    }

    /// The fact by which a run, or a client itself, reports the state of the store of a launch.
    package static let storeFact = "storeFault"
    /// Its value for a store that works.
    package static let noStoreFault = "none"

    /// Notes which process of the client a connection belongs to.
    package mutating func note(process: String, on connection: UInt64) { client.note(process: process, on: connection) }

    /// Begins the next launch of a process.
    package mutating func begin(process: String) { client.begin(process: process) }

    /// Stores facts that the client reports; one that was reported before gets its new value.
    ///
    /// - Parameter process: the process that reports them, where several share the session.
    package mutating func note(clientFacts facts: JSONObject, by process: String? = nil, at now: MonotonicTime) {
        let time = catchUp(at: now)
        client.note(
            facts,
            ClientStatement(fact: "", time: time, moment: latest, afterExchange: lastExchange, process: process)
        )
    }
}

extension TimelineEntry {
    /// The number of the launch that it is; `nil` for every other event.
    fileprivate var launch: Int? {
        if case .launch(let number, _) = event.action { number } else { nil }
    }
}

/// A fact that the client reported about itself, with the time.
package struct ClientStatement: Sendable, Hashable {
    package var fact: String
    package var value = JSONValue.null
    /// The time of the report, on the session's clock.
    package var time = VirtualTime(seconds: 0)
    /// The time of the report, on the machine's clock.
    package var moment = MonotonicTime(nanoseconds: 0)
    /// The number of the newest exchange at that moment; zero before the first.
    package var afterExchange: UInt64 = 0
    /// The launch of the client that reported it.
    package var launch = 1
    /// The process that reported it, if several share the session.
    package var process: String?

    package var launchIdentity: LaunchIdentity { LaunchIdentity(process: process, number: launch) }
}

extension ClientStatement: RecordedObject {
    package init() { self.init(fact: "") }

    package mutating func list(in form: inout RecordedForm) {
        form.member("fact", &fact)
        form.member("value", &value)
        form.member("time", &time)
        form.member("milliseconds", &moment)
        form.member("afterExchange", &afterExchange)
        form.member("launch", &launch)
        form.require(launch > 0, ["launch"], "requires a launch number, starting at 1, not \(launch)")
        form.member("process", &process)
    }
}
