import HTTPCodec
import HTTPServing
import Simulation

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

extension OutgoingResponse {
    init(problem: Problem) {
        self.init(problem.response)
    }
}
