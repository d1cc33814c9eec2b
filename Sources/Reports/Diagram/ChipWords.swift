extension StoryDiagram.Chip {
    /// A token that was brought, in words that get fewer: `refresh-1 valid, 13 d left, 1 d old`.
    ///
    /// One of another kind than was wanted is named first of all: `access-1 as refresh`.
    var wordsWhenBrought: [String] {
        let name = wanted.map { "\(id) as \($0)" } ?? id
        guard let timeLeft else { return [state.isEmpty ? name : "\(name) \(state)"] }
        func words(_ span: String) -> String {
            if timeLeft >= 0 { return "\(name) \(state), \(span) left" }
            return state == "expired" ? "\(name) expired \(span) ago" : "\(name) \(state), expired \(span) ago"
        }
        let exact = words(TimeWords.short(timeLeft))
        let long = age.map { ["\(exact), \(TimeWords.short($0)) old"] } ?? []
        return long + [exact, words(TimeWords.short(timeLeft, units: 1)), "\(name) \(state)"]
    }

    /// A token that was handed out: `+ access-2, lives 2 h`.
    var wordsWhenGranted: String {
        guard let timeLeft else { return "+ \(id)" }
        // A signed token dies at a whole second, so one of two hours lives for a little less.
        let span = TimeWords.short(timeLeft >= 1 ? timeLeft.rounded(.up) : timeLeft)
        if !state.isEmpty { return timeLeft < 0 ? "+ \(id) again, expired \(span) ago" : "+ \(id) again, \(span) left" }
        return timeLeft <= 0 ? "+ \(id), dead at once" : "+ \(id), lives \(span)"
    }
}
