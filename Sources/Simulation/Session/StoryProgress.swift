import ScenarioFormat

/// The parts of the story that were played, and the events that changed nothing.
struct StoryProgress: Sendable {
    /// The exchanges that played each ``StoryPart``, by the part's name; 0 for one that no exchange played.
    ///
    /// There are as many as the part demands, at most.
    private(set) var plays: [String: [UInt64]] = [:]
    /// The names of the events that have happened and changed nothing.
    private(set) var idleEvents: Set<String> = []

    /// Notes that parts of the story were played; a fault is played only where it breaks the connection.
    mutating func note(_ chosen: ChosenResponse, by exchange: UInt64, with fault: Fault?) {
        guard case .scenario(let compiled) = chosen.source else { return }
        for part in compiled.parts where part.kind != .fault || compiled.response.fault == fault {
            note(part, by: exchange)
        }
    }

    /// - Parameter exchange: the one that played it; 0 where none did.
    mutating func note(_ part: StoryPart, by exchange: UInt64 = 0) {
        if plays[part.name]?.count ?? 0 < part.times { plays[part.name, default: []].append(exchange) }
    }

    /// Notes that an event of the story has happened.
    mutating func note(_ part: StoryPart, hasEffect: Bool) {
        if hasEffect { note(part) } else { idleEvents.insert(part.name) }
    }

    /// Forgets what an exchange has played, whose response was not sent.
    mutating func remove(_ exchange: UInt64) {
        plays = plays.mapValues { exchanges in exchanges.filter { $0 != exchange } }.filter { !$0.value.isEmpty }
    }

    /// Forgets the parts that another version of the scenario lacks.
    mutating func keep(_ parts: [StoryPart]) {
        let names = Set(parts.map(\.name))
        plays = plays.filter { names.contains($0.key) }
        idleEvents.formIntersection(names)
    }
}
