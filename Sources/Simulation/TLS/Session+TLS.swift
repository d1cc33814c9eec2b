package import Basics
package import ScenarioFormat

extension Session {
    /// The TLS that clients get; `nil` for the ordinary certificate.
    package var tls: PlayedTLS? { servedTLS.current }
    /// The TLS handshakes that failed, oldest first.
    package var failedHandshakes: [FailedHandshake] { servedTLS.failures }

    /// A client has begun a handshake: returns the TLS that it receives, and the time.
    package mutating func beginHandshake(at now: MonotonicTime) -> (tls: PlayedTLS, time: VirtualTime)? {
        let time = catchUp(at: now)
        if let part = tls?.part { story.note(part) }
        return tls.map { ($0, time) }
    }

    package mutating func note(_ failure: FailedHandshake, at now: MonotonicTime) {
        var failure = failure
        (failure.time, failure.moment, failure.afterExchange) = (catchUp(at: now), latest, lastExchange)
        failure.launch = client.launch(of: failure.process)
        servedTLS.note(failure)
    }
}
