package import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Writing exchanges into the journal.
extension Session {
    mutating func write(
        _ answer: ChosenResponse,
        _ message: ResponseMessage,
        _ fault: Fault?,
        _ wait: Duration,
        _ refusalHold: Duration,
        _ isCommitted: Bool,
        in context: inout ExchangeContext
    ) {
        var details = ExchangeDetails.Content()
        if case .scenario(let response) = answer.source {
            if case .made = message { details.sharesBody = response.constantBody != nil }
            details.breaks = response.response.breaks
        }
        let process = client.process(of: context.connection)
        details.process = process
        details.origin = context.origin
        details.hold = context.hold
        details.answeredBy = context.answeredBy
        details.nearest = answer.nearest
        details.fault = fault?.kind
        details.armedFault = context.armed.flatMap { $0.part == nil ? $0.number : nil }
        details.isCommitted = isCommitted
        details.wait = wait
        details.refusalHold = refusalHold
        details.device = context.device
        details.account = context.account
        details.offered = context.offered
        details.granted = context.granted.map { GrantedToken(kind: $0.kind, id: $0.token?.id, source: $0.source) }
        details.stateChanges = context.stateChanges
        details.findings = findings(in: &context)
        details.violations = context.evaluation?.violations ?? []
        var request = context.request.request
        if context.hidesBody { request.body = [] }
        journal.append(
            Exchange(
                number: context.number,
                time: context.now,
                arrival: context.arrival,
                lag: context.lag,
                connection: context.connection,
                launch: client.launch(of: process),
                request: request,
                sharesRequest: context.sharesRequest,
                route: context.route?.key ?? context.operation,
                message: message,
                details: ExchangeDetails(details)
            )
        )
    }

    /// The notable data about a request in addition to its response.
    private func findings(in context: inout ExchangeContext) -> [Finding] {
        let exchange = Int(clamping: context.number)
        var findings: [Finding] = []
        func tell(_ severity: Finding.Severity, _ id: String, _ message: String, at position: TextPosition? = nil) {
            findings.append(Finding(severity, id: id, message, at: Place(position: position, exchange: exchange)))
        }
        if context.request.hasJSON, let document = context.request.json() {
            for duplicate in document.duplicates {
                let message = "the request body contains \"\(duplicate.name)\" twice; the last value is used"
                tell(.warning, "traffic/duplicate-name", message, at: duplicate.position.text)
            }
        }
        if let error = context.request.multipartError, context.request.mediaType?.essence == "multipart/form-data" {
            tell(
                .warning,
                "traffic/unreadable-form",
                "the request's parts cannot be read and are ignored: \(error.sentence)"
            )
        }
        if let error = context.codingError {
            tell(.warning, "traffic/undecodable-body", "the request body cannot be decoded: \(error.sentence)")
        }
        let kinds = context.notes.count > 1 ? Set(context.notes.map { context.offered[$0.entry].wanted }).sorted() : []
        for kind in kinds {
            let texts = context.notes.filter { context.offered[$0.entry].wanted == kind }.map { $0.text.exact }
            guard Set(texts).count > 1 else { continue }
            tell(
                .note,
                "traffic/several-tokens",
                "the request contains \(Set(texts).count) different tokens of the kind \(kind); only the token in "
                    + "the first location is used"
            )
        }
        for note in context.notes where note.token == nil && isOwn(context.offered[note.entry].wanted) {
            guard let problem = keys.problem(of: note.text) else { continue }
            tell(
                .note,
                "traffic/unverified-token",
                "the request contains a token that this server did not sign: \(problem)"
            )
        }
        return findings
    }

    private func isOwn(_ kind: String) -> Bool {
        played.scenario.tokens.kind(named: kind).map { !$0.isForeign && $0.format == .jwt } ?? false
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
        failedHandshakes = []
        forgetPastDateOffsets()
    }
}
