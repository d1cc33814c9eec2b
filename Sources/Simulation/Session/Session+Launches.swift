import ScenarioFormat

/// The client is started, perhaps several times; it keeps what it has stored.
extension Session {
    /// The numbers of the launches that the story has, in their order; there is always a first one.
    package var launches: [Int] {
        let later = stage.scenario.timeline.compactMap(\.launch).filter { $0 > 1 }
        return [1] + Set(later).sorted()
    }

    /// Begins a launch: lets time pass until its moment, with everything that is due on the way.
    ///
    /// A launch that the timeline lets follow an exchange has no moment of its own, so it begins at once.
    package mutating func begin(launch number: Int, at now: RealTime) {
        let moments = stage.scenario.timeline.compactMap { entry -> VirtualTime? in
            guard entry.launch == number, case .at(let delay) = entry.trigger else { return nil }
            return start + delay
        }
        let time = catchUp(at: now)
        if let moment = moments.first, moment > time { advance(by: moment - time, at: now) }
        launch = number
    }
}

extension TimelineEntry {
    /// The number of the launch that it is; `nil` for every other event.
    fileprivate var launch: Int? {
        if case .launch(let number) = event.action { number } else { nil }
    }
}
