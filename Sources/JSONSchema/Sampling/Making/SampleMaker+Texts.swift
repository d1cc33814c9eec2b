import Basics
import ECMAPatterns
import JSON

extension SampleMaker {
    mutating func text(_ demand: Demand, name: String) -> String? {
        let minimum = demand.texts.map(\.minimumLength).max() ?? 0
        let maximum = demand.texts.compactMap(\.maximumLength).min() ?? .max
        guard minimum <= maximum, minimum <= Self.lengthLimit else { return nil }
        let patterns = demand.texts.compactMap(\.pattern)
        let formats = demand.formats
        if !patterns.isEmpty, let moment = moment(demand) { return moment }
        for attempt in 0..<24 {
            var text = plainText(of: formats, name: name)
            if !patterns.isEmpty, attempt > 0 || formats.isEmpty {
                guard let sample = table.pattern(patterns[attempt % patterns.count])?.sample(using: &chance) else {
                    continue
                }
                text = sample
            } else if formats.isEmpty {
                text = text.fitted(from: minimum, to: maximum)
            } else if attempt > 0, formats.count == 1, StringFormat(rawValue: formats[0])?.isFree ?? true {
                text = text.fitted(from: minimum, to: maximum)
            }
            let length = text.unicodeScalars.count
            guard minimum <= length, length <= maximum, formats.allSatisfy({ isOfFormat(text, $0) }) else { continue }
            if patterns.allSatisfy({ table.pattern($0)?.search(in: text) == .match }) { return text }
        }
        return nil
    }

    /// Longer texts than these are not made.
    private static let lengthLimit = 1_000_000

    private mutating func plainText(of formats: [String], name: String) -> String {
        for format in formats {
            if let text = FormatSamples.text(of: format, name: name, using: &chance) { return text }
        }
        return PlausibleTexts.text(for: name, using: &chance)
    }

    /// A date of the calendar where the pattern wants one; most that chance finds by such patterns are none.
    private mutating func moment(_ demand: Demand) -> String? {
        guard table.wantsMoments(demand) else { return nil }
        let moment = RFC3339.format(secondsSince1970: FormatSamples.moment(&chance))
        return DateTimeTexts.forms(of: moment).first { table.fits($0, demand) }
    }

    private func isOfFormat(_ text: String, _ format: String) -> Bool {
        FormatChecker.accepts(text, as: format) ?? true
    }
}

extension StringFormat {
    /// Whether every text will do.
    fileprivate var isFree: Bool { self == .binary || self == .password }
}

extension String {
    /// The text, shortened or lengthened to the limits, in ASCII and without a space at its end.
    fileprivate func fitted(from minimum: Int, to maximum: Int) -> String {
        var scalars = Array(unicodeScalars.prefix(maximum))
        if scalars.last == " " { scalars[scalars.count - 1] = "x" }
        if scalars.count < minimum {
            let filler = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
            for index in 0..<(minimum - scalars.count) { scalars.append(filler[index % filler.count]) }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
