import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat

extension TokenLedger {
    /// Every token by device, without its value: what a document that is passed on may tell.
    package func recordedJSON(at now: VirtualTime) -> JSONValue {
        var numbers: [String: Int] = [:]
        for (index, token) in tokens.enumerated() { numbers[token.id] = index + 1 }
        return .array(
            devices.map { device in
                [
                    "device": .string(device.name),
                    "account": .string(device.account),
                    "signIns": .number(JSONNumber(device.family)),
                    "tokens": .array(
                        tokens(of: device).map { token in
                            token.recordedJSON(
                                numbers[token.id] ?? 0,
                                of: device,
                                fingerprint: isRecorded
                                    ? Token.fingerprint(in: token.value) : Token.fingerprint(of: token.value),
                                at: now
                            )
                        }
                    ),
                ]
            }
        )
    }

    /// Reads the devices of a journal's document with their tokens.
    package init(recorded devices: [RecordedValue]) throws(RecordingProblem) {
        var owners: [(name: String, account: String, family: Int)] = []
        var tokens: [(number: Int, token: Token)] = []
        for device in devices {
            let name = try device.member("device").string()
            let account = try device.member("account").string()
            owners.append((name, account, try device.optional("signIns")?.int() ?? 1))
            for json in try device.list("tokens") {
                tokens.append((try json.member("number").int(), try Token(json, device: name, account: account)))
            }
        }
        tokens.sort { $0.number < $1.number }
        self.init(recorded: owners, tokens.map(\.token))
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
        if !account.utf8.elementsEqual(device.account.utf8) { object["account"] = .string(account) }
        object["state"] = .string(standing(now: now).rawValue)
        object["issuedAt"] = .string(issued.description)
        object["expiresAt"] = .string(expires.description)
        if !changes.isEmpty {
            object["changes"] = .array(
                changes.map { ["change": .string($0.kind.rawValue), "at": .string($0.time.description)] }
            )
        }
        object["fingerprint"] = .string(fingerprint)
        if let end = Token.claimedEnd(of: value) { object["exp"] = .number(JSONNumber(end)) }
        object["family"] = .number(JSONNumber(family))
        if let parent { object["parent"] = .string(parent) }
        return .object(object)
    }

    fileprivate init(_ json: RecordedValue, device: String, account: String) throws(RecordingProblem) {
        let changes = try json.list("changes").map { change throws(RecordingProblem) in
            Change(
                try change.member("change").choice(among: Change.Kind.allCases),
                at: try change.member("at").moment()
            )
        }
        self.init(
            id: try json.member("id").string(),
            kind: try json.member("kind").string(),
            value: Token.standIn(
                fingerprint: try json.optional("fingerprint")?.string() ?? "",
                end: try json.optional("exp")?.int()
            ),
            device: device,
            account: try json.optional("account")?.string() ?? account,
            family: try json.optional("family")?.int() ?? 1,
            issued: try json.member("issuedAt").moment(),
            expires: try json.member("expiresAt").moment(),
            parent: try json.optional("parent")?.string(),
            changes: changes
        )
    }
}

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
