import Findings
import HTTPWire
import ScenarioFormat
import Simulation

extension TokenHistory {
    /// Whether the exchange handed out tokens that are new, and the client has them.
    func renews(_ exchange: Exchange) -> Bool {
        wasReceived(exchange) && exchange.granted.contains { $0.source == .new && $0.id != nil }
    }
}

extension Exchange {
    /// The exchange as a sentence's subject: `exchange 3 POST /refresh`.
    var subject: String { "exchange \(number) \(line)" }

    /// The method and the path that were asked for.
    var line: String { "\(request.method.rawValue) \(request.path)".printable.shortened }

    /// Whether the reply says that all went well.
    var hasSucceeded: Bool { 200..<300 ~= response.status.code }
}

extension TokenStanding {
    /// Whether a token that is so was good once.
    var isPast: Bool {
        switch self {
        case .expired, .revoked, .superseded, .reused: true
        case .valid, .wrongKind, .unknown, .malformed, .missing: false
        }
    }

    /// What follows "which".
    var history: String {
        switch self {
        case .expired: "had expired"
        case .revoked: "had been revoked"
        case .superseded: "had been replaced"
        case .reused: "had been replaced and used again"
        case .valid, .wrongKind, .unknown, .malformed, .missing: "was \(words)"
        }
    }
}
