import Basics
import ScenarioFormat

/// The TLS of a session as the scenario and its events change it, and the handshakes that failed.
struct ServedTLS: Sendable {
    /// `nil` for the ordinary certificate.
    private(set) var current: PlayedTLS?
    /// The oldest first.
    private(set) var failures: [FailedHandshake] = []
    /// The maximum number of failed handshakes, so that a client that retries in a loop cannot fill the memory.
    private static let mostFailures = 1_000

    /// Begins with the TLS of a scenario.
    mutating func begin(_ scenario: Scenario, at start: VirtualTime) {
        guard let behavior = scenario.tls else { return current = nil }
        change(to: behavior, at: start, as: scenario.parts.first { $0.kind == .handshake && $0.trigger == nil })
    }

    /// Changes the TLS that clients receive.
    mutating func change(to behavior: TLSBehavior, at start: VirtualTime, as part: StoryPart?) {
        current = PlayedTLS(behavior: behavior, start: start, number: (current?.number ?? -1) + 1, part: part)
    }

    mutating func note(_ failure: FailedHandshake) {
        guard failures.count < Self.mostFailures else { return }
        var failure = failure
        failure.isPlanned = current?.isFlawed(at: failure.time) ?? false
        failures.append(failure)
    }

    mutating func removeFailures() { failures = [] }
}
