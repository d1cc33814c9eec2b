import Basics
package import ScenarioFormat
import Signatures

/// The TLS that clients receive since the scenario's start or an event.
package struct PlayedTLS: Sendable {
    package var behavior: TLSBehavior
    package var start: VirtualTime
    /// The number of events that have changed it; each creates a new key.
    package var number = 0
    var part: StoryPart?

    /// The lifetime of a certificate without an end in the scenario.
    private static let lifetime = Duration.seconds(Certificate.longestLifetime - 1)

    /// The validity of the certificate, whose end is not part of it; `nil` if it does not depend on the virtual clock.
    package var validity: ClosedRange<VirtualTime>? {
        let day = Duration.seconds(86_400)
        if behavior.kind == .notYetValid { return (start + day)...(start + day + Self.lifetime) }
        guard let expires = behavior.kind == .expired ? .zero - day : behavior.expires else { return nil }
        let end = start + expires
        // Longer than the usual lifetime only where the story requires it.
        return min(end - Self.lifetime, start - .seconds(3_600))...end
    }

    /// Returns whether a correct client rejects the server at a time.
    func isFlawed(at time: VirtualTime) -> Bool {
        guard behavior.minimum != .tls13 else { return true }
        switch behavior.kind {
        case .valid, .expired, .notYetValid:
            guard let validity else { return false }
            return time < validity.lowerBound || validity.upperBound <= time
        case .wrongName, .unknownAuthority, .selfSigned, .hang, .close, .alert: return true
        }
    }
}
