import EventLoops
import HTTPCodec
import HTTPServing
import Simulation

/// The reason why a server cannot listen at its address.
package struct ListeningProblem: Error, Sendable, Hashable {
    package var host: String
    package var port: UInt16
    let reason: SystemError

    init(_ reason: SystemError, host: String, port: UInt16) {
        self.reason = reason
        self.host = host
        self.port = port
    }

    /// The problem and its remedy, without a full stop.
    package var sentence: String {
        switch reason.number {
        case .addressInUse:
            "port \(port) is in use, perhaps by another Backlot server; "
                + "stop the program that uses the port, or set another port with --port; --port 0 chooses a free port"
        case .notPermitted:
            "you are not allowed to listen on port \(port); choose a port above 1023 with --port"
        case let number where number.meansNoSuchAddress:
            "\"\(host)\" is not an address of this machine; use one of the machine's "
                + "addresses, localhost for loopback, or * for all addresses"
        default:
            "the system does not allow the server to listen on \(host), port \(port) (\(reason))"
        }
    }
}

/// The server's own responses to what never reaches a session. All of their words are here.
extension Problem {
    static let badSessionName = Problem(
        "bad-session-name",
        status: 400,
        title: "The session name is not valid",
        detail: "A session name consists of \(SessionAddress.nameRule)."
    )

    static func tooManySessions(_ capacity: Int) -> Problem {
        Problem(
            "too-many-sessions",
            status: 503,
            title: "Too many sessions",
            detail: "The server has reached the maximum of \(capacity) sessions. Delete a session with DELETE "
                + "/__backlot/sessions/NAME."
        )
    }

    static let goneSession = Problem(
        "session-gone",
        status: 410,
        title: "This listener's session was deleted",
        detail: "The session at this address was deleted. GET /__backlot/sessions lists the other sessions."
    )

    /// Bytes that are not a request, or a request that is too large.
    init(_ refusal: HTTPRefusal) {
        let isTooLarge = [413, 414, 431].contains(refusal.status.code)
        self.init(
            isTooLarge ? "too-large" : "not-http",
            status: refusal.status.code,
            title: isTooLarge ? "The request is too large" : "The request is not valid HTTP",
            detail: refusal.sentence.prefix(1).uppercased() + refusal.sentence.dropFirst() + "."
        )
    }

    /// A request that began and did not end, by the clock or because its sender has gone.
    init(_ request: UnfinishedRequest) {
        let isLate = request.status == .requestTimeout
        self.init(
            isLate ? "too-slow" : "broken-off",
            status: request.status.code,
            title: isLate ? "The request did not arrive in time" : "The request was interrupted",
            detail: "\(request.sentence.prefix(1).uppercased() + request.sentence.dropFirst())."
        )
    }
}

/// Received bytes that are not a request, so that no journal has them.
package struct Refusals: Sendable, Hashable {
    package private(set) var count = 0
    /// The reason why the first was refused, as a sentence without a closing full stop.
    package private(set) var first: String?
    /// The remedy for the first; `nil` for the usual one.
    package private(set) var advice: String?

    package init() {}

    mutating func note(_ sentence: String, advice: String? = nil) {
        count += 1
        if first == nil { (first, self.advice) = (sentence, advice) }
    }
}
