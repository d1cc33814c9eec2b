import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// The results of a story's expectations.
extension Judgement {
    static func held(_ id: String, _ wanted: String, _ exchanges: [UInt64] = []) -> Judgement {
        let list = exchanges.isEmpty ? "" : ": \(Sentences.exchanges(exchanges))"
        return Judgement(.held, id: id, wanted + list, expected: wanted, exchanges)
    }

    static func failed(
        _ id: String,
        _ wanted: String,
        but happened: String,
        _ exchanges: [UInt64] = []
    ) -> Judgement {
        Judgement(.failed, id: id, "expected \(wanted), but \(happened)", expected: wanted, exchanges)
    }

    /// The result where it is not known what happened.
    static func incomplete(
        _ id: String,
        _ wanted: String,
        _ sentence: String,
        _ exchanges: [UInt64] = [],
        advice: String
    ) -> Judgement {
        var judgement = Judgement(.incomplete, id: id, sentence, expected: wanted, exchanges)
        judgement.advice = advice
        return judgement
    }

    /// The result where a part of the story was not played; one that the story calls optional held.
    static func unplayed(
        _ id: String,
        _ wanted: String,
        _ sentence: String,
        _ exchanges: [UInt64],
        isOptional: Bool,
        advice: String
    ) -> Judgement {
        guard isOptional else { return .incomplete(id, wanted, sentence, exchanges, advice: advice) }
        return Judgement(.held, id: "expect/optional-part", sentence, expected: wanted, exchanges)
    }

    private init(_ status: Status, id: String, _ sentence: String, expected wanted: String, _ exchanges: [UInt64]) {
        self.init(status, id: id, sentence, subject: wanted)
        self.exchanges = exchanges.map { Int(clamping: $0) }
    }

    /// The result where it is not known whether a request or an item is the one that is meant.
    static func undecided(_ pattern: String) -> Judgement {
        let expression = "the expression \(pattern.printable.shortened)"
        return .incomplete(
            "expect/undecided-pattern",
            "a value to be compared with \(expression)",
            "matching with \(expression) was stopped after a million steps, so this expectation could not be decided",
            advice: "write the expression without nested repetition or backreferences"
        )
    }

    /// The same where the journal has lost exchanges that could change it.
    func lacking(_ evidence: Evidence) -> Judgement {
        guard evidence.lost > 0 else { return lacking(evidence.unheard.first) }
        return .incomplete(
            "expect/lost-exchanges",
            subject,
            "\(Sentences.are(evidence.lost, "exchange")) no longer in the journal,"
                + " so this expectation could not be decided: \(subject)",
            exchanges.map { UInt64($0) },
            advice: Self.adviceOnLoss
        )
    }

    /// Returns the judgement, or an undecided judgement if the client may have sent no request because its handshakes
    /// failed.
    func lacking(_ failure: FailedHandshake?) -> Judgement {
        guard let failure else { return self }
        return .incomplete(
            "expect/unheard-client",
            subject,
            "\(failure.words), so this expectation could not be decided: \(subject)",
            exchanges.map { UInt64($0) },
            advice: Self.adviceOnTrust
        )
    }

    static let adviceOnTrust = "make the client trust the certificate authority; in a run, its file is in BACKLOT_CA"
    static let adviceOnLoss = "keep the whole journal with serve --journal all, and do not clear the journal"
}

/// One way in which an exchange of the right route is not the one that was meant.
enum ExpectationMismatch {
    case status(Int)
    /// The offered token of the kind; `nil` when there was none.
    case token(kind: String, OfferedToken?)
    case device(String?)
    case launch(Int)
    case part(UnfitPart)

    /// The words after "which".
    var words: String {
        switch self {
        case .status(let status): return "received status \(status)"
        case .token(let kind, nil): return "sent no \(kind) token"
        case .token(let kind, let token?):
            if token.standing == .missing { return "sent no \(kind) token" }
            return "sent \(token.id ?? "a \(kind) token") (\(token.standing.words))"
        case .device(let name): return "came from \(name?.printable.shortened ?? "no known device")"
        case .launch(let number): return "was sent in launch \(number)"
        case .part(let part):
            guard let name = part.wanted.subject?.name else { return "sent something else" }
            guard let sent = part.sent else { return "sent no \(name)" }
            return "sent \(name) \(Sentences.value(sent))"
        }
    }
}

extension ExchangePattern {
    func isRoute(of exchange: Exchange) -> Bool {
        guard exchange.route?.exact == route.exact else { return false }
        // A route for GET serves HEAD too, which asks for something else.
        if exchange.request.method == .head, route.utf8.starts(with: "GET ".utf8) { return false }
        guard let origin else { return exchange.origin == nil }
        return exchange.origin?.exact == origin.exact
    }

    func fits(_ exchange: Exchange) throws(TextPattern.Undecided) -> Bool {
        guard isRoute(of: exchange) else { return false }
        return try mismatches(of: exchange).isEmpty
    }

    /// Those of some exchanges that fit.
    func fitting(_ exchanges: some Sequence<Exchange>) throws(TextPattern.Undecided) -> [Exchange] {
        var fitting: [Exchange] = []
        for exchange in exchanges where try fits(exchange) { fitting.append(exchange) }
        return fitting
    }

    /// The first of some exchanges that fits.
    func first(in exchanges: some Sequence<Exchange>) throws(TextPattern.Undecided) -> Exchange? {
        for exchange in exchanges where try fits(exchange) { return exchange }
        return nil
    }

    /// The difference between an exchange of the route and the pattern.
    ///
    /// - Throws: where it differs in nothing else, and an expression needs too many steps to compare it with.
    func mismatches(of exchange: Exchange) throws(TextPattern.Undecided) -> [ExpectationMismatch] {
        var mismatches: [ExpectationMismatch] = []
        let status = exchange.status.code
        if !statuses.isEmpty, !statuses.contains(status) { mismatches.append(.status(status)) }
        for token in tokens {
            let offered = exchange.offered.filter { $0.wanted == token.kind || $0.kind == token.kind }
            let fits =
                offered.isEmpty
                ? token.standings.contains(.missing) : offered.contains { token.standings.contains($0.standing) }
            if !fits { mismatches.append(.token(kind: token.kind, offered.first)) }
        }
        if let device, exchange.device.map({ $0.exact == device.exact }) != true {
            mismatches.append(.device(exchange.device))
        }
        if let launch, exchange.launch != launch { mismatches.append(.launch(exchange.launch)) }
        do throws(TextPattern.Undecided) {
            if let part = try exchange.mismatch(with: condition) { mismatches.append(.part(part)) }
        } catch {
            if mismatches.isEmpty { throw error }
        }
        return mismatches
    }
}
