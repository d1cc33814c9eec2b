package import EventLoops
package import HTTPCodec

/// Exactly how an exchange went wrong, as a client on the wire sees it.
package enum HTTPClientFailure: Error, Sendable, Hashable {
    /// Nobody listens there.
    case refused
    /// The host is unknown, or the system had no way to it.
    case unreachable(SystemError)
    /// The peer broke the connection with an RST.
    case reset
    /// The peer ended the connection in order, before the first byte of the response.
    case closedWithoutResponse
    /// The peer ended the connection in order, within the response; `announced` is nil when nobody said how much comes.
    case truncated(received: Int, announced: Int?)
    /// What came is no HTTP response.
    case malformed(String)
    /// Nothing, or not enough, came in time.
    case timedOut

    package init(_ error: SystemError) {
        switch error.number {
        case .connectionRefused: self = .refused
        case .connectionReset, .brokenPipe: self = .reset
        case .timedOut: self = .timedOut
        default: self = .unreachable(error)
        }
    }

    package init(_ error: HTTPResponseError) {
        switch error {
        case .closedWithoutResponse: self = .closedWithoutResponse
        case .truncatedHead(let received): self = .truncated(received: received, announced: nil)
        case .truncatedBody(let received, let announced): self = .truncated(received: received, announced: announced)
        case .notHTTP, .malformed, .unexpectedBytes: self = .malformed(error.sentence)
        }
    }
}

extension HTTPClientFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused: "connection refused: no server listens there"
        case .unreachable(let error): "not reachable (\(error))"
        case .reset: "the connection was reset"
        case .closedWithoutResponse: "the connection was closed without a response"
        case .truncated(let received, let announced?): "the response broke off after \(received) of \(announced) bytes"
        case .truncated(let received, nil): "the response broke off after \(received) bytes"
        case .malformed(let sentence): "not an HTTP response: \(sentence)"
        case .timedOut: "no whole response in time"
        }
    }
}
