import Basics
import JSON
import ScenarioFormat

extension MockBackend {
    /// The moments that a token of ours may name: those that a date can be written for.
    private static let moments = 0...253_402_300_799

    /// Takes in a token that the same scenario issued before a restart.
    ///
    /// Its kind is inferred from its lifetime and its claims, because many backends put neither kind nor device into a token.
    mutating func adopt(_ text: String, as wanted: String, device: String?) -> Token? {
        guard
            text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2,
            let claims = keys.claims(of: text),
            let issued = claims["iat"]?.number?.int, Self.moments.contains(issued),
            let expires = claims["exp"]?.number?.int, Self.moments.contains(expires)
        else { return nil }
        let kinds = played.scenario.tokens.kinds.filter {
            !$0.isForeign && $0.format == .jwt && $0.lifetime.components.seconds == Int64(expires - issued)
        }
        let accounts = played.scenario.accounts.map(\.name) + [defaultAccount]
        for kind in kinds.filter({ $0.name == wanted }) + kinds.filter({ $0.name != wanted }) {
            for account in accounts {
                guard let owner = owner(of: claims, kind, account: account, issued: issued) else { continue }
                let device = owner.device ?? device
                return ledger.adopt(
                    text,
                    kind.name,
                    account: owner.account,
                    device: device,
                    issued: VirtualTime(seconds: Int64(issued)),
                    expires: VirtualTime(seconds: Int64(expires)),
                    owner: played.scenario.tokens.stored
                )
            }
        }
        return nil
    }

    /// The owner of a token according to its claims.
    private struct Owner {
        var account: String
        var device: String?
    }

    /// The owner of a token of a kind with these claims, if the account's tokens have such.
    private mutating func owner(
        of claims: JSONObject,
        _ kind: TokenKind,
        account: String,
        issued: Int
    ) -> Owner? {
        guard let template = kind.claims else { return Owner(account: account) }
        let sources = template.placeholders.flatMap(\.sources)
        let namesDevice = sources.contains { if case .request(.device) = $0 { true } else { false } }
        // Which of the texts is the device is found out by trying.
        let devices = namesDevice ? claims.members.compactMap(\.value.string) : [""]
        let isRepeatable = sources.allSatisfy(\.isRepeatable)
        // Rendering may count on.
        let saved = counters
        defer { counters = saved }
        for device in devices {
            let time = VirtualTime(seconds: Int64(issued))
            let token = Token(kind, of: account, device, issued: time)
            guard let expected = self.claims(of: kind, for: token)?.object else { continue }
            let fits = expected.members.allSatisfy { member in
                claims[member.name].map { $0 == member.value || !isRepeatable } ?? false
            }
            if fits { return Owner(account: account, device: namesDevice ? device : nil) }
        }
        return nil
    }
}

extension Token {
    /// A token that may have been issued in an earlier life, for its claims.
    fileprivate init(_ kind: TokenKind, of account: String, _ device: String, issued: VirtualTime) {
        self.init(
            id: "",
            kind: kind.name,
            value: "",
            device: device,
            account: account,
            family: 1,
            issued: issued,
            expires: issued + kind.lifetime
        )
    }
}

extension Placeholder.Source {
    /// A Boolean value that indicates whether it gives the same value again for the same account, device and moment.
    fileprivate var isRepeatable: Bool {
        switch self {
        case .counter, .currentCounter, .randomInteger, .randomHex, .randomChoice, .uuid, .state: false
        default: true
        }
    }
}
