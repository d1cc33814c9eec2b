extension ClientOperation {
    /// The refusals that the client takes for answers, as sentences with the reasons.
    var answersWithReasons: [String] {
        answers.map { "\(id) takes \($0.status) for an answer: \($0.reason)" }
    }

    /// What the client does not read as the contract would have it, as sentences with the reasons.
    var dropsWithReasons: [String] {
        drops.map { "\(id) does not keep \($0.place): \($0.reason)" }
            + tolerances.map { "\(id) can do without \($0.place): \($0.reason)" }
    }
}
