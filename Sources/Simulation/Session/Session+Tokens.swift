import HTTPWire
import JSONText
import ScenarioFormat

extension Session {
    // MARK: Issuing

    /// Issues a token to a device that has signed in.
    @discardableResult
    mutating func issue(_ kindName: String, device: String, parent: String?, at time: VirtualTime) -> Token? {
        let rules = stage.scenario.tokens
        guard let kind = rules.kind(named: kindName), let owner = ledger.device(named: device) else { return nil }
        let id = ledger.nextID(of: kindName)
        // A JWT tells whole seconds, and the server goes by what the token tells.
        let issued = kind.format == .jwt ? VirtualTime(seconds: time.seconds) : time
        let expires = issued + kind.lifetime
        let token = Token(
            id: id,
            kind: kindName,
            value: value(of: kind, id: id, account: owner.account, device: device, issued: issued, expires: expires),
            device: device,
            account: owner.account,
            family: owner.family,
            issued: issued,
            expires: expires,
            fate: .live,
            parent: parent
        )
        ledger.enter(token, owner: rules.stored, multiplicity: kind.multiplicity)
        return token
    }

    private mutating func value(
        of kind: TokenKind,
        id: String,
        account: String,
        device: String,
        issued: VirtualTime,
        expires: VirtualTime
    ) -> String {
        switch kind.format {
        case .opaque:
            let code = SHA256.authenticationCode(
                of: Array("\(id) \(seed) \(issued.microseconds)".utf8),
                key: signingKey
            )
            return Base64.encodeURL(Array(code.prefix(24)))
        case .jwt:
            var payload = Array("{\"iat\":\(issued.seconds),\"exp\":\(expires.seconds)".utf8)
            if let claims = claims(of: kind, account: account, device: device, at: issued), claims.count > 2 {
                payload.append(UInt8(ascii: ","))
                payload += claims.dropFirst().dropLast()
            }
            if kind.hasIdentifier { payload += Array(",\"jti\":\"\(id)\"".utf8) }
            payload.append(UInt8(ascii: "}"))
            return JSONWebToken.sign(payload, key: signingKey)
        }
    }

    /// The claims that the scenario adds, as the text of one object.
    private mutating func claims(
        of kind: TokenKind,
        account: String,
        device: String,
        at time: VirtualTime
    ) -> [UInt8]? {
        guard let template = kind.claims else { return nil }
        var context = ExchangeContext(
            number: 0,
            now: time,
            request: RequestView(HTTPRequest(method: .get, target: "/")),
            chance: Chance(seed: seed, stream: 0)
        )
        (context.account, context.device) = (account, device)
        return render(template, in: &context)
    }

    // MARK: Judging

    /// A token as it was found in a request.
    enum Presented {
        case text(String)
        case malformed
        case missing
    }

    func presented(_ carriers: [TokenCarrier], in request: inout RequestView) -> Presented {
        var isMalformed = false
        for carrier in carriers {
            switch text(of: carrier, in: &request) {
            case .text(let text): return .text(text)
            case .malformed: isMalformed = true
            case .missing: break
            }
        }
        return isMalformed ? .malformed : .missing
    }

    private func text(of carrier: TokenCarrier, in request: inout RequestView) -> Presented {
        switch carrier {
        case .header(let name, let scheme):
            guard let value = request.request.fields[name], !value.isEmpty else { return .missing }
            guard let scheme else { return .text(value) }
            // The scheme is compared without regard to case (RFC 9110, section 11.1).
            let bytes = value.utf8
            guard
                bytes.count > scheme.utf8.count + 1,
                bytes.prefix(scheme.utf8.count).elementsEqual(scheme.utf8, by: { $0 | 0x20 == $1 | 0x20 }),
                bytes.dropFirst(scheme.utf8.count).first == UInt8(ascii: " ")
            else { return .malformed }
            return .text(String(value.dropFirst(scheme.count + 1)))
        case .body(let pointer):
            guard let value = request.json().flatMap({ pointer.value(in: $0.root) }) else { return .missing }
            guard let text = value.string else { return value.isNull ? .missing : .malformed }
            return text.isEmpty ? .missing : .text(text)
        case .query(let name):
            guard let text = request.query(name), !text.isEmpty else { return .missing }
            return .text(text)
        }
    }

    /// Looks a token up; one that this session's key has signed in an earlier life is taken in.
    mutating func known(_ text: String, at time: VirtualTime) -> Token? {
        ledger.token(value: text) ?? adopt(text)
    }

    /// Takes in a token that the same scenario issued before a restart.
    ///
    /// Its kind is told by its lifetime and its claims, since many backends put neither kind nor device into a token.
    private mutating func adopt(_ text: String) -> Token? {
        guard
            text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2,
            let claims = JSONWebToken.verify(text, key: signingKey),
            let issued = claims["iat"]?.number?.int, let expires = claims["exp"]?.number?.int
        else { return nil }
        let rules = stage.scenario.tokens
        let lifetime = expires.subtractingReportingOverflow(issued).partialValue
        let accounts = stage.scenario.accounts.map(\.name) + [defaultAccount]
        for kind in rules.kinds where kind.format == .jwt && kind.lifetime.components.seconds == Int64(lifetime) {
            for account in accounts where matches(claims, kind, account: account) {
                let device = ledger.devices.first { $0.account == account }?.name ?? ledger.nextUnnamedDevice()
                if ledger.device(named: device) == nil { ledger.signIn(device: device, account: account) }
                let token = Token(
                    id: ledger.nextID(of: kind.name),
                    kind: kind.name,
                    value: text,
                    device: device,
                    account: account,
                    family: ledger.device(named: device)?.family ?? 1,
                    issued: VirtualTime(seconds: Int64(issued)),
                    expires: VirtualTime(seconds: Int64(expires)),
                    fate: .live,
                    parent: nil
                )
                ledger.enter(token, owner: rules.stored, multiplicity: .many)
                return token
            }
        }
        return nil
    }

    private mutating func matches(_ claims: JSONObject, _ kind: TokenKind, account: String) -> Bool {
        let expected = self.claims(of: kind, account: account, device: "", at: VirtualTime(seconds: 0))
        guard let expected, let object = (try? JSONParser().parse(expected))?.root.object else { return true }
        let device = kind.claims?.placeholders.contains { if case .deviceName = $0.source { true } else { false } }
        return device == true || object.members.allSatisfy { claims[$0.name] == $0.value }
    }

    /// What a token is for a route that wants a kind.
    mutating func standing(of token: Token, as kind: String, at time: VirtualTime) -> TokenStanding {
        let own = token.standing(at: time)
        let rules = stage.scenario.tokens
        guard token.kind == kind || rules.interchangeable else { return .wrongKind }
        guard let rotation = rules.kind(named: token.kind)?.rotation else { return own }
        switch token.fate {
        case .superseded(let since), .reused(let since):
            let isUsable = rotation.reuse == .accept || time - since < rotation.grace
            return isUsable ? (time >= token.expires ? .expired : .valid) : own
        case .live, .revoked: return own
        }
    }

    /// What happens on the server when a superseded token is offered again.
    mutating func punishReuse(of token: Token, standing: TokenStanding) {
        guard standing == .superseded || standing == .reused else { return }
        ledger.noteReuse(of: token.id)
        if stage.scenario.tokens.kind(named: token.kind)?.rotation?.reuse == .revokeDevice {
            ledger.revoke(.every, devices: .one(token.device))
        }
    }
}
