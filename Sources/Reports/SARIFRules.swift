import Basics
import HTTPCodec
import JSON

/// The rules of a SARIF run: each once, in the order of first mention, with the weight that it mostly has.
struct SARIFRules {
    private let rules: [(id: String, severity: Finding.Severity)]
    private let numbers: [ExactText: Int]

    init(_ findings: [Finding]) {
        rules = findings.grouped(by: \.id).map { ($0, $1.map(\.severity).max() ?? .note) }
        numbers = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.id.exact, $0) })
    }

    func index(of id: String) -> Int { numbers[id.exact] ?? -1 }

    var descriptors: [JSONValue] {
        rules.map { rule in
            [
                "id": .string(rule.id),
                "shortDescription": ["text": .string(SARIFRules.description(of: rule.id))],
                "defaultConfiguration": ["level": .string(rule.severity.rawValue)],
            ]
        }
    }

    /// The rule's name in words: `check/undocumented-route` is "Undocumented route (check)".
    private static func description(of id: String) -> String {
        let parts = id.split(separator: "/", maxSplits: 1).map(String.init)
        guard let name = parts.last, let first = name.first else { return "A finding without a name" }
        let words = first.uppercased() + name.dropFirst().split(separator: "-").joined(separator: " ")
        return parts.count == 2 ? "\(words) (\(parts[0]))" : words
    }
}
