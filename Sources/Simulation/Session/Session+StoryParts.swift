import ScenarioFormat

/// The parts of the story that were played.
extension Session {
    /// Notes that parts of the story were played; a fault is played only where it breaks the connection.
    mutating func notePlay(of answer: ChosenResponse, by exchange: UInt64, with fault: Fault?) {
        guard case .scenario(let compiled) = answer.source else { return }
        for part in compiled.parts where part.kind != .fault || compiled.response.fault == fault {
            notePlay(of: part, by: exchange)
        }
    }

    /// - Parameter exchange: the one that played it; 0 where none did.
    mutating func notePlay(of part: StoryPart, by exchange: UInt64 = 0) {
        if plays[part.name]?.count ?? 0 < part.times { plays[part.name, default: []].append(exchange) }
    }

    /// Notes that an event of the story has happened.
    mutating func note(_ part: StoryPart, hasEffect: Bool) {
        if hasEffect { notePlay(of: part) } else { idleEvents.insert(part.name) }
    }
}
