public import Foundation

/// Why a call came to nothing, before an app puts it into its own words.
enum ServiceProblem: Error, Sendable, Hashable {
    /// There is no answer.
    case transport(TransportFailure)
    /// The server says no.
    case status(TransportResponse)
    /// The server says yes, but not what was documented.
    case undecodable(UndecodableResponse)
    /// Nobody is signed in, so nothing was sent.
    case signedOut
    /// The session is over; its tokens are forgotten.
    case sessionEnded(SessionEvent.Reason)
    /// The tokens cannot be read, saved or cleared.
    case storage(String)
    /// The request is wrong before it is sent, for the reason given.
    case unsendable(String)
}

/// An answer with a good status that cannot be read.
public struct UndecodableResponse: Error, Sendable {
    /// The status, a good one.
    public let status: Int
    /// The body as it came.
    public let body: Data
    /// What the decoder says, with the coding path.
    public let reason: DecodingError

    /// An answer and what the decoder has against it.
    public init(status: Int, body: Data, reason: DecodingError) {
        self.status = status
        self.body = body
        self.reason = reason
    }
}

extension UndecodableResponse: Hashable {
    /// Whether both are the same answer; the decoder's words do not matter.
    public static func == (left: UndecodableResponse, right: UndecodableResponse) -> Bool {
        left.status == right.status && left.body == right.body
    }

    /// Hashes the answer.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(body)
    }
}
