import CommandLineInterface
import ScenarioFormat
import StubServing

/// The options of all commands that play scenarios.
enum PlayOptions {
    static let contract = Option(
        "contract",
        "MODE",
        ValueKind<ContractMode>(expected: "warn, enforce or off") { ContractMode(rawValue: $0) },
        "What is done about what the contract does not allow; warn unless told otherwise"
    )
    static let refusalHold = Option(
        "hold-refusals",
        "DURATION",
        ValueKind<Duration>(expected: "a duration such as 80ms, or 0s", write: DurationText.text) { text in
            DurationText.parse(text == "0" ? "0s" : text)
        },
        "Hold token refusals and responses to refreshes in a story, in real time; 50ms unless told otherwise, 0 is off"
    )
}
