/// The reason why bytes were refused as a request.
///
/// The response is sent and the connection closed, since what follows is unknown.
package struct HTTPRefusal: Error, Sendable, Hashable {
    package let reason: HTTPFault

    /// The line of the message head, counted from one; `nil` once the head is behind.
    package let line: Int?

    /// The method, when the request line was understood.
    package let method: HTTPMethod?

    /// The target, when the request line was understood.
    package let target: String?

    package init(_ reason: HTTPFault, line: Int? = nil, method: HTTPMethod? = nil, target: String? = nil) {
        self.reason = reason
        self.line = line
        self.method = method
        self.target = target
    }

    package var status: HTTPStatus { reason.status }

    /// The finding and what was expected.
    package var sentence: String {
        guard let line else { return reason.sentence }
        return "\(reason.sentence) (line \(line) of the message head)"
    }
}

extension HTTPRefusal: CustomStringConvertible {
    package var description: String { "\(status.code): \(sentence)" }
}
