import Basics
package import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
package import Simulation

/// The server whose sessions send requests on.
package protocol ForwardingHost: Sendable {
    /// Takes in the message of an upstream before its last byte is sent to the client.
    ///
    /// - Returns: the message that takes its place, because the contract does not allow it.
    func note(_ answer: UpstreamAnswer, of exchange: ForwardedExchange) -> HTTPResponse?

    /// Plays what was learned of an upstream from now on, in addition to the scenario that the session began with.
    ///
    /// - Parameter lines: the lines that are printed about it.
    func learn(_ learned: LearnedParts, from exchange: ForwardedExchange, saying lines: [String])

    /// Prints a line.
    func say(_ line: String)
}

/// The sessions of a handler, for the responses of upstreams.
///
/// A class, because it exists before its handler.
final class ForwardingSessions: ForwardingHost {
    /// A reference to a handler that does not keep it alive.
    struct Reference: Sendable {
        weak var handler: StubHandler?
    }

    let reference = Lock(Reference())

    private var handler: StubHandler? { reference.withLock { $0.handler } }

    func note(_ answer: UpstreamAnswer, of exchange: ForwardedExchange) -> HTTPResponse? {
        guard let handler else { return nil }
        let handle = ExchangeHandle(rawValue: exchange.handle)
        return handler.sessions.session(ordinal: handle.session)?.note(answer, of: handle.exchange, at: handler.now)
    }

    func learn(_ learned: LearnedParts, from exchange: ForwardedExchange, saying lines: [String]) {
        guard let handler,
            let session = handler.sessions.session(ordinal: ExchangeHandle(rawValue: exchange.handle).session)
        else { return }
        handler.learn(learned, in: session, saying: lines)
    }

    func say(_ line: String) { handler?.log.say(line) }
}
