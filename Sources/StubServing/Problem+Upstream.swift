package import Simulation

/// The responses in place of an upstream server's. All of their words are here.
extension Problem {
    package static func upstreamLoop(_ origin: String) -> Problem {
        Problem(
            "upstream-loop",
            status: 508,
            title: "The request has passed this server before",
            detail:
                "The upstream \(origin) sends requests back to this server. Name the server behind it as the upstream."
        )
    }

    package static func slowUpstream(_ origin: String) -> Problem {
        Problem(
            "upstream-timeout",
            status: 504,
            title: "The upstream server did not respond in time",
            detail: "\(origin): no complete response arrived in time."
        )
    }

    package static func badUpstream(_ origin: String, _ reason: String, advice: String? = nil) -> Problem {
        Problem(
            "upstream-failed",
            status: 502,
            title: "The upstream server gave no usable response",
            detail: "\(origin): \(reason)." + (advice.map { " \($0)." } ?? "")
        )
    }

    package static func redirectedAway(_ origin: String, to target: String) -> Problem {
        Problem(
            "upstream-redirects-away",
            status: 502,
            title: "The upstream server redirects to another server",
            detail: "\(origin) redirects to \(target), which is not sent to the client."
        )
    }
}
