import HTTPCodec
import Testing

@testable import Simulation

/// Requests that may be held: what has come through so far is written down as short texts.
extension SessionClient {
    /// Lets a request arrive.
    @discardableResult
    mutating func arrive(_ request: String, token: String? = nil) -> Session.Effect {
        let parts = request.split(separator: " ", maxSplits: 1).map(String.init)
        var fields = HTTPFields()
        if let token { fields.append("Authorization", "Bearer \(token)") }
        let request = HTTPRequest(method: HTTPMethod(rawValue: parts[0]), target: parts[1], fields: fields, body: [])
        return session.arrive(IncomingRequest(request), at: now)
    }

    /// Lets requests arrive, a millisecond apart.
    mutating func arrive(all requests: [String]) {
        for request in requests {
            arrive(request)
            pass(.milliseconds(1))
        }
    }

    /// Opens what has waited in vain, and tells everything that has opened: `gate reached: 1 3 2`.
    mutating func openings() -> [String] {
        session.openQuietGates(at: now)
        return session.takeOpenings().map { opening in
            let exchanges = opening.released.map { "\($0.exchange)" }.joined(separator: " ")
            return "\(opening.gate) \(opening.cause.rawValue): \(exchanges)"
        }
    }

    /// The targets of the journal's exchanges, in its order.
    var targets: [String] { session.journal.exchanges.map(\.request.target) }

    func hold(of exchange: UInt64) throws -> GateHold {
        try #require(session.journal.exchange(exchange)?.hold)
    }
}

extension Session {
    /// Removes the responses whose wait is over from the effects, and returns their exchanges.
    mutating func takeReleased() -> [UInt64] {
        take { if case .released(let exchange) = $0 { exchange } else { nil } }
    }

    /// Removes the openings of gates from the effects.
    mutating func takeOpenings() -> [GateOpening] {
        take { if case .opened(let opening) = $0 { opening } else { nil } }
    }

    /// Removes the parts of streams from the effects.
    mutating func takeStreamOutput() -> [StreamOutput] {
        take { if case .sent(let part) = $0 { part } else { nil } }
    }

    private mutating func take<Part>(_ part: (Effect) -> Part?) -> [Part] {
        defer { effects.removeAll { part($0) != nil } }
        return effects.compactMap(part)
    }
}

extension Session.Effect {
    /// The decision about the step's request, if there is one yet.
    var decision: Decision? {
        switch self {
        case .decided(let decision), .responseHeld(let decision): decision
        default: nil
        }
    }

    /// How the request was taken: `decided`, `response held` or `request held`.
    var kind: String {
        switch self {
        case .decided: "decided"
        case .responseHeld: "response held"
        case .requestHeld: "request held"
        default: "not an effect on a request"
        }
    }

    /// The number under which an undecided request stands at its gate.
    var ticket: UInt64? {
        if case .requestHeld(let ticket) = self { ticket } else { nil }
    }
}
