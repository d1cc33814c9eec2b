package import Basics
package import HTTPCodec
package import ScenarioFormat

/// An exchange as the journal keeps it: a few words and references, which become an ``Exchange`` when it is read.
///
/// What only some exchanges have (tokens, changes, violations, a fault …) lies behind one reference, which most do without.
package struct JournalEntry: Sendable {
    /// A response as it was sent.
    package enum Message: Sendable {
        case made(HTTPResponse)
        /// One that lies in the scenario, with the second in which it was sent.
        case prepared(PreparedResponse, dated: Int64)

        package var response: HTTPResponse {
            switch self {
            case .made(let response): response
            case .prepared(let response, let second): response.response(dated: second)
            }
        }

        package var status: HTTPStatus {
            switch self {
            case .made(let response): response.status
            case .prepared(let response, _): response.status
            }
        }
    }

    package let number: UInt64
    package let time: VirtualTime
    package let arrival: MonotonicTime
    package let lag: Duration
    package let connection: UInt64
    package let launch: Int
    package let request: HTTPRequest
    /// A Boolean value that indicates whether the request lies in the memory anyway, because it has come before.
    let sharesRequest: Bool
    package let route: String?
    package private(set) var message: Message
    package private(set) var details: ExchangeDetails?
    package private(set) var outcome = ExchangeOutcome.open
    package private(set) var end = MonotonicTime(nanoseconds: 0)
}

extension JournalEntry {
    init(_ exchange: Exchange) {
        number = exchange.number
        time = exchange.time
        arrival = exchange.arrival
        lag = exchange.lag
        connection = exchange.connection
        launch = exchange.launch
        request = exchange.request
        sharesRequest = false
        route = exchange.route
        message = .made(exchange.response)
        outcome = exchange.outcome
        end = exchange.end ?? end
        details = ExchangeDetails(exchange)
    }

    /// The exchange that it is.
    package var exchange: Exchange {
        let rest = details?.content ?? ExchangeDetails.Content()
        return Exchange(
            number: number,
            time: time,
            arrival: arrival,
            lag: lag,
            end: outcome == .open ? nil : end,
            outcome: outcome,
            connection: connection,
            launch: launch,
            process: rest.process,
            origin: rest.origin,
            hold: rest.hold,
            request: request,
            route: route,
            answeredBy: rest.answeredBy,
            nearest: rest.nearest,
            response: message.response,
            fault: rest.fault,
            isCommitted: rest.isCommitted,
            wait: rest.wait,
            refusalHold: rest.refusalHold,
            device: rest.device,
            account: rest.account,
            offered: rest.offered,
            granted: rest.granted,
            stateChanges: rest.stateChanges,
            findings: rest.findings,
            violations: rest.violations,
            breaks: rest.breaks,
            messages: rest.messages,
            sharesBody: rest.sharesBody
        )
    }

    // MARK: What comes later

    package mutating func noteEnd(_ outcome: ExchangeOutcome, at end: MonotonicTime) {
        self.outcome = outcome
        self.end = end
    }

    mutating func note(_ violations: [Violation], replacement: HTTPResponse?) {
        if let replacement { message = .made(replacement) }
        guard !violations.isEmpty || details?.content.sharesBody == true else { return }
        change {
            $0.violations += violations
            if replacement != nil { $0.sharesBody = false }
        }
    }

    /// - Returns: by how many bytes the entry has grown.
    mutating func note(_ message: StreamMessage) -> Int {
        var growth = 0
        change { growth = $0.messages.append(message) }
        return growth
    }

    mutating func note(_ hold: GateHold) {
        change { $0.hold = hold }
    }

    private mutating func change(_ body: (inout ExchangeDetails.Content) -> Void) {
        var content = details?.content ?? ExchangeDetails.Content()
        body(&content)
        details = ExchangeDetails(content)
    }

    /// The memory overhead of a request in addition to its contents, measured over many small ones.
    private static let requestOverhead = 500
    /// The same for what only some exchanges have.
    private static let detailsOverhead = 500

    /// About how many bytes the entry keeps alive.
    var weight: Int {
        var weight = MemoryLayout<JournalEntry?>.stride
        if !sharesRequest {
            weight += Self.requestOverhead + request.target.utf8.count + request.fields.wireSize + request.body.count
        }
        if case .made(let response) = message {
            weight += 100 + response.fields.wireSize + (details?.content.sharesBody == true ? 0 : response.body.count)
        }
        guard let details else { return weight }
        return weight + Self.detailsOverhead + details.content.violations.count * MemoryLayout<Violation>.size
    }
}

/// The data that only some exchanges have.
///
/// Immutable, so that entries may share it, and the log may read it while the session goes on.
package final class ExchangeDetails: Sendable {
    package let content: Content

    package init(_ content: Content) {
        self.content = content
    }

    package struct Content: Sendable {
        package var process: String?
        package var origin: String?
        package var hold: GateHold?
        package var answeredBy: String?
        package var nearest: NearestRoute?
        package var fault: Fault.Kind?
        package var isCommitted = true
        package var wait = Duration.zero
        package var refusalHold = Duration.zero
        package var device: String?
        package var account: String?
        package var offered: [OfferedToken] = []
        package var granted: [GrantedToken] = []
        package var stateChanges: [Event.StateChange] = []
        package var findings: [Finding] = []
        package var violations: [Violation] = []
        package var breaks: String?
        package var messages = StreamMessages()
        var sharesBody = false

        package init() {}

        /// A Boolean value that indicates whether there is nothing to keep.
        var isEmpty: Bool {
            process == nil && origin == nil && hold == nil && answeredBy == nil && nearest == nil && fault == nil
                && isCommitted && wait == .zero && refusalHold == .zero && device == nil && account == nil
                && offered.isEmpty
                && granted.isEmpty && stateChanges.isEmpty && findings.isEmpty && violations.isEmpty && breaks == nil
                && messages.isEmpty && !sharesBody
        }
    }

    /// - Returns: `nil` for an exchange that has none of it.
    convenience init?(_ exchange: Exchange) {
        var content = Content()
        content.process = exchange.process
        content.origin = exchange.origin
        content.hold = exchange.hold
        content.answeredBy = exchange.answeredBy
        content.nearest = exchange.nearest
        content.fault = exchange.fault
        content.isCommitted = exchange.isCommitted
        content.wait = exchange.wait
        content.refusalHold = exchange.refusalHold
        content.device = exchange.device
        content.account = exchange.account
        content.offered = exchange.offered
        content.granted = exchange.granted
        content.stateChanges = exchange.stateChanges
        content.findings = exchange.findings
        content.violations = exchange.violations
        content.breaks = exchange.breaks
        content.messages = exchange.messages
        content.sharesBody = exchange.sharesBody
        if content.isEmpty { return nil }
        self.init(content)
    }
}
