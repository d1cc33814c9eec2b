import JSON
import Signatures

/// The session's JSON Web Tokens, signed with HS256 (RFC 7519; RFC 7518, section 3.2).
enum JSONWebToken {
    private static let header = JSONWebSignature.encodedHeader(JSONObject([("typ", "JWT")]), algorithm: .hs256)

    /// Makes a token of a payload that is already JSON text.
    static func sign(_ payload: [UInt8], key: [UInt8]) -> String {
        JSONWebSignature.compact(payload, encodedHeader: header, key: .secret(key))
    }

    /// The claims of a token whose signature this key made; `nil` for any other text.
    static func verify(_ token: String, key: [UInt8]) -> JSONObject? {
        guard let signature = try? JSONWebSignature(unverified: token),
            (try? signature.verify(with: JSONWebKeySet([JSONWebKey(SigningKey.secret(key))]))) != nil
        else { return nil }
        return signature.claims
    }
}
