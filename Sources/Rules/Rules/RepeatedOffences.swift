import JSON

/// Gathers exchanges that do the same wrong thing, so that it is said once.
struct RepeatedOffences {
    private struct Entry {
        var offence: Offence
        var repetitions: [UInt64] = []
    }

    /// What stands before the exchanges that repeat an offence.
    private let repetition: String
    private var entries: [Entry] = []
    private var indexByKey: [ExactText: Int] = [:]

    init(repetition: String = "so did") {
        self.repetition = repetition
    }

    /// Adds an offence, or notes that an exchange repeats the one that was added with the same key.
    mutating func add(_ key: String, by exchange: UInt64, _ offence: @autoclosure () -> Offence) {
        if let index = indexByKey[ExactText(key)] {
            entries[index].repetitions.append(exchange)
        } else {
            indexByKey[ExactText(key)] = entries.count
            entries.append(Entry(offence: offence()))
        }
    }

    /// In the order in which each began.
    var list: [Offence] {
        entries.map { entry in
            var offence = entry.offence
            guard !entry.repetitions.isEmpty else { return offence }
            offence.sentence += "; \(repetition) \(Words.exchanges(entry.repetitions))"
            offence.exchanges += entry.repetitions
            return offence
        }
    }
}
