import Basics
import JSON
import Signatures

/// Makes the tokens that clients get in place of an upstream's.
enum OwnToken {
    /// The keys that sign, which protect nothing: they are those of this package.
    private static let rsa = TestKeys.rsa.first
    private static let curve = TestKeys.p256(seed: "proxy")
    private static let secret = SigningKey.secret(Array("backlot proxy".utf8))

    /// Returns whether a token is bound to a key of its client (RFC 7800), so that another one cannot take its place.
    static func isBound(_ value: String) -> Bool { (try? JSONWebSignature(unverified: value))?.claims?["cnf"] != nil }

    /// A token that looks like another one.
    ///
    /// A JSON Web Token has the same claims, with other times, and the signature of this server. Every other token has the
    /// same length and letters of the same kind; signs that queries and bodies encode become letters.
    ///
    /// - Parameters:
    ///   - shift: The time by which the moments in the claims are later.
    ///   - access: The client's access token, whose hash an ID token may contain (OpenID Connect Core, section 3.1.3.6).
    ///   - isTaken: Returns whether another token has the same text; two JSON Web Tokens of one second would.
    static func like(
        _ value: String,
        shiftedBy shift: Duration,
        hashing access: String?,
        isTaken: (String) -> Bool
    ) -> String {
        for attempt in 0..<16 {
            let identifier = attempt > 0 ? opaque(like: "00000000-0000-4000-8000-000000000000") : nil
            let token =
                signed(like: value, shiftedBy: shift, hashing: access, identifier: identifier) ?? opaque(like: value)
            if token != value, !isTaken(token) { return token }
        }
        // A text of signs alone has no other form.
        return opaque(like: String(repeating: "a0", count: 16))
    }

    private static func opaque(like value: String) -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = Array(value.utf8)
        let letters = bytes.filter(\.isASCIILetter)
        let isHexadecimal = letters.allSatisfy { $0 | 0x20 <= UInt8(ascii: "f") }
        let usesCapitals = letters.contains { $0 & 0x20 == 0 }
        let usesSmall = letters.contains { $0 & 0x20 != 0 } || letters.isEmpty
        let small = Array((isHexadecimal ? "abcdef" : "abcdefghijklmnopqrstuvwxyz").utf8)
        let alphabet = (usesSmall ? small : []) + (usesCapitals ? small.map { $0 & ~0x20 } : [])
        let made = bytes.enumerated().map { index, byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &generator)
            case UInt8(ascii: "-"), UInt8(ascii: "_"): byte
            case UInt8(ascii: ".") where index + 1 < bytes.count: byte
            default: alphabet.randomElement(using: &generator) ?? UInt8(ascii: "a")
            }
        }
        return String(decoding: made, as: UTF8.self)
    }

    private static func signed(
        like value: String,
        shiftedBy shift: Duration,
        hashing access: String?,
        identifier: String?
    ) -> String? {
        guard let token = try? JSONWebSignature(unverified: value), var claims = token.claims,
            let algorithm = token.header["alg"]?.string, let key = key(for: algorithm)
        else { return nil }
        let seconds = Int(shift.components.seconds)
        for name in ["iat", "nbf", "exp"] {
            guard let moment = claims[name]?.number?.int else { continue }
            let (later, overflows) = moment.addingReportingOverflow(seconds)
            if !overflows { claims[name] = .number(JSONNumber(later)) }
        }
        if let identifier { claims["jti"] = .string(identifier) }
        if claims["at_hash"]?.string != nil, let access {
            claims["at_hash"] = .string(Base64.encodeURL(Array(SHA256.hash(Array(access.utf8)).prefix(16))))
        }
        var header = token.header
        for name in ["x5c", "x5t", "x5t#S256", "x5u", "jku", "jwk"] { header[name] = nil }
        return JSONWebSignature.compact(JSONValue.object(claims).utf8(.compact), header: header, key: key)
    }

    /// The key that signs in place of a key of an algorithm; `nil` for no algorithm of signatures.
    private static func key(for algorithm: String) -> SigningKey? {
        switch algorithm.prefix(2) {
        case "RS", "PS": rsa?.signingKey
        case "ES", "Ed": curve.signingKey
        case "HS": secret
        default: nil
        }
    }

    /// The name of the algorithm that takes the place of one.
    static func algorithm(inPlaceOf name: String) -> String { key(for: name)?.algorithm.rawValue ?? name }

    /// This server's keys in place of an upstream's, with the same identifiers; `nil` for another document.
    static func keys(inPlaceOf document: JSONValue) -> JSONValue? {
        guard var object = document.object, let keys = object["keys"]?.array, !keys.isEmpty,
            keys.allSatisfy({ $0["kty"]?.string != nil })
        else { return nil }
        object["keys"] = .array(
            keys.compactMap { key in
                let own = key["kty"]?.string == "RSA" ? rsa : curve
                guard var published = own?.publicJSON?.object else { return nil }
                published["kid"] = key["kid"]
                if let use = key["use"] { published["use"] = use }
                return .object(published)
            }
        )
        return .object(object)
    }
}
