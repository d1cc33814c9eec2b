extension StoryDiagram.Chip {
    /// A token that was brought, in words that get fewer: `refresh-1 valid, 13 d left, 1 d old`.
    var wordsWhenBrought: [String] {
        var words = id
        if !state.isEmpty { words += " \(state)" }
        var forms: [String] = []
        if let timeLeft {
            words += timeLeft < 0 ? " \(TimeWords.short(timeLeft)) ago" : ", \(TimeWords.short(timeLeft)) left"
            if state != "expired", timeLeft < 0 { words = "\(id) \(state), expired \(TimeWords.short(timeLeft)) ago" }
        }
        if let age { forms.append("\(words), \(TimeWords.short(age)) old") }
        return forms + [words, "\(id) \(state)"]
    }

    /// A token that was handed out: `+ access-2, lives 2 h`.
    var wordsWhenGranted: String {
        guard let timeLeft else { return "+ \(id)" }
        return timeLeft <= 0 ? "+ \(id), dead at once" : "+ \(id), lives \(TimeWords.short(timeLeft))"
    }
}
