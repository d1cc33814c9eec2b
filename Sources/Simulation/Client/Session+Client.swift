package import Basics
package import JSON
package import ScenarioFormat

extension Session {
    /// Begins a launch: lets time pass until its moment, with everything that is due on the way.
    ///
    /// A launch after an exchange of the timeline has no separate time, so it begins immediately.
    package mutating func begin(launch number: Int, at now: MonotonicTime) {
        let time = catchUp(at: now)
        if let delay = played.scenario.delay(of: number), start + delay > time {
            advance(by: start + delay - time, at: now)
        }
        enter(launch: number, played.scenario.storeFault(of: number), at: self.time(at: now), now)
    }

    mutating func enter(launch number: Int, _ fault: StoreFault?, at time: VirtualTime, _ now: MonotonicTime) {
        let moment = max(latest, now)
        client.begin(
            launch: number,
            fault,
            ClientStatement(fact: "", time: time, moment: moment, afterExchange: lastExchange)
        )
    }

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

extension Scenario {
    /// The numbers of the launches that the story has, in their order; there is always a first one.
    package var launches: [Int] {
        let later = timeline.compactMap(\.launch).filter { $0 > 1 }
        return [1] + Set(later).sorted()
    }

    /// The time from the scenario's start to a launch; `nil` for a launch without a moment.
    fileprivate func delay(of launch: Int) -> Duration? {
        timeline.lazy.compactMap { entry -> Duration? in
            guard entry.launch == launch, case .at(let delay) = entry.trigger else { return nil }
            return delay
        }.first
    }

    /// The defect of the client's store in a launch.
    package func storeFault(of launch: Int) -> StoreFault? {
        timeline.lazy.compactMap { entry -> StoreFault? in
            if case .launch(launch, let fault) = entry.event.action { fault } else { nil }
        }.first
    }
}

extension TimelineEntry {
    /// The number of the launch that it is; `nil` for every other event.
    fileprivate var launch: Int? {
        if case .launch(let number, _) = event.action { number } else { nil }
    }
}
