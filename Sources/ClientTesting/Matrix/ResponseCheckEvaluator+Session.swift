import OpenAPI

extension ResponseCheckEvaluator {
    /// Judges what is left of the session after a call.
    func judgeSession(
        after call: MadeCall,
        in cell: ResponseCheckPlan.Cell,
        _ ledger: SessionLedger,
        _ verdict: inout Verdict
    ) {
        guard let session = call.session, !ledger.isUncertain, !ledger.isUnknown else { return }
        let id = cell.operation.id
        let words = cell.answer.words
        let stored = session.tokens.filter { !$0.value.isEmpty }
        if roles.signOut.contains(id) {
            if case .success = cell.answer.kind, call.outcome.isValue {
                if session.isSignedIn || !stored.isEmpty {
                    let message = "\(id), \(words), left \(names(of: stored, or: "the client signed in"))"
                    verdict.add(.tokensChanged, message, at: place(of: cell))
                }
                return
            }
            // The user wants to be signed out, whatever the server says.
            if stored.isEmpty { return }
        }
        if stored == ledger.tokens { return judgeStanding(session, in: cell, ledger, &verdict) }
        if stored.isEmpty {
            guard !ledger.mayBeOver else { return }
            let reason = ledger.hasGranted ? "though new tokens were given" : "though nobody has refused the session"
            // RFC 6749, section 5.2, refuses a dead refresh token with 400, which says other things elsewhere.
            let remedy = ledger.refusal.map {
                "; if \($0) says here that the session is over, name it among the statuses that end a session"
            }
            let message = "\(id), \(words), signed out, \(reason)\(remedy ?? "")"
            verdict.add(.sessionLost, message, at: place(of: cell))
            return
        }
        for kind in Set(stored.keys).union(ledger.tokens.keys).sorted() where stored[kind] != ledger.tokens[kind] {
            let message = "\(id), \(words): \(change(of: kind, stored, call.storedBefore, ledger))"
            verdict.add(.tokensChanged, message, at: place(of: cell))
        }
    }

    /// Who has tokens is signed in, and nobody else.
    private func judgeStanding(
        _ session: ClientSession,
        in cell: ResponseCheckPlan.Cell,
        _ ledger: SessionLedger,
        _ verdict: inout Verdict
    ) {
        guard session.isSignedIn == ledger.tokens.isEmpty, !ledger.mayBeOver else { return }
        let message =
            session.isSignedIn
            ? "says that it is signed in, with nothing stored" : "says that nobody is signed in, with tokens stored"
        let fault = session.isSignedIn ? ResponseCheckFault.tokensChanged : .sessionLost
        verdict.add(fault, "\(cell.operation.id), \(cell.answer.words), \(message)", at: place(of: cell))
    }

    private func change(
        of kind: String,
        _ stored: [String: String],
        _ before: [String: String],
        _ ledger: SessionLedger
    ) -> String {
        guard let wanted = ledger.tokens[kind] else { return "a \(kind) token is stored that nobody has given" }
        let isGranted = wanted != before[kind]
        let right = isGranted ? "the one that was given" : "the one that was there before"
        guard let token = stored[kind] else { return "the \(kind) token is gone; \(right) should be stored" }
        if isGranted, token == before[kind] { return "the \(kind) token is still the old one, and not \(right)" }
        if let other = ledger.tokens.keys.sorted().first(where: { ledger.tokens[$0] == token }) {
            return "the \(other) token is stored as \(kind) token, instead of \(right)"
        }
        return "the \(kind) token is \"\(token)\", and not \(right)"
    }

    private func names(of tokens: [String: String], or standing: String) -> String {
        guard !tokens.isEmpty else { return standing }
        return tokens.keys.sorted().map { "the \($0) token" }.joined(separator: " and ") + " stored"
    }
}
