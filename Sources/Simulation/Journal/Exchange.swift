package import Basics
package import HTTPCodec
package import ScenarioFormat

/// One request and its response, as the journal stores them.
///
/// The data that only some exchanges have (tokens, changes, violations, a fault …) is behind one reference, ``details``,
/// which most exchanges do not have. Its members are also members of the exchange.
@dynamicMemberLookup
package struct Exchange: Sendable {
    /// Counts from one in each session.
    package var number: UInt64
    /// When the request had arrived, on the session's clock.
    package var time = VirtualTime(seconds: 0)
    /// When it had arrived, on the machine's clock.
    package var arrival = MonotonicTime(nanoseconds: 0)
    /// The maximum time between its arrival and the server's notice, because the server was busy.
    package var lag = Duration.zero
    /// The time at which the response was sent, or the exchange ended without a response; `nil` until then.
    package var end: MonotonicTime?
    package var outcome = ExchangeOutcome.open
    package var connection: UInt64 = 0
    /// The launch of the client in which it came.
    package var launch = 1
    package var request = HTTPRequest(target: "/")
    /// A Boolean value that indicates whether the request is in memory anyway, because it has come before.
    var sharesRequest = false
    /// The key of the route that matched.
    package var route: String?
    package internal(set) var message = ResponseMessage.made(HTTPResponse(status: HTTPStatus(200)))
    package internal(set) var details: ExchangeDetails?

    /// The status of the response, which costs less to read than the whole response.
    package var status: HTTPStatus { message.status }

    package var response: HTTPResponse {
        get { message.response }
        set { message = .made(newValue) }
    }

    package subscript<Value>(dynamicMember member: WritableKeyPath<ExchangeDetails.Content, Value>) -> Value {
        get { details?.content[keyPath: member] ?? ExchangeDetails.none[keyPath: member] }
        set { changeDetails { $0[keyPath: member] = newValue } }
    }

    /// Replaces the details with changed ones.
    mutating func changeDetails(_ change: (inout ExchangeDetails.Content) -> Void) {
        var content = details?.content ?? ExchangeDetails.none
        change(&content)
        details = ExchangeDetails(content)
    }
}

extension Exchange {
    /// The earliest moment at which the request can have been sent, as far as the server knows.
    package var begin: MonotonicTime { arrival.advanced(by: .zero - lag) }

    // MARK: Changes after the decision

    mutating func note(_ violations: [Violation], replacement: HTTPResponse?) {
        if let replacement { response = replacement }
        guard !violations.isEmpty || self.sharesBody else { return }
        changeDetails {
            $0.violations += violations
            if replacement != nil { $0.sharesBody = false }
        }
    }

    /// - Returns: by how many bytes the exchange has grown.
    mutating func note(_ message: StreamMessage) -> Int {
        var growth = 0
        changeDetails { growth = $0.messages.append(message) }
        return growth
    }

    // MARK: Memory

    /// The memory overhead of a request in addition to its contents, measured over many small ones.
    private static let requestOverhead = 500
    /// The estimated size of the data that only some exchanges have, in bytes.
    private static let detailsOverhead = 500

    /// About how many bytes the journal keeps for it.
    var weight: Int {
        var weight = MemoryLayout<Exchange?>.stride
        if !sharesRequest {
            weight += Self.requestOverhead + request.target.utf8.count + request.fields.wireSize + request.body.count
        }
        if case .made(let response) = message {
            weight += 100 + response.fields.wireSize + (self.sharesBody ? 0 : response.body.count)
        }
        guard let details else { return weight }
        return weight + Self.detailsOverhead + details.content.violations.count * MemoryLayout<Violation>.size
    }
}
