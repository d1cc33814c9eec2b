import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat

/// The devices of a ledger with their tokens, without values: what a document that is passed on may tell.
package struct RecordedDevices: Recorded {
    package let ledger: TokenLedger
    /// The moment whose states are written.
    private let now: VirtualTime

    package init(_ ledger: TokenLedger = TokenLedger(), at now: VirtualTime = VirtualTime(seconds: 0)) {
        (self.ledger, self.now) = (ledger, now)
    }

    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        var owners: [(name: String, account: String, family: Int)] = []
        var tokens: [(number: Int, token: Token)] = []
        for device in try json.elements() {
            let (name, account): (String, String) = (try device.read("device"), try device.read("account"))
            owners.append((name, account, try device.read(ifPresent: "signIns") ?? 1))
            for json in try device.optional("tokens")?.elements() ?? [] {
                tokens.append((try json.read("number"), try Token(json, device: name, account: account)))
            }
        }
        tokens.sort { $0.number < $1.number }
        self.init(TokenLedger(recorded: owners, tokens.map(\.token)))
    }

    package func json(in style: RecordedStyle) -> JSONValue {
        var numbers: [String: Int] = [:]
        for (index, token) in ledger.tokens.enumerated() { numbers[token.id] = index + 1 }
        return .array(
            ledger.devices.map { device in
                let tokens = ledger.tokens(of: device).map { token in
                    let fingerprint =
                        ledger.isRecorded ? Token.fingerprint(in: token.value) : Token.fingerprint(of: token.value)
                    return token.recordedJSON(numbers[token.id] ?? 0, of: device, fingerprint: fingerprint, at: now)
                }
                return [
                    "device": .string(device.name),
                    "account": .string(device.account),
                    "signIns": .number(JSONNumber(device.family)),
                    "tokens": .array(tokens),
                ]
            }
        )
    }
}

extension Token {
    /// - Parameter number: counts the tokens of the session in the order in which they were issued.
    fileprivate func recordedJSON(
        _ number: Int,
        of device: TokenLedger.Device,
        fingerprint: String,
        at now: VirtualTime
    ) -> JSONValue {
        var object = JSONObject()
        object["number"] = .number(JSONNumber(number))
        object["kind"] = .string(kind)
        object["id"] = .string(id)
        if account.exact != device.account.exact { object["account"] = .string(account) }
        object["state"] = .string(standing(now: now).rawValue)
        object["issuedAt"] = .string(issued.description)
        object["expiresAt"] = .string(expires.description)
        if !changes.isEmpty { object["changes"] = changes.json(in: RecordedStyle()) }
        object["fingerprint"] = .string(fingerprint)
        if let end = Token.claimedEnd(of: value) { object["exp"] = .number(JSONNumber(end)) }
        object["family"] = .number(JSONNumber(family))
        if let parent { object["parent"] = .string(parent) }
        return .object(object)
    }

    fileprivate init(_ json: RecordedValue, device: String, account: String) throws(RecordingProblem) {
        self.init(
            id: try json.read("id"),
            kind: try json.read("kind"),
            value: Token.standIn(
                fingerprint: try json.read(ifPresent: "fingerprint") ?? "",
                end: try json.read(ifPresent: "exp")
            ),
            device: device,
            account: try json.read(ifPresent: "account") ?? account,
            family: try json.read(ifPresent: "family") ?? 1,
            issued: try json.read("issuedAt"),
            expires: try json.read("expiresAt"),
            parent: try json.read(ifPresent: "parent"),
            changes: try json.read(ifPresent: "changes") ?? []
        )
    }
}

extension Token.Change: RecordedObject {
    package init() { self.init(.exchanged, at: VirtualTime(seconds: 0)) }

    package mutating func list(in form: inout RecordedForm) {
        form.member("change", &kind)
        form.member("at", &time)
    }
}

extension Token.Change.Kind: Recorded {}

/// The form of a token's value in a saved journal: a fingerprint, never a usable token.
///
/// A stand-in is equal for equal values and says the same about the token's end, so that a reader finds a
/// token in a request as well as the server did.
extension Token {
    /// The stand-in of a value: `recorded.`, what it claims where it is a JWT, and its fingerprint.
    package static func standIn(for value: String) -> String {
        standIn(fingerprint: fingerprint(of: value), end: claimedEnd(of: value))
    }

    static func standIn(fingerprint: String, end: Int?) -> String {
        let claims = end.map { Base64.encodeURL(Array("{\"exp\":\($0)}".utf8)) } ?? ""
        return "recorded.\(claims).\(fingerprint)"
    }

    /// Sixteen digits that tell values apart: FNV-1a of 64 bits.
    static func fingerprint(of value: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in value.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// The fingerprint that a stand-in has.
    static func fingerprint(in standIn: String) -> String {
        standIn.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(standIn[standIn.utf8.index(after: $0)...]) } ?? ""
    }

    /// The `exp` of a JWT, in seconds since 1970 (RFC 7519, section 4.1.4).
    package static func claimedEnd(of value: String) -> Int? {
        let parts = value.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.decodeURL(parts[1]) else { return nil }
        return (try? JSONParser().parse(payload))?.root["exp"]?.int
    }
}
