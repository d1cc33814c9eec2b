package import HTTPCodec

/// A request that began and did not end.
package enum UnfinishedRequest: Sendable, Hashable {
    case headTimedOut
    case bodyTimedOut
    /// The client ended its sending within the head; it may still read.
    case headBrokeOff
    case bodyBrokeOff

    package var status: HTTPStatus {
        switch self {
        case .headTimedOut, .bodyTimedOut: .requestTimeout
        case .headBrokeOff, .bodyBrokeOff: .badRequest
        }
    }

    package var sentence: String {
        switch self {
        case .headTimedOut: "the head of the request did not arrive in time"
        case .bodyTimedOut: "the body of the request did not arrive in time"
        case .headBrokeOff: "the connection ended within the head of the request"
        case .bodyBrokeOff: "the connection ended within the body of the request"
        }
    }
}
