/// The result of making a text that expressions match.
package enum PatternSample: Sendable, Hashable {
    case text(String)
    /// No text is matched by all expressions and has one of the lengths.
    case impossible
    /// No text was found in the steps that a search may take, though there may be one.
    case notFound
}

extension ECMAPattern {
    /// The numbers of texts that are written by the tree of an expression, and of those that are tried where a search
    /// cannot tell.
    private static let mostTries = 16
    private static let mostTriesForBackreferences = 200

    /// Makes a text that expressions match.
    ///
    /// The same generator makes the same text. Every text has been searched before it is returned.
    ///
    /// - Parameters:
    ///   - patterns: the expressions, each of which has to match.
    ///   - lengths: how long the text may be, in Unicode scalars. Without a lower bound that asks for more it is not much
    ///     longer than the expressions need.
    ///   - accepts: a further requirement of the text.
    package static func sample(
        of patterns: [ECMAPattern],
        lengths: ClosedRange<Int> = 0...Int.max,
        using generator: inout some RandomNumberGenerator,
        where accepts: (String) -> Bool = { _ in true }
    ) -> PatternSample {
        let needed = patterns.map(\.parsed.root.lengths.least).max() ?? 0
        guard needed <= lengths.upperBound else { return .impossible }
        guard max(needed, lengths.lowerBound) <= LengthBounds.longestSample else { return .notFound }
        for pattern in patterns {
            let text = pattern.written(lengths, tries: mostTries, using: &generator) { text in
                patterns.allSatisfy { $0.search(in: text) == .match } && accepts(text)
            }
            if let text { return .text(text) }
        }
        var search = TextSearch(patterns, lengths: lengths)
        switch search?.find(using: &generator, where: accepts) {
        case .text(let text): return .text(text)
        case .impossible: return .impossible
        case .unknown, nil: break
        }
        for pattern in patterns {
            let text = pattern.written(lengths, tries: mostTriesForBackreferences, using: &generator) { text in
                patterns.allSatisfy { $0.search(in: text) == .match } && accepts(text)
            }
            if let text { return .text(text) }
        }
        return .notFound
    }

    /// Makes a text that the expression matches, or `nil` if none exists or none was found.
    package func sample(
        lengths: ClosedRange<Int> = 0...Int.max,
        using generator: inout some RandomNumberGenerator
    ) -> String? {
        if case .text(let text) = Self.sample(of: [self], lengths: lengths, using: &generator) { text } else { nil }
    }

    /// Writes texts by the tree of the expression until one is accepted.
    private func written(
        _ lengths: ClosedRange<Int>,
        tries: Int,
        using generator: inout some RandomNumberGenerator,
        where accepts: (String) -> Bool
    ) -> String? {
        let needed = parsed.root.lengths
        let wanted = max(needed.least, parsed.root.leastThatLookaheadsWant)
        for attempt in 0..<tries {
            let isEven = attempt.isMultiple(of: 2)
            // What backreferences repeat comes on top of the length that is dealt out.
            let least =
                attempt < Self.mostTries
                ? max(isEven ? wanted : needed.least, lengths.lowerBound)
                : max(lengths.lowerBound - attempt, needed.least)
            let most = max(min(least + 8 + attempt % 50, lengths.upperBound, max(needed.most, least)), least)
            let length = Int.random(in: least...most, using: &generator)
            let manner = PatternSampler.Manner(
                prefersLetters: attempt < 5 || isEven && attempt < 25,
                writesLookarounds: attempt % 4 >= 2
            )
            var sampler = PatternSampler(parsed, manner: manner)
            sampler.write(parsed.root, length: length, using: &generator)
            guard !sampler.isHopeless, sampler.text.count <= lengths.upperBound else { continue }
            let text = padded(sampler.text, to: lengths.lowerBound, using: &generator)
            if text.unicodeScalars.count >= lengths.lowerBound, accepts(text) { return text }
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
