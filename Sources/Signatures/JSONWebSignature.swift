import Basics
package import JSON

/// A signed text in the compact serialization (RFC 7515, section 7.1): header, payload and signature.
package struct JSONWebSignature: Sendable {
    package let header: JSONObject
    package let payload: [UInt8]
    /// `alg` of the header; nil when it is not a string.
    private let algorithm: String?
    private let signedText: [UInt8]
    private let signature: [UInt8]

    /// Takes a text apart **without** verifying its signature.
    ///
    /// Each part must be Base64url without padding and without left-over bits, and the header a JSON object in which no
    /// name occurs twice.
    package init(unverified text: some StringProtocol) throws(JSONWebSignatureError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .notThreeParts(found: parts.count) }
        guard let header = Base64.decodeURL(parts[0]) else { throw .notBase64URL("header") }
        guard let payload = Base64.decodeURL(parts[1]) else { throw .notBase64URL("payload") }
        guard let signature = Base64.decodeURL(parts[2]) else { throw .notBase64URL("signature") }
        guard let object = (try? JSONParser(duplicateNames: .refused).parse(header))?.root.object else {
            throw .headerNotObject
        }
        self.header = object
        self.payload = payload
        self.signature = signature
        algorithm = object["alg"]?.string
        signedText = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    }

    /// The payload as the claims of a token (RFC 7519, section 4); nil when it is not a JSON object.
    package var claims: JSONObject? {
        (try? JSONParser(duplicateNames: .refused).parse(payload))?.root.object
    }

    /// The header's `kid`.
    package var keyID: String? { header["kid"]?.string }

    /// Verifies the signature with the keys that the header may mean.
    ///
    /// `none` is not supported, a key verifies its own algorithm only, and a `crit` that lists extensions is refused,
    /// since none of them is supported (RFC 7515, section 4.1.11).
    ///
    /// - Returns: The key that made the signature.
    @discardableResult
    package func verify(with keys: JSONWebKeySet) throws(JSONWebSignatureError) -> JSONWebKey {
        guard let name = algorithm, let algorithm = SignatureAlgorithm(rawValue: name) else {
            throw .unsupportedAlgorithm(algorithm)
        }
        if header.contains("crit") { throw .criticalExtension }
        let candidates = keys.candidates(id: keyID, algorithm: algorithm)
        if candidates.isEmpty { throw .unknownKey(keyID, algorithm) }
        guard let key = candidates.first(where: { $0.verificationKey.verifies(signature, of: signedText) }) else {
            throw .wrongSignature
        }
        return key
    }

    /// Signs a payload.
    ///
    /// - Parameter header: Members next to `alg`, which the key decides: `typ`, `kid` and others.
    package static func compact(
        _ payload: [UInt8],
        header: JSONObject = JSONObject([("typ", "JWT")]),
        key: SigningKey
    ) -> String {
        compact(payload, encodedHeader: encodedHeader(header, algorithm: key.algorithm), key: key)
    }

    /// A header in Base64url, for callers that sign often with the same one.
    package static func encodedHeader(_ header: JSONObject, algorithm: SignatureAlgorithm) -> String {
        var header = header
        header["alg"] = .string(algorithm.rawValue)
        return Base64.encodeURL(JSONValue.object(header).utf8(.compact))
    }

    /// Signs a payload under a header that ``encodedHeader(_:algorithm:)`` made for the key's algorithm.
    package static func compact(_ payload: [UInt8], encodedHeader: String, key: SigningKey) -> String {
        let text = "\(encodedHeader).\(Base64.encodeURL(payload))"
        return "\(text).\(Base64.encodeURL(key.signature(of: Array(text.utf8))))"
    }
}

/// The reason why a signed text is refused.
package enum JSONWebSignatureError: Error, Sendable, Hashable {
    case notThreeParts(found: Int)
    case notBase64URL(String)
    case headerNotObject
    /// With the header's `alg`; nil if missing.
    case unsupportedAlgorithm(String?)
    case criticalExtension
    case unknownKey(String?, SignatureAlgorithm)
    case wrongSignature

    /// The mistake and what was expected.
    package var sentence: String {
        switch self {
        case .notThreeParts(let count):
            "a signed token has three parts separated by periods (RFC 7515, section 7.1), but this token has \(count)"
        case .notBase64URL(let part): "the \(part) is not Base64url without padding (RFC 7515, section 2)"
        case .headerNotObject: "the header is not a JSON object with distinct names (RFC 7515, section 4)"
        case .unsupportedAlgorithm(let name):
            "the algorithm \(name.map { "\"\($0.printable.shortened)\"" } ?? "of the header") is not supported; "
                + "\"RS256\", \"ES256\" and \"HS256\" are"
        case .criticalExtension: "the header requires an extension in \"crit\", but no extension is supported"
        case .unknownKey(let id?, let algorithm):
            "no key for \(algorithm.rawValue) has the identifier \"\(id.printable.shortened)\""
        case .unknownKey(nil, let algorithm): "there is no key for \(algorithm.rawValue)"
        case .wrongSignature: "the signature does not match the key or the signed text"
        }
    }
}
