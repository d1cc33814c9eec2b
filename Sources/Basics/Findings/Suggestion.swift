/// Finds the name that the writer probably meant, for "did you mean".
package enum Suggestion {
    /// Returns the candidate nearest to a misspelt name, or `nil` when none is near enough to be meant.
    ///
    /// Near is measured by the optimal string alignment distance: insertions, deletions, substitutions and swapped
    /// neighbours count one each, letter case counts nothing. A third of the longer name may differ, at least one
    /// letter and at most four. Among equals, one with the same first letter wins, then the first one, so the result
    /// does not depend on hashing.
    ///
    /// - Complexity: O(*n* · *m*) per candidate, for names of *n* and *m* scalars.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars)
        var best: (candidate: String, distance: (Int, Int))?
        for candidate in candidates {
            let offered = Array(candidate.lowercased().unicodeScalars)
            let allowed = min(4, max(1, max(wanted.count, offered.count) / 3))
            guard abs(wanted.count - offered.count) <= allowed else { continue }
            let distance = (distance(wanted, offered), wanted.first == offered.first ? 0 : 1)
            if distance.0 <= allowed, distance < best?.distance ?? (.max, 0) { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// The advice for an unknown name: the candidate that was probably meant, or all of them; `nil` without candidates.
    package static func advice(for name: String, among candidates: [String]) -> String? {
        if let meant = nearest(to: name, among: candidates) { return "did you mean \"\(meant)\"?" }
        return candidates.isEmpty ? nil : "use \(candidates.joined(lastBy: "or"))"
    }

    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        guard !left.isEmpty else { return right.count }
        guard !right.isEmpty else { return left.count }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let same = left[row - 1] == right[column - 1]
                var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    cost = min(cost, beforeLast[column - 2] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}

extension String {
    /// The text with everything escaped that would steer a terminal or hide: controls, line and direction marks.
    ///
    /// The joiners U+200C and U+200D stay, since words of Persian and many emoji are written with them.
    package var printable: String {
        // Looking a character's category up takes as long as everything else that is done for a line of the log.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        guard unicodeScalars.contains(where: \.isHidden) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case _ where scalar.isHidden: text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The beginning of a text that may be long.
    package var shortened: String {
        unicodeScalars.count > 60 ? String(String.UnicodeScalarView(unicodeScalars.prefix(59))) + "…" : self
    }
}

extension Unicode.Scalar {
    fileprivate var isHidden: Bool {
        if self == "\u{200C}" || self == "\u{200D}" { return false }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}

extension Sequence<String> {
    /// The words for a sentence: `a`, `a or b`, `a, b or c`.
    package func joined(lastBy word: String) -> String {
        let words = Array(self)
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) \(word) \(last)"
    }
}

extension Collection<String> {
    /// The words for a sentence, up to a number of them: `a, b and 3 more`.
    package func joined(upTo limit: Int) -> String {
        (prefix(limit) + (count > limit ? ["\(count - limit) more"] : [])).joined(lastBy: "and")
    }
}

extension Array where Element: Hashable {
    /// Each element once, where it is first.
    package var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
