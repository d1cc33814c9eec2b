extension ECMAPattern {
    /// How often a text is made and tried before the expression is given up.
    private static let mostTries = 50

    /// Makes a text that the expression matches, or `nil` when none was found.
    ///
    /// The same generator makes the same text. Every text has been searched before it is returned.
    ///
    /// - Parameter lengths: how long the text may be, in Unicode scalars. Without a lower bound that asks for more it
    ///   is not much longer than the expression needs.
    package func sample(
        lengths: ClosedRange<Int> = 0...Int.max,
        using generator: inout some RandomNumberGenerator
    ) -> String? {
        let needed = parsed.root.lengths
        guard max(needed.least, lengths.lowerBound) <= min(lengths.upperBound, LengthBounds.longestSample) else {
            return nil
        }
        let wanted = max(needed.least, parsed.root.leastThatLookaheadsWant)
        for attempt in 0..<ECMAPattern.mostTries {
            let isEven = attempt.isMultiple(of: 2)
            let least = max(isEven ? wanted : needed.least, lengths.lowerBound)
            let most = max(min(least + 8 + attempt, lengths.upperBound, max(needed.most, least)), least)
            let length = Int.random(in: least...most, using: &generator)
            let manner = PatternSampler.Manner(
                prefersLetters: attempt < 5 || isEven && attempt < 25,
                writesLookarounds: attempt % 4 >= 2
            )
            var sampler = PatternSampler(parsed, manner: manner)
            sampler.write(parsed.root, length: length, using: &generator)
            guard !sampler.isHopeless, sampler.text.count <= lengths.upperBound else { continue }
            let text = padded(sampler.text, to: lengths.lowerBound, using: &generator)
            if text.unicodeScalars.count >= lengths.lowerBound, search(in: text) == .match { return text }
        }
        return nil
    }

    /// Adds letters on both sides, since an expression may match in the midst of a text.
    private func padded(
        _ scalars: [Unicode.Scalar],
        to length: Int,
        using generator: inout some RandomNumberGenerator
    ) -> String {
        let missing = max(length - scalars.count, 0)
        let before = [0, missing, Int.random(in: 0...missing, using: &generator)].randomElement(using: &generator) ?? 0
        var text = String.UnicodeScalarView()
        for index in 0..<missing + scalars.count {
            if index >= before, index < before + scalars.count {
                text.append(scalars[index - before])
            } else if let letter = ScalarSet.lowercaseLetters.sample(prefersLetters: true, using: &generator) {
                text.append(letter)
            }
        }
        return String(text)
    }
}

extension PatternNode {
    /// How long a text must be for what its lookaheads want to see, as far as that is easily told.
    fileprivate var leastThatLookaheadsWant: Int {
        switch kind {
        case .look(let look, let body): look.negated || look.behind ? 0 : body.lengths.least
        case .sequence(let parts): parts.reduce(0) { max($0, $1.leastThatLookaheadsWant) }
        case .capture(_, let body): body.leastThatLookaheadsWant
        default: 0
        }
    }
}

extension ScalarSet {
    fileprivate static let lowercaseLetters = ScalarSet([0x61...0x7A])
}
