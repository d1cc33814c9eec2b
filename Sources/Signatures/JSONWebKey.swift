import Basics
package import JSON

/// A key as JSON (RFC 7517): `RSA`, `EC` with the curve `P-256`, or `oct`.
package struct JSONWebKey: Sendable, Hashable {
    package var verificationKey: VerificationKey
    /// The private half, or the secret; nil for a public key.
    package var signingKey: SigningKey?
    /// `kid`: how a token's header names the key.
    package var id: String?

    package init(_ signingKey: SigningKey, id: String? = nil) {
        self.signingKey = signingKey
        verificationKey = signingKey.verificationKey
        self.id = id
    }

    package init(_ verificationKey: VerificationKey, id: String? = nil) {
        self.verificationKey = verificationKey
        if case .secret(let bytes) = verificationKey { signingKey = .secret(bytes) }
        self.id = id
    }

    /// Reads a key; members that RFC 7517 does not define are ignored.
    package init(reading value: JSONValue) throws(JSONWebKeyError) {
        let reader = KeyReader(value: value)
        switch try reader.text("kty") {
        case "RSA": self = try reader.rsaKey()
        case "EC": self = try reader.ellipticKey()
        case "oct": self.init(SigningKey.secret(try reader.bytes("k")))
        case let type: throw reader.error(.unsupportedType(type), at: "kty")
        }
        if let algorithm = try reader.optionalText("alg"), algorithm != verificationKey.algorithm.rawValue {
            throw reader.error(.otherAlgorithm(algorithm, usual: verificationKey.algorithm), at: "alg")
        }
        id = try reader.optionalText("kid")
    }

    /// The public key as a server publishes it; nil for a secret, which has no public half.
    package var publicJSON: JSONValue? {
        guard verificationKey.isPublic else { return nil }
        var object = requiredMembers
        object["alg"] = .string(verificationKey.algorithm.rawValue)
        object["use"] = "sig"
        if let id { object["kid"] = .string(id) }
        return .object(object)
    }

    /// The thumbprint with SHA-256 in Base64url (RFC 7638): a name for the key that depends on its public half alone.
    package var thumbprint: String {
        Base64.encodeURL(SHA256.hash(JSONValue.object(requiredMembers).utf8(.compact)))
    }

    /// The members that make up the public key, in the order of their names (RFC 7638, section 3.2).
    private var requiredMembers: JSONObject {
        switch verificationKey {
        case .secret(let bytes): JSONObject([("k", .base64URL(bytes)), ("kty", "oct")])
        case .p256(let key):
            JSONObject([("crv", "P-256"), ("kty", "EC"), ("x", .base64URL(key.x)), ("y", .base64URL(key.y))])
        case .rsa(let key):
            JSONObject([
                ("e", .base64URL(key.exponentBytes)), ("kty", "RSA"), ("n", .base64URL(key.modulusBytes)),
            ])
        }
    }
}

/// A document of keys (RFC 7517, section 5).
package struct JSONWebKeySet: Sendable, Hashable {
    package var keys: [JSONWebKey]

    package init(_ keys: [JSONWebKey]) {
        self.keys = keys
    }

    /// Reads a set, leaving out keys of a type, a curve or an algorithm that is not supported, as RFC 7517 advises.
    package init(reading value: JSONValue) throws(JSONWebKeyError) {
        guard let values = value["keys"]?.array else {
            throw JSONWebKeyError(reason: .noKeys, position: value["keys"]?.position ?? value.position)
        }
        keys = []
        for value in values {
            do throws(JSONWebKeyError) {
                keys.append(try JSONWebKey(reading: value))
            } catch  where !error.reason.isUnsupported {
                throw error
            } catch {}
        }
    }

    /// The published keys of a server, without private halves and secrets.
    package var publicJSON: JSONValue {
        .object(JSONObject([("keys", .array(keys.compactMap(\.publicJSON)))]))
    }

    /// The keys that a token's header may mean: that of its `kid`, or without one all keys of the algorithm.
    func candidates(id: String?, algorithm: SignatureAlgorithm) -> [JSONWebKey] {
        keys.filter { (id == nil || $0.id == id) && $0.verificationKey.algorithm == algorithm }
    }
}

