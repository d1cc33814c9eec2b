import ECMAPatterns
import Testing

/// An expression with texts that it matches and texts that it does not.
struct PatternCase: Sendable, CustomTestStringConvertible {
    var pattern: String
    var matches: [String]
    var others: [String]

    init(_ pattern: String, matches: [String] = [], not others: [String] = []) {
        self.pattern = pattern
        self.matches = matches
        self.others = others
    }

    var testDescription: String { pattern }

    /// Searches every text with the expression as it is, and again in forms that other machinery has to run.
    func check() throws {
        for form in [pattern, "(?=)(?:\(pattern))", "(?:\(pattern))(?<again>)\\k<again>"] {
            let compiled = try ECMAPattern(form)
            for text in matches {
                #expect(compiled.search(in: text) == .match, "\(form) in \(text.debugDescription)")
            }
            for text in others {
                #expect(compiled.search(in: text) == .noMatch, "\(form) in \(text.debugDescription)")
            }
        }
    }
}
