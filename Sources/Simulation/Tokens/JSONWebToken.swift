import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// JSON Web Tokens signed with HS256 (RFC 7519; RFC 7515, section 3; RFC 7518, section 3.2).
enum JSONWebToken {
    private static let header = Base64.encodeURL(Array(#"{"typ":"JWT","alg":"HS256"}"#.utf8))

    /// Makes a token of a payload that is already JSON text.
    static func sign(_ payload: [UInt8], key: [UInt8]) -> String {
        let signed = "\(header).\(Base64.encodeURL(payload))"
        return "\(signed).\(Base64.encodeURL(SHA256.authenticationCode(of: Array(signed.utf8), key: key)))"
    }

    /// The claims of a token whose signature this key made; `nil` for any other text.
    static func verify(_ token: String, key: [UInt8]) -> JSONObject? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard
            parts.count == 3,
            let signature = Base64.decodeURL(parts[2]),
            let header = Base64.decodeURL(parts[0]).flatMap(object),
            header["alg"]?.string == "HS256"
        else { return nil }
        let signed = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
        guard SHA256.authenticationCode(of: signed, key: key) == signature else { return nil }
        return Base64.decodeURL(parts[1]).flatMap(object)
    }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        (try? JSONParser(duplicateNames: .refused).parse(bytes))?.root.object
    }
}
