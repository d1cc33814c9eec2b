import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures

/// The tokens that a response grants.
extension MockBackend {
    /// Starts a family for a response that says so, or that grants tokens to a device without one; tells whether it did.
    mutating func signIn(by response: StubResponse, in context: inout ExchangeContext) -> Bool {
        let isRefresh = context.offered.contains { $0.isAccepted == true && $0.id != nil }
        guard response.signIn != nil || (!response.grants.isEmpty && !isRefresh) else { return false }
        let wanted = response.signIn?.device.map { render($0, in: &context) }
        let header = played.scenario.deviceHeader.flatMap { context.request.request.fields[$0] }
        let device = [wanted, header].compactMap { $0 }.first { !$0.isEmpty } ?? ledger.nextUnnamedDevice()
        let account = response.signIn?.account.map { render($0, in: &context) } ?? defaultAccount
        ledger.signIn(device: device, account: account)
        (context.device, context.account) = (device, account)
        return true
    }

    mutating func grant(
        _ grants: [Grant],
        remembering template: TreeTemplate?,
        afterSignIn: Bool,
        in context: inout ExchangeContext
    ) {
        let used = context.offered.filter { $0.isAccepted == true }.compactMap { $0.id.flatMap(ledger.token(id:)) }
        let device = afterSignIn ? context.device : used.first?.device ?? context.device
        var memory = used.first { !$0.memory.isEmpty }?.memory ?? JSONObject()
        for member in template.flatMap({ value(of: $0, in: &context) })?.object?.members ?? [] {
            memory[member.name] = member.value.isNull ? nil : member.value
        }
        if !grants.isEmpty { ledger.spend(used, by: played.scenario.tokens, at: context.now) }
        for grant in grants {
            var token: Token?
            switch (grant.source, device) {
            case (.new, let device?):
                ledger.rotate(grant.kind, used, by: played.scenario.tokens, at: context.now)
                let parent = used.first { $0.kind == grant.kind } ?? used.first
                token = issue(grant.kind, device: device, parent: parent?.id, remembering: memory, at: context.now)
            case (.stored, let device?):
                token = ledger.storedToken(of: grant.kind, device: device, owner: played.scenario.tokens.stored)
            default: break
            }
            context.granted.append((grant.kind, token, grant.source))
        }
    }
}

/// Issuing a token.
extension MockBackend {
    /// Issues a token to a device that has signed in.
    @discardableResult
    mutating func issue(
        _ kindName: String,
        device: String,
        parent: String?,
        remembering memory: JSONObject = JSONObject(),
        at time: VirtualTime
    ) -> Token? {
        let rules = played.scenario.tokens
        guard let kind = rules.kind(named: kindName), !kind.isForeign, let owner = ledger.device(named: device) else {
            return nil
        }
        var token = ledger.begin(kind, of: owner, parent: parent, memory, at: time)
        let claims = kind.format == .jwt ? claims(of: kind, for: token) : nil
        token.value = keys.value(of: token, kind, claims: claims, seed: seed)
        ledger.enter(token, owner: rules.stored, multiplicity: kind.multiplicity, at: time)
        return token
    }

    /// The claims that the scenario adds, as one object.
    ///
    /// They are not a part of a response, so they draw from a separate random stream of the token.
    mutating func claims(of kind: TokenKind, for token: Token) -> JSONValue? {
        guard let template = kind.claims else { return nil }
        var context = ExchangeContext(at: token.issued, seed: seed, stream: UInt64.max - UInt64(ledger.tokens.count))
        (context.account, context.device, context.issued) = (token.account, token.device, token)
        return value(of: template, in: &context)
    }
}
