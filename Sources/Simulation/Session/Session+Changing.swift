import HTTPCodec
import JSON
import ScenarioFormat

extension Session {
    /// Does what a response does: first to items, so that a new account can sign in, then to tokens, then the rest.
    ///
    /// - Returns: what is in the way of its changes of items; what comes after has not happened then.
    mutating func change(by compiled: CompiledResponse, in context: inout ExchangeContext) -> Problem? {
        for change in compiled.itemChanges {
            if let problem = self.change(change, in: &context) { return problem }
        }
        let response = compiled.response
        let hasSignedIn = signIn(by: response, in: &context)
        grant(response.grants, afterSignIn: hasSignedIn, in: &context)
        for event in response.changes {
            switch event.action {
            case .change: continue
            case .changeStates(let changes, _): context.stateChanges += changes
            default: break
            }
            apply(event, at: context.now, latest, caller: (context.device, context.account))
        }
        return nil
    }

    /// Starts a family for a response that says so, or that grants tokens to somebody without one; tells whether it did.
    private mutating func signIn(by response: StubResponse, in context: inout ExchangeContext) -> Bool {
        let isRefresh = context.offered.contains { $0.isAccepted == true && $0.id != nil }
        guard response.signIn != nil || (!response.grants.isEmpty && !isRefresh) else { return false }
        let wanted = response.signIn?.device.map { render($0, in: &context) }
        let header = stage.scenario.deviceHeader.flatMap { context.request.request.fields[$0] }
        let device = [wanted, header].compactMap { $0 }.first { !$0.isEmpty } ?? ledger.nextUnnamedDevice()
        let account = response.signIn?.account.map { render($0, in: &context) } ?? defaultAccount
        ledger.signIn(device: device, account: account)
        (context.device, context.account) = (device, account)
        return true
    }

    private mutating func grant(_ grants: [Grant], afterSignIn: Bool, in context: inout ExchangeContext) {
        let used = context.offered.filter { $0.isAccepted == true }.compactMap { $0.id.flatMap(ledger.token(id:)) }
        let device = afterSignIn ? context.device : used.first?.device ?? context.device
        for grant in grants {
            var token: Token?
            switch (grant.source, device) {
            case (.new, let device?):
                rotate(grant.kind, used, at: context.now)
                let parent = used.first { $0.kind == grant.kind } ?? used.first
                token = issue(grant.kind, device: device, parent: parent?.id, at: context.now)
            case (.stored, let device?):
                token = ledger.storedToken(of: grant.kind, device: device, owner: stage.scenario.tokens.stored)
            default: break
            }
            context.granted.append((grant.kind, token, grant.source))
        }
    }

    /// Supersedes the offered tokens of a kind that is being replaced, where the kind rotates.
    private mutating func rotate(_ kind: String, _ used: [Token], at time: VirtualTime) {
        guard stage.scenario.tokens.kind(named: kind)?.rotation != nil else { return }
        for token in used where token.kind == kind { ledger.exchange(token.id, at: time) }
    }
}
