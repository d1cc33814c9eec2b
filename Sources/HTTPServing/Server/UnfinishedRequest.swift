import Basics
package import HTTPCodec
import TLS

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
        case .headTimedOut: "the request head did not arrive in time"
        case .bodyTimedOut: "the request body did not arrive in time"
        case .headBrokeOff: "the connection ended during the request head"
        case .bodyBrokeOff: "the connection ended during the request body"
        }
    }
}
