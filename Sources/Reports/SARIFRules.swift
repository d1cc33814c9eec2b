import Basics
import JSON

/// The rules of a SARIF run: each once, in the order of first mention, with the weight that it mostly has.
struct SARIFRules {
    private var numbers: [[UInt8]: Int] = [:]
    private var rules: [(id: String, severity: Finding.Severity)] = []

    init(_ findings: [Finding]) {
        for finding in findings {
            let key = Array(finding.id.utf8)
            if let number = numbers[key] {
                rules[number].severity = max(rules[number].severity, finding.severity)
            } else {
                numbers[key] = rules.count
                rules.append((finding.id, finding.severity))
            }
        }
    }

    func index(of id: String) -> Int { numbers[Array(id.utf8)] ?? -1 }

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
