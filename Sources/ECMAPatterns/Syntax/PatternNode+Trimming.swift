extension PatternNode {
    /// The expression without what a search that only asks whether there is a match need not take.
    ///
    /// A match may begin and end anywhere: of `[a-z]{1,64}x?` it is enough to find one letter. This keeps programs
    /// small where documents count to thousands.
    var trimmed: PatternNode {
        switch kind {
        case .repetition:
            return shortest
        case .sequence(var parts):
            if let first = parts.first { parts[0] = first.shortest }
            if let last = parts.last { parts[parts.count - 1] = last.shortest }
            return .sequence(parts)
        default:
            return self
        }
    }

    /// The part with as few repetitions as it needs, when it is one character repeated.
    private var shortest: PatternNode {
        guard case .repetition(var repetition, let body) = kind, case .member = body.kind else { return self }
        repetition.maximum = repetition.minimum
        return .repetition(repetition, body)
    }
}
