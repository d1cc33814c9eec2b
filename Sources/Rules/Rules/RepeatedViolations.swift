import JSON

/// Gathers exchanges that do the same wrong thing, so that it is said once.
struct RepeatedViolations {
    private struct Entry {
        var violation: RuleViolation
        var repetitions: [UInt64] = []
    }

    /// What stands before the exchanges that repeat an violation.
    private let repetition: String
    private var entries: [Entry] = []
    private var indexByKey: [ExactText: Int] = [:]

    init(repetition: String = "so did") {
        self.repetition = repetition
    }

    /// Adds an violation, or notes that an exchange repeats the one that was added with the same key.
    mutating func add(_ key: String, by exchange: UInt64, _ violation: @autoclosure () -> RuleViolation) {
        if let index = indexByKey[ExactText(key)] {
            entries[index].repetitions.append(exchange)
        } else {
            indexByKey[ExactText(key)] = entries.count
            entries.append(Entry(violation: violation()))
        }
    }

    /// In the order in which each began.
    var list: [RuleViolation] {
        entries.map { entry in
            var violation = entry.violation
            guard !entry.repetitions.isEmpty else { return violation }
            violation.sentence += "; \(repetition) \(Sentences.exchanges(entry.repetitions))"
            violation.exchanges += entry.repetitions
            return violation
        }
    }
}
