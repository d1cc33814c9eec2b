import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension Session {
    // MARK: Issuing

    /// Issues a token to a device that has signed in.
    @discardableResult
    mutating func issue(_ kindName: String, device: String, parent: String?, at time: VirtualTime) -> Token? {
        let rules = stage.scenario.tokens
        guard let kind = rules.kind(named: kindName), !kind.isForeign, let owner = ledger.device(named: device) else {
            return nil
        }
        let id = ledger.nextID(of: kindName)
        // A JWT tells whole seconds, and the server goes by what the token tells.
        let issued = kind.format == .jwt ? VirtualTime(seconds: time.seconds) : time
        var token = Token(
            id: id,
            kind: kindName,
            value: "",
            device: device,
            account: owner.account,
            family: owner.family,
            issued: issued,
            expires: issued + kind.lifetime,
            parent: parent
        )
        token.value = value(of: token, kind)
        ledger.enter(token, owner: rules.stored, multiplicity: kind.multiplicity, at: time)
        return token
    }

    private mutating func value(of token: Token, _ kind: TokenKind) -> String {
        switch kind.format {
        case .opaque:
            let secret = Array("\(token.id) \(seed) \(token.issued.microseconds)".utf8)
            return Base64.encodeURL(Array(SHA256.authenticationCode(of: secret, key: signingKey).prefix(24)))
        case .jwt:
            var payload = Array("{\"iat\":\(token.issued.seconds),\"exp\":\(token.expires.seconds)".utf8)
            if let claims = claims(of: kind, account: token.account, device: token.device, at: token.issued),
                claims.count > 2
            {
                payload.append(UInt8(ascii: ","))
                payload += claims.dropFirst().dropLast()
            }
            if kind.hasIdentifier { payload += Array(",\"jti\":\"\(token.id)\"".utf8) }
            payload.append(UInt8(ascii: "}"))
            return JSONWebToken.sign(payload, key: signingKey)
        }
    }

    /// The claims that the scenario adds, as the text of one object.
    ///
    /// They are no part of a response, so what they draw comes from a stream of the token's own.
    mutating func claims(of kind: TokenKind, account: String, device: String, at time: VirtualTime) -> [UInt8]? {
        guard let template = kind.claims else { return nil }
        var context = asideContext(at: time, stream: UInt64.max - UInt64(ledger.tokens.count))
        (context.account, context.device) = (account, device)
        return render(template, in: &context)
    }

    /// What is known where no request causes what is made.
    ///
    /// - Parameter stream: the number of a stream of chance that nothing else draws from.
    func asideContext(at time: VirtualTime, stream: UInt64) -> ExchangeContext {
        ExchangeContext(
            number: 0,
            now: time,
            arrival: latest,
            connection: 0,
            request: RequestView(Self.noRequest),
            chance: Chance(seed: seed, stream: stream)
        )
    }

    /// What stands in for a request where none causes it.
    private static let noRequest = HTTPRequest(method: .get, target: "/")

    // MARK: Judging

    /// Looks a token up; one that this session's key has signed in an earlier life is taken in.
    mutating func known(_ text: String, as kind: String, in context: ExchangeContext) -> Token? {
        if let note = context.notes.first(where: { $0.text.utf8.elementsEqual(text.utf8) }), note.token == nil {
            return nil
        }
        return ledger.token(value: text, preferring: kind) ?? adopt(text, as: kind, device: context.device)
    }

    /// What a token is for a route that wants a kind.
    func standing(of token: Token, as kind: String, at time: VirtualTime) -> TokenStanding {
        let own = token.standing(now: time)
        guard token.kind == kind else {
            guard stage.scenario.tokens.interchangeable.includes(token.kind) else { return .wrongKind }
            // Nobody looks a token up that is taken for something else, unless all kinds are one to the server.
            if case .revoked = token.fate, stage.scenario.tokens.interchangeable == .every { return own }
            return time >= token.expires ? .expired : .valid
        }
        switch token.fate {
        case .live, .revoked, .displaced: return own
        case .exchanged(let since), .reused(let since):
            guard let rotation = stage.scenario.tokens.kind(named: token.kind)?.rotation else { return own }
            let isUsable = rotation.reuse == .accept || time - since < rotation.grace
            return isUsable ? (time >= token.expires ? .expired : .valid) : own
        }
    }

    /// What happens on the server when a superseded token was offered again and refused.
    mutating func noteReuse(of id: String, at time: VirtualTime) {
        guard let token = ledger.token(id: id) else { return }
        ledger.noteReuse(of: id, at: time)
        if stage.scenario.tokens.kind(named: token.kind)?.rotation?.reuse == .revokeDevice, token.isExchanged {
            ledger.revoke(.every, devices: .one(token.device), except: id, at: time)
        }
    }
}
