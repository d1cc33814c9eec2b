import Basics
import HTTPCodec
import OpenAPI

extension ResponseCheckEvaluator {
    /// Judges what was sent, and follows what the server has granted meanwhile.
    func judgeRequests(
        of call: MadeCall,
        in cell: ResponseCheckPlan.Cell,
        _ terms: Terms,
        _ verdict: inout Verdict
    ) -> SessionLedger {
        let id = cell.operation.id
        var ledger = SessionLedger(roles, storing: call.storedBefore)
        var sent: Set<String> = []
        var isElsewhere = false
        for exchange in call.requests {
            guard let operation = exchange.operation else {
                judgeStray(exchange, in: cell, &verdict)
                isElsewhere = true
                continue
            }
            let isRepeated = !sent.insert(operation.id).inserted
            if operation.id != id, !roles.refresh.contains(operation.id), !terms.companions.contains(operation.id) {
                isElsewhere = true
                judgeDetour(to: operation, in: cell, &verdict)
            }
            for violation in exchange.violations {
                if network == .urlSession,
                    let fact = PlatformFact.excusing(violation, of: exchange, repeating: isRepeated, in: cell.answer)
                {
                    verdict.excuse(by: fact)
                } else {
                    var finding = violation.finding()
                    finding.id = ResponseCheckFault.request.rawValue
                    // Elsewhere it may be on purpose; here the client has all it needs, and somebody has got it wrong.
                    if violation.id != "contract/undecided" { finding.severity = .error }
                    finding.message = "\(operation.id) is sent wrong: \(violation.message)"
                    verdict.findings.append(finding)
                }
            }
            if !exchange.violations.contains(where: \.isAboutBody) {
                judgeStrangers(in: exchange.request, for: operation, &verdict)
            }
            judgeToken(of: exchange, for: operation, in: cell, ledger, &verdict)
            ledger.note(exchange)
        }
        judgeRepetition(of: call, in: cell, &verdict)
        if !sent.contains(id), !isElsewhere, !cell.answer.isOffline { judgeSilence(of: call, in: cell, &verdict) }
        return ledger
    }

    /// A request for what the contract does not have.
    private func judgeStray(_ exchange: RecordedRequest, in cell: ResponseCheckPlan.Cell, _ verdict: inout Verdict) {
        if redirects(cell, &verdict) { return }
        let request = exchange.request
        let message = "\(cell.operation.id) sends \(request.method) \(request.path), which the contract does not have"
        verdict.add(.request, message, at: place(of: cell.operation))
    }

    private func judgeDetour(to operation: Operation, in cell: ResponseCheckPlan.Cell, _ verdict: inout Verdict) {
        if redirects(cell, &verdict) { return }
        let id = cell.operation.id
        let message = "\(id), \(cell.answer.words), sent \(operation.id) (\(operation.label)), which nobody asked for"
        let related = [RelatedPlace(place(of: operation), "\(operation.id) is documented here")]
        verdict.add(.wrongOperation, message, at: place(of: cell), related: related)
    }

    private func redirects(_ cell: ResponseCheckPlan.Cell, _ verdict: inout Verdict) -> Bool {
        guard network == .urlSession, case .other(300..<400) = cell.answer.kind else { return false }
        verdict.excuse(by: .followsRedirects)
        return true
    }

    /// Whether the request carries the token that the client should have by now.
    private func judgeToken(
        of exchange: RecordedRequest,
        for operation: Operation,
        in cell: ResponseCheckPlan.Cell,
        _ ledger: SessionLedger,
        _ verdict: inout Verdict
    ) {
        let kind: String
        if roles.refresh.contains(operation.id) {
            kind = "refresh"
        } else if roles.isBehindToken(operation) {
            kind = "access"
        } else {
            return
        }
        guard let token = ledger.tokens[kind], !ledger.isUncertain, !ledger.isUnknown, !exchange.request.carries(token)
        else { return }
        let id = operation.id
        if ledger.hasGranted {
            let message = "\(id) was sent again without the \(kind) token that the refresh has given"
            verdict.add(.notReplayed, message, at: place(of: cell))
        } else {
            let message = "\(id) is sent without the \(kind) token that the client has stored"
            verdict.add(.request, message, at: place(of: operation))
        }
    }

    private func judgeSilence(of call: MadeCall, in cell: ResponseCheckPlan.Cell, _ verdict: inout Verdict) {
        // A call that hangs is told of anyway.
        if case .hung = call.outcome { return }
        let operation = cell.operation
        if network == .urlSession, operation.method == .get, operation.requestBody != nil {
            return verdict.excuse(by: .refusesGetWithBody)
        }
        let message = "\(operation.id) ended with \(call.outcome), and no request came to the server"
        verdict.add(.noRequest, message, at: place(of: operation))
    }
}

extension HTTPRequest {
    /// Whether a token is anywhere in the request.
    fileprivate func carries(_ token: String) -> Bool {
        let token = token.utf8
        if target.utf8.contains(token) || body.contains(token) { return true }
        return fields.contains { $0.value.utf8.contains(token) }
    }
}
