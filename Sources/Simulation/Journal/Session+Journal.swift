package import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Writing exchanges into the journal.
extension ExchangeContext {
    /// The exchange as the journal stores it.
    ///
    /// - Parameters:
    ///   - client: the client, of which one process may have sent it.
    ///   - keys: those of the session's tokens.
    ///   - played: the scenario, whose rules for tokens count.
    mutating func exchange(
        answeredBy answer: ChosenResponse,
        _ message: ResponseMessage,
        _ fault: Fault?,
        refusalHold: Duration,
        isCommitted: Bool,
        _ client: ClientRecord,
        _ keys: SigningKeys,
        _ played: CompiledScenario
    ) -> Exchange {
        var details = ExchangeDetails.Content()
        if case .scenario(let response) = answer.source {
            if case .made = message { details.sharesBody = response.constantBody != nil }
            details.breaks = response.response.breaks
        }
        details.process = client.process(of: connection)
        details.origin = origin
        details.hold = hold
        details.answeredBy = answeredBy
        details.nearest = answer.nearest
        details.fault = fault?.kind
        details.armedFault = armed.flatMap { $0.part == nil ? $0.number : nil }
        details.isCommitted = isCommitted
        details.wait = delay
        details.refusalHold = refusalHold
        details.device = device
        details.account = account
        details.offered = offered
        details.granted = granted.map { GrantedToken(kind: $0.kind, id: $0.token?.id, source: $0.source) }
        details.stateChanges = stateChanges
        details.findings = findings(keys, played)
        details.violations = evaluation?.violations ?? []
        var request = request.request
        if hidesBody { request.body = [] }
        return Exchange(
            number: number,
            time: now,
            arrival: arrival,
            lag: lag,
            connection: connection,
            launch: client.launch(of: details.process),
            request: request,
            sharesRequest: sharesRequest,
            route: route?.key ?? operation,
            message: message,
            details: ExchangeDetails(details)
        )
    }

    /// The notable data about a request in addition to its response.
    private mutating func findings(_ keys: SigningKeys, _ played: CompiledScenario) -> [Finding] {
        let exchange = Int(clamping: number)
        var findings: [Finding] = []
        func tell(_ severity: Finding.Severity, _ id: String, _ message: String, at position: TextPosition? = nil) {
            findings.append(Finding(severity, id: id, message, at: Place(position: position, exchange: exchange)))
        }
        if request.hasJSON, let document = request.json() {
            for duplicate in document.duplicates {
                let message = "the request body contains \"\(duplicate.name)\" twice; the last value is used"
                tell(.warning, "traffic/duplicate-name", message, at: duplicate.position.text)
            }
        }
        if let error = request.multipartError, request.mediaType?.essence == "multipart/form-data" {
            tell(
                .warning,
                "traffic/unreadable-form",
                "the request's parts cannot be read and are ignored: \(error.sentence)"
            )
        }
        if let error = codingError {
            tell(.warning, "traffic/undecodable-body", "the request body cannot be decoded: \(error.sentence)")
        }
        let kinds = notes.count > 1 ? Set(notes.map { offered[$0.entry].wanted }).sorted() : []
        for kind in kinds {
            let texts = notes.filter { offered[$0.entry].wanted == kind }.map { $0.text.exact }
            guard Set(texts).count > 1 else { continue }
            tell(
                .note,
                "traffic/several-tokens",
                "the request contains \(Set(texts).count) different tokens of the kind \(kind); only the token in "
                    + "the first location is used"
            )
        }
        for note in notes where note.token == nil && played.scenario.tokens.areOwn(offered[note.entry].wanted) {
            guard let problem = keys.problem(of: note.text) else { continue }
            tell(
                .note,
                "traffic/unverified-token",
                "the request contains a token that this server did not sign: \(problem)"
            )
        }
        return findings
    }
}

extension TokenRules {
    /// Returns whether the tokens of a kind are JSON Web Tokens that the session signs.
    fileprivate func areOwn(_ kind: String) -> Bool {
        self.kind(named: kind).map { !$0.isForeign && $0.format == .jwt } ?? false
    }
}

/// The journal of a session.
extension Session {
    /// Notes that a response has left that was never in flight.
    package mutating func noteSent(_ exchange: UInt64, at now: MonotonicTime) {
        journal.noteEnd(of: exchange, .sent, at: max(now, latest))
    }

    /// Forgets the oldest exchanges of the journal until so many bytes are left.
    package mutating func shrinkJournal(to limit: Int) {
        journal.shrink(to: limit)
    }

    /// A Boolean value that indicates whether a request has come.
    package var hasTraffic: Bool { lastExchange > 0 }

    /// The number of exchanges that the journal no longer contains.
    package var lostExchanges: Int { max(0, Int(clamping: lastExchange) - journal.count) }

    /// Forgets what has happened; numbers go on.
    package mutating func clearJournal() {
        journal.removeAll()
        servedTLS.removeFailures()
        dateOffset = DateOffset(clock.skew, after: lastExchange, nil)
    }
}
