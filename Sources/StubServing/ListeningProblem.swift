import EventLoops
import HTTPCodec
import HTTPServing
import Simulation

/// Why a server cannot listen where it was told to.
package struct ListeningProblem: Error, Sendable, Hashable {
    package var host: String
    package var port: UInt16
    let reason: SystemError

    init(_ reason: SystemError, host: String, port: UInt16) {
        self.reason = reason
        self.host = host
        self.port = port
    }

    /// What is wrong and what to do about it, without a full stop.
    package var sentence: String {
        switch reason.number {
        case .addressInUse:
            "port \(port) is in use, perhaps by another Backlot; "
                + "stop the program that has it, or choose another one with --port, such as --port 0 for any free one"
        case .notPermitted:
            "port \(port) may not be used by you; choose one above 1023 with --port"
        case let number where number.meansNoSuchAddress:
            "\"\(host)\" is not an address of this machine; --host takes one, or localhost for loopback, or * for all"
        default:
            "the system does not let the server listen at \(host), port \(port) (\(reason))"
        }
    }
}

/// The server's own responses to what never reaches a session. All of their words are here.
extension Problem {
    static let badSessionName = Problem(
        "bad-session-name",
        status: 400,
        title: "No session can have this name",
        detail: "A session's name has \(SessionAddress.nameRule)."
    )

    static func tooManySessions(_ capacity: Int) -> Problem {
        Problem(
            "too-many-sessions",
            status: 503,
            title: "There are too many sessions",
            detail: "There are \(capacity) sessions already. Delete one with DELETE /__backlot/sessions/NAME."
        )
    }

    static let goneSession = Problem(
        "session-gone",
        status: 410,
        title: "The session of this listener was deleted",
        detail: "This address has no session any more. GET /__backlot/sessions lists the sessions there are."
    )

    /// Bytes that are no request, or one that is larger than may be.
    init(_ refusal: HTTPRefusal) {
        let isTooLarge = [413, 414, 431].contains(refusal.status.code)
        self.init(
            isTooLarge ? "too-large" : "not-http",
            status: refusal.status.code,
            title: isTooLarge ? "The request is too large" : "The request cannot be understood as HTTP",
            detail: refusal.sentence.prefix(1).uppercased() + refusal.sentence.dropFirst() + "."
        )
    }

    /// A request that began and did not end, by the clock or because its sender has gone.
    init(_ request: UnfinishedRequest) {
        let isLate = request.status == .requestTimeout
        self.init(
            isLate ? "too-slow" : "broken-off",
            status: request.status.code,
            title: isLate ? "The request did not arrive in time" : "The request broke off",
            detail: "\(request.sentence.prefix(1).uppercased() + request.sentence.dropFirst())."
        )
    }
}

/// What arrived and could not be read as a request, so that no journal has it.
package struct Refusals: Sendable, Hashable {
    package private(set) var count = 0
    /// Why the first was refused, as a sentence without a closing full stop.
    package private(set) var first: String?

    package init() {}

    mutating func note(_ sentence: String) {
        count += 1
        if first == nil { first = sentence }
    }
}
