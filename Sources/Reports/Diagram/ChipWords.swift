extension StoryDiagram.Chip {
    /// A token that was brought, in words that get fewer: `refresh-1 valid, 13 d left, 1 d old`.
    ///
    /// One of another kind than was wanted is named first of all: `access-1 as refresh`.
    var wordsWhenBrought: [String] {
        let name = wanted.map { "\(id) as \($0)" } ?? id
        guard let timeLeft else { return [state.isEmpty ? name : "\(name) \(state)"] }
        let span = TimeWords.short(timeLeft)
        let words =
            if timeLeft >= 0 {
                "\(name) \(state), \(span) left"
            } else if state == "expired" {
                "\(name) expired \(span) ago"
            } else {
                "\(name) \(state), expired \(span) ago"
            }
        let long = age.map { ["\(words), \(TimeWords.short($0)) old"] } ?? []
        return long + [words, "\(name) \(state)"]
    }

    /// A token that was handed out: `+ access-2, lives 2 h`.
    var wordsWhenGranted: String {
        guard let timeLeft else { return "+ \(id)" }
        let span = TimeWords.short(timeLeft)
        if !state.isEmpty { return timeLeft < 0 ? "+ \(id) again, expired \(span) ago" : "+ \(id) again, \(span) left" }
        return timeLeft <= 0 ? "+ \(id), dead at once" : "+ \(id), lives \(span)"
    }
}
