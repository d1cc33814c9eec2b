import Basics
import Checking

/// The parts of a test that are wanted, and which of their findings.
package struct WantedChecks: Sendable, Hashable {
    /// For each part that is wanted, patterns for the ids of its findings; empty for all of them.
    private var patterns: [ClientTest.Part: [String]]

    /// All of every part.
    package init() {
        patterns = Dictionary(uniqueKeysWithValues: ClientTest.Part.allCases.map { ($0, []) })
    }

    /// What somebody asks for by name: whole parts, and findings by their ids, in which `*` stands for anything.
    ///
    /// A finding's id wants the parts that can find it, and a part that is named as well is wanted as a whole.
    ///
    /// - Parameter names: all of every part when there is none.
    /// - Throws: ``TestChoiceProblem`` for a name that fits nothing.
    package init(_ names: [String]) throws(TestChoiceProblem) {
        self.init()
        guard !names.isEmpty else { return }
        patterns = [:]
        for name in names {
            if let part = ClientTest.Part(rawValue: name) {
                patterns[part] = []
                continue
            }
            let pattern = NamePattern(name)
            let parts = ClientTest.Part.allCases.filter { $0.faults.contains(where: pattern.fits) }
            guard !parts.isEmpty else { throw Self.problem(of: name) }
            for part in parts where patterns[part] != [] { patterns[part, default: []].append(name) }
        }
    }

    /// The parts that are wanted, in their order.
    var parts: [ClientTest.Part] { ClientTest.Part.allCases.filter { patterns[$0] != nil } }

    /// Patterns for the ids of a part's findings; empty for all of them.
    func findings(of part: ClientTest.Part) -> [String] { patterns[part] ?? [] }

    private static func problem(of name: String) -> TestChoiceProblem {
        let parts = ClientTest.Part.allCases.map(\.rawValue)
        let meant = Suggestion.nearest(to: name, among: parts + ClientTest.Part.allCases.flatMap(\.faults))
        let advice =
            meant.map { "did you mean \($0)?" }
            ?? "there are \(parts.joined(lastBy: "and")), and what responses and variants find"
        return TestChoiceProblem(sentence: "there is no check \"\(name.shortened)\"; \(advice)".printable)
    }
}
