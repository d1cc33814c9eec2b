import CommandLineArguments
import StubServing

/// The options of all commands that play scenarios.
enum PlayOptions {
    static let contract = Option(
        "contract",
        "MODE",
        ValueKind<ContractMode>(expected: "warn, enforce or off") { ContractMode(rawValue: $0) },
        "What is done about what the contract does not allow; warn unless told otherwise"
    )
}
