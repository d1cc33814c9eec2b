import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// One way in which an exchange of the right route is not the one that was meant.
enum ExpectationMismatch {
    case status(Int)
    /// The offered token of the kind; `nil` when there was none.
    case token(kind: String, OfferedToken?)
    case device(String?)
    case launch(Int)
    case part(UnfitPart)

    /// What follows "which".
    var words: String {
        switch self {
        case .status(let status): return "got status \(status)"
        case .token(let kind, nil): return "brought no \(kind) token"
        case .token(let kind, let token?):
            if token.standing == .missing { return "brought no \(kind) token" }
            return "brought \(token.id ?? "a \(kind) token") (\(token.standing.words))"
        case .device(let name): return "came from \(name?.printable.shortened ?? "no known device")"
        case .launch(let number): return "came in launch \(number)"
        case .part(let part):
            guard let name = part.wanted.subject?.name else { return "sent something else" }
            guard let sent = part.sent else { return "sent no \(name)" }
            return "sent \(name) \(Sentences.value(sent))"
        }
    }
}

extension ExchangePattern {
    func isRoute(of exchange: Exchange) -> Bool {
        guard exchange.route?.utf8.elementsEqual(route.utf8) ?? false else { return false }
        // A route for GET answers HEAD too, which asks for something else.
        if exchange.request.method == .head, route.utf8.starts(with: "GET ".utf8) { return false }
        guard let origin else { return exchange.origin == nil }
        return exchange.origin?.utf8.elementsEqual(origin.utf8) ?? false
    }

    func fits(_ exchange: Exchange) -> Bool {
        isRoute(of: exchange) && mismatches(of: exchange).isEmpty
    }

    /// How an exchange of the route differs from the pattern.
    func mismatches(of exchange: Exchange) -> [ExpectationMismatch] {
        var mismatches: [ExpectationMismatch] = []
        let status = exchange.response.status.code
        if !statuses.isEmpty, !statuses.contains(status) { mismatches.append(.status(status)) }
        for token in tokens {
            let offered = exchange.offered.filter { $0.wanted == token.kind || $0.kind == token.kind }
            let fits =
                offered.isEmpty
                ? token.standings.contains(.missing) : offered.contains { token.standings.contains($0.standing) }
            if !fits { mismatches.append(.token(kind: token.kind, offered.first)) }
        }
        if let device, exchange.device.map({ $0.utf8.elementsEqual(device.utf8) }) != true {
            mismatches.append(.device(exchange.device))
        }
        if let launch, exchange.launch != launch { mismatches.append(.launch(exchange.launch)) }
        if let part = exchange.mismatch(with: condition) { mismatches.append(.part(part)) }
        return mismatches
    }
}
