import ECMAPatterns
import JSON

extension SampleMaker {
    /// A text that fits the name of its property, or one that is found by what patterns, lengths and formats require.
    mutating func text(_ constraints: Conjunction, name: String) -> String? {
        guard let lengths = constraints.lengths, lengths.lowerBound <= Self.lengthLimit else { return nil }
        let hasPatterns = constraints.texts.contains { $0.pattern != nil }
        let formats = constraints.textFormats
        if hasPatterns, let moment = moment(constraints) { return moment }
        for format in constraints.formats where !hasPatterns {
            if let text = NumberText.text(as: format, using: &chance), table.fits(text, constraints) { return text }
        }
        if !formats.isEmpty {
            for _ in 0..<Self.plainTries {
                let text = plainText(of: formats, name: name)
                if table.fits(text, constraints) { return text }
            }
        }
        if !formats.isEmpty || hasPatterns {
            let sample = table.text(constraints, formats, using: &chance)
            if case .text(let text) = sample { return text }
            // A format that only describes yields to what is asserted.
            guard !formats.isEmpty, !constraints.texts.contains(where: \.assertsFormat) else { return nil }
            if hasPatterns {
                guard case .text(let text) = table.text(constraints, [], using: &chance) else { return nil }
                return text
            }
        }
        return PlausibleTexts.text(for: name, using: &chance).fitted(to: lengths)
    }

    /// Longer texts than these are not made.
    static let lengthLimit = 1_000_000
    /// The texts of a format that are drawn in the hope that they also meet the rest.
    private static let plainTries = 4

    private mutating func plainText(of formats: [StringFormat], name: String) -> String {
        FormatSamples.text(of: formats[0], name: name, using: &chance)
    }

    /// A date of the calendar where the pattern requires one; most random texts of such patterns are not dates.
    private mutating func moment(_ constraints: Conjunction) -> String? {
        guard table.wantsMoments(constraints) else { return nil }
        let moment = FormatSamples.dateText(using: &chance)
        return DateTimeTexts.forms(of: moment).first { table.fits($0, constraints) }
    }
}

extension SchemaTable {
    /// Finds a text that patterns, lengths and formats allow together, or proves that none exists.
    mutating func text(
        _ constraints: Conjunction,
        _ formats: [StringFormat],
        using generator: inout some RandomNumberGenerator
    ) -> PatternSample {
        guard let lengths = constraints.lengths else { return .impossible }
        let patterns = constraints.texts.compactMap(\.pattern)
        let key = TextKey(patterns: patterns.map(\.source), formats: formats, lengths: lengths)
        if let known = textless[key] { return known }
        let forms = formats.map(\.patterns)
        var sample = PatternSample.notFound
        // The widest forms of the formats come last: only what these exclude does not exist.
        for level in 0..<max(forms.map(\.count).max() ?? 1, 1) {
            let chosen = forms.compactMap { $0.isEmpty ? nil : $0[min(level, $0.count - 1)] }
            sample = ECMAPattern.sample(of: patterns + chosen, lengths: lengths, using: &generator) { text in
                formats.allSatisfy { $0.accepts(text) }
            }
            if case .text = sample { return sample }
        }
        if sample == .impossible, formats.contains(where: { !$0.hasWidestPattern }) { sample = .notFound }
        textless[key] = sample
        return sample
    }
}

/// The requirements of a text for which none was found.
struct TextKey: Hashable, Sendable {
    var patterns: [String]
    var formats: [StringFormat]
    var lengths: ClosedRange<Int>
}

extension String {
    /// The text, shortened or lengthened to the limits, in ASCII and without a space at its end.
    fileprivate func fitted(to lengths: ClosedRange<Int>) -> String {
        var scalars = Array(unicodeScalars.prefix(lengths.upperBound))
        if scalars.last == " " { scalars[scalars.count - 1] = "x" }
        if scalars.count < lengths.lowerBound {
            let filler = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
            for index in 0..<(lengths.lowerBound - scalars.count) { scalars.append(filler[index % filler.count]) }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