/// The reason why a value is not a usable key.
package struct JSONWebKeyError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case notAnObject
        case noKeys
        case missing(String)
        case notText(String)
        case notBase64URL(String)
        case unsupportedType(String)
        case unsupportedCurve(String)
        case otherAlgorithm(String, usual: SignatureAlgorithm)
        case notOnCurve
        case privateKeyOfAnother
        case unusableModulus
        case partsDoNotFit

        /// A Boolean value that indicates whether the key may well be valid, but not for this package.
        var isUnsupported: Bool {
            switch self {
            case .unsupportedType, .unsupportedCurve, .otherAlgorithm: true
            default: false
            }
        }
    }

    package var reason: Reason
    /// The member, or the object that lacks it.
    package var position: JSONPosition

    /// The mistake and what was expected.
    package var sentence: String {
        switch reason {
        case .notAnObject: "a key must be a JSON object with the member \"kty\" (RFC 7517, section 4)"
        case .noKeys: "a key set must be a JSON object whose member \"keys\" is an array (RFC 7517, section 5)"
        case .missing(let name): "the key lacks \"\(name)\", which its type requires (RFC 7518, section 6)"
        case .notText(let name): "\"\(name)\" in a key must be a string"
        case .notBase64URL(let name): "\"\(name)\" is not Base64url without padding (RFC 7515, section 2)"
        case .unsupportedType(let type):
            "keys of the type \"\(type.printable.shortened)\" are not supported; use \"RSA\", \"EC\" or \"oct\""
        case .unsupportedCurve(let curve): "the curve \"\(curve.printable.shortened)\" is not supported; use \"P-256\""
        case .otherAlgorithm(let algorithm, let usual):
            "the algorithm \"\(algorithm.printable.shortened)\" is not supported for this key; use \"\(usual.rawValue)\""
        case .notOnCurve: "\"x\" and \"y\" are not the 32-byte coordinates of a point on the curve P-256"
        case .privateKeyOfAnother: "\"d\" is not the private key for \"x\" and \"y\""
        case .unusableModulus:
            "\"n\" is not an odd number of 2048 to 8192 bits, or \"e\" is not an odd number of 2 to 64 bits"
        case .partsDoNotFit: "\"p\", \"q\", \"dp\", \"dq\" and \"qi\" do not match \"n\" and \"e\""
        }
    }
}

/// Reads the members of one key.
private struct KeyReader {
    var value: JSONValue

    func error(_ reason: JSONWebKeyError.Reason, at member: String? = nil) -> JSONWebKeyError {
        JSONWebKeyError(reason: reason, position: member.flatMap { value[$0]?.position } ?? value.position)
    }

    func optionalText(_ name: String) throws(JSONWebKeyError) -> String? {
        guard let object = value.object else { throw error(.notAnObject) }
        guard let member = object[name] else { return nil }
        guard let text = member.string else { throw error(.notText(name), at: name) }
        return text
    }

    func text(_ name: String) throws(JSONWebKeyError) -> String {
        guard let text = try optionalText(name) else { throw error(.missing(name)) }
        return text
    }

    func bytes(_ name: String) throws(JSONWebKeyError) -> [UInt8] {
        guard let bytes = Base64.decodeURL(try text(name).utf8) else { throw error(.notBase64URL(name), at: name) }
        return bytes
    }

    func ellipticKey() throws(JSONWebKeyError) -> JSONWebKey {
        let curve = try text("crv")
        guard curve == "P-256" else { throw error(.unsupportedCurve(curve), at: "crv") }
        guard let publicKey = P256PublicKey(x: try bytes("x"), y: try bytes("y")) else {
            throw error(.notOnCurve, at: "x")
        }
        guard try optionalText("d") != nil else { return JSONWebKey(.p256(publicKey)) }
        guard let key = P256PrivateKey(try bytes("d")), key.publicKey == publicKey else {
            throw error(.privateKeyOfAnother, at: "d")
        }
        return JSONWebKey(.p256(key))
    }

    func rsaKey() throws(JSONWebKeyError) -> JSONWebKey {
        guard let publicKey = RSAPublicKey(modulus: try bytes("n"), exponent: try bytes("e")) else {
            throw error(.unusableModulus, at: "n")
        }
        let isPublic = try optionalText("d") == nil && value["p"] == nil
        if isPublic { return JSONWebKey(.rsa(publicKey)) }
        let factors = RSAPrivateKey.Factors(
            first: try bytes("p"),
            second: try bytes("q"),
            firstExponent: try bytes("dp"),
            secondExponent: try bytes("dq"),
            coefficient: try bytes("qi")
        )
        guard let key = RSAPrivateKey(publicKey: publicKey, factors: factors) else {
            throw error(.partsDoNotFit, at: "p")
        }
        return JSONWebKey(.rsa(key))
    }
}

extension JSONValue {
    fileprivate static func base64URL(_ bytes: [UInt8]) -> JSONValue { .string(Base64.encodeURL(bytes)) }
}
