package import Basics
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
    fileprivate func isFlawed(at time: VirtualTime) -> Bool {
        guard behavior.minimum != .tls13 else { return true }
        switch behavior.kind {
        case .valid, .expired, .notYetValid:
            guard let validity else { return false }
            return time < validity.lowerBound || validity.upperBound <= time
        case .wrongName, .unknownAuthority, .selfSigned, .hang, .close, .alert: return true
        }
    }
}

extension Session {
    /// The maximum number of failed handshakes, so that a client that retries in a loop cannot fill the memory.
    private static let mostFailedHandshakes = 1_000

    /// Changes the TLS that clients receive.
    mutating func play(_ behavior: TLSBehavior, from start: VirtualTime, as part: StoryPart?) {
        tls = PlayedTLS(behavior: behavior, start: start, number: (tls?.number ?? -1) + 1, part: part)
    }

    /// Begins with the TLS of the scenario.
    mutating func playTLS() {
        guard let behavior = played.scenario.tls else { return tls = nil }
        play(behavior, from: start, as: played.scenario.parts.first { $0.kind == .handshake && $0.trigger == nil })
    }

    /// A client has begun a handshake: returns the TLS that it receives, and the time.
    package mutating func beginHandshake(at now: MonotonicTime) -> (tls: PlayedTLS, time: VirtualTime)? {
        let time = catchUp(at: now)
        if let part = tls?.part { notePlay(of: part) }
        return tls.map { ($0, time) }
    }

    package mutating func note(_ failure: FailedHandshake, at now: MonotonicTime) {
        guard failedHandshakes.count < Self.mostFailedHandshakes else { return }
        var failure = failure
        (failure.time, failure.moment, failure.afterExchange) = (catchUp(at: now), latest, lastExchange)
        failure.launch = client.launch(of: failure.process)
        failure.isPlanned = tls?.isFlawed(at: failure.time) ?? false
        failedHandshakes.append(failure)
    }
}
