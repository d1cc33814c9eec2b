import Basics
package import EventLoops
package import HTTPCodec
import TLS

/// Exactly how an exchange went wrong, as a client on the wire sees it.
package enum HTTPClientFailure: Error, Sendable, Hashable {
    /// No server listens there.
    case refused
    /// The host is unknown, or the system had no way to it.
    case unreachable(SystemError)
    /// The peer broke the connection with an RST.
    case reset
    /// The peer ended the connection in order, before the first byte of the response.
    case closedWithoutResponse
    /// The peer ended the connection in order, within the response; `announced` is nil when no length was announced.
    case truncated(received: Int, announced: Int?)
    /// The received bytes are not an HTTP response.
    case malformed(String)
    /// The body has more bytes than this client takes.
    case bodyTooLarge(limit: Int)
    /// TLS failed, for the reason in the sentence.
    case tls(String)
    /// The proxy does not connect to the server, for the reason in the sentence.
    case proxy(String)
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

    /// A Boolean value that indicates whether the peer has sent at least the beginning of an HTTP response.
    package var isOfHTTP: Bool {
        if case .malformed(let sentence) = self { return !sentence.hasPrefix(Self.foreign) }
        return false
    }

    /// The beginning of the sentence about bytes of another protocol.
    private static let foreign = "the response is not HTTP"
    private static let unexpected = "received bytes without a request"

    /// The description without received bytes, which may be a part of a secret.
    package var descriptionWithoutBytes: String {
        guard case .malformed(let sentence) = self, [Self.foreign, Self.unexpected].contains(where: sentence.hasPrefix)
        else { return description }
        return HTTPClientFailure.malformed(String(sentence.prefix { $0 != ":" })).description
    }

    package init(_ error: HTTPResponseError) {
        switch error {
        case .closedWithoutResponse: self = .closedWithoutResponse
        case .truncatedHead(let received): self = .truncated(received: received, announced: nil)
        case .truncatedBody(let received, let announced): self = .truncated(received: received, announced: announced)
        case .malformed(.bodyTooLarge(let limit)): self = .bodyTooLarge(limit: limit)
        case .notHTTP, .malformed, .unexpectedBytes: self = .malformed(error.sentence)
        }
    }
}

extension HTTPClientFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused: "connection refused: no server is listening"
        case .unreachable(let error) where error.call == "getaddrinfo": "the host is unknown"
        case .unreachable(let error): "not reachable (\(error))"
        case .reset: "the connection was reset"
        case .closedWithoutResponse: "the connection was closed without a response"
        case .truncated(let received, let announced?): "the response ended after \(received) of \(announced) bytes"
        case .truncated(let received, nil): "the response ended after \(received) bytes"
        case .malformed(let sentence): "the response is not valid HTTP: \(sentence)"
        case .bodyTooLarge(let limit): "the body is larger than \(limit) bytes"
        case .tls(let sentence): "the TLS connection failed: \(sentence)"
        case .proxy(let sentence): sentence
        case .timedOut: "no complete response arrived in time"
        }
    }
}
