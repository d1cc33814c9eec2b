import CommandLineInterface
import ScenarioFormat

extension ValueKind<String> {
    /// A duration as it was written, for a call of the admin API.
    static func duration(suchAs examples: String) -> Self {
        Self(expected: "a duration such as \(examples)") { DurationText.parse($0) == nil ? nil : $0 }
    }
}
