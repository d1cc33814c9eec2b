package import HTTPCodec

/// What is answered while one call is made: some operations as told, every other one with its usual success.
package struct ResponsePlan: Sendable {
    /// Answers by ``ClientOperation/id``, in turn; the last one goes on.
    package var answers: [String: [PlannedResponse]]
    /// A call that sends more requests than this never ends.
    package var requestLimit: Int

    package init(_ answers: [String: [PlannedResponse]] = [:], requestLimit: Int = 24) {
        self.answers = answers
        self.requestLimit = requestLimit
    }

    /// Answers one operation as told.
    package init(_ operation: String, _ answers: PlannedResponse...) {
        self.init([operation: answers])
    }
}

/// What comes back, or does not.
package enum PlannedResponse: Sendable, Hashable {
    case response(HTTPResponse)
    case fault(ConnectionFault, HTTPResponse)

    /// The status that the client sees; `nil` when it sees none.
    package var status: Int? {
        if case .response(let response) = self { response.status.code } else { nil }
    }
}

/// Ways in which a connection fails.
package enum ConnectionFault: String, Sendable, Hashable, CaseIterable {
    /// Nobody listens; the whole server is away.
    case refused
    /// An RST instead of a response.
    case reset
    /// An orderly end without one byte.
    case empty
    /// Half of the body, then an orderly end.
    case cut
    /// Bytes that are no HTTP.
    case malformed
    /// No answer, ever.
    case never
}
