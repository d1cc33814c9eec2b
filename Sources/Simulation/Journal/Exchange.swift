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

/// The data that only some exchanges have.
///
/// A class, so that exchanges may share it. Immutable, so that the log may read it while the session continues.
package final class ExchangeDetails: Sendable {
    package let content: Content

    /// - Returns: `nil` for an exchange without any of the data.
    init?(_ content: consuming Content) {
        if content.isEmpty { return nil }
        self.content = content
    }

    fileprivate static let none = Content()

    package struct Content: Sendable {
        /// The process of the client that sent it, where several share the session.
        package var process: String?
        /// The other server that was asked; `nil` for the backend itself.
        package var origin: String?
        /// The gate that held it.
        package var hold: GateHold?
        /// The case or guard that answered.
        package var answeredBy: String?
        package var nearest: NearestRoute?
        package var fault: Fault.Kind?
        /// The number of the fault that a user had armed for it.
        package var armedFault: Int?
        /// A Boolean value that indicates whether grants and changes took place.
        package var isCommitted = true
        /// The time for which the response was held back on purpose.
        package var wait = Duration.zero
        /// The time for which it was held after that in real time, so that what was sent before it was known came first.
        package var refusalHold = Duration.zero
        package var device: String?
        package var account: String?
        package var offered: [OfferedToken] = []
        /// The tokens handed out: kind, id (`nil` for null) and where each came from.
        package var granted: [GrantedToken] = []
        package var stateChanges: [Event.StateChange] = []
        package var findings: [Finding] = []
        /// The contract violations of the request and the response.
        package var violations: [Violation] = []
        /// The reason why the response breaks the contract on purpose.
        package var breaks: String?
        /// Its messages, if it is a stream.
        package var messages = StreamMessages()
        /// A Boolean value that indicates whether the response's body is in the scenario anyway, so that storing it costs
        /// nothing.
        var sharesBody = false

        /// A Boolean value that indicates whether there is nothing to store.
        fileprivate var isEmpty: Bool {
            process == nil && origin == nil && hold == nil && answeredBy == nil && nearest == nil && fault == nil
                && armedFault == nil
                && isCommitted && wait == .zero && refusalHold == .zero && device == nil && account == nil
                && offered.isEmpty && granted.isEmpty && stateChanges.isEmpty && findings.isEmpty && violations.isEmpty
                && breaks == nil && messages.isEmpty && !sharesBody
        }
    }
}

/// One start of the client, or of one of its processes.
package struct LaunchIdentity: Sendable, Hashable {
    package var process: String?
    package var number: Int
}

extension Exchange {
    package var launchIdentity: LaunchIdentity { LaunchIdentity(process: self.process, number: launch) }
}

/// The time that an exchange was held at a gate.
package struct GateHold: Sendable, Hashable {
    package var gate: String
    /// Real time.
    package var duration: Duration

    package init(gate: String, duration: Duration) {
        self.gate = gate
        self.duration = duration
    }
}

/// A token that a response handed out.
package struct GrantedToken: Sendable, Hashable {
    package var kind: String
    /// `nil` where null was handed out.
    package var id: String?
    package var source: Grant.Source
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
