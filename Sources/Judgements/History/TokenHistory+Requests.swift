import Findings
import HTTPWire
import ScenarioFormat
import Simulation

extension TokenHistory {
    /// The exchanges of the device that somebody is taken for, apart by launch of the client, oldest launch first.
    func launches(of device: DeviceHistory) -> [[Exchange]] {
        var launches: [[Exchange]] = []
        for exchange in device.exchanges {
            if launches.last?.last?.launch == exchange.launch {
                launches[launches.count - 1].append(exchange)
            } else {
                launches.append([exchange])
            }
        }
        return launches
    }

    /// Whether the exchange handed out tokens that are new, and the client has them.
    func renews(_ exchange: Exchange) -> Bool {
        wasReceived(exchange) && exchange.granted.contains { $0.source == .new && $0.id != nil }
    }

    /// Whether a request came so soon after a reply that no person can have acted in between.
    func isPrompt(_ exchange: Exchange, after moment: RealTime, within limit: Duration) -> Bool {
        exchange.arrival >= moment && exchange.arrival.since(moment) <= limit
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
