import Basics
import JSON

/// A proof in the field `DPoP` that a client has the key that its tokens are bound to (RFC 9449, section 4).
package struct PossessionProof: Sendable, Hashable {
    /// The thumbprint of the key, which the token's `cnf.jkt` must name (section 6.1).
    package var thumbprint: String
    /// `jti`: the server accepts each one once.
    package var id: String
    /// The nonce that it carries.
    package var nonce: String?

    /// The data of the request that carries a proof.
    package struct Request: Sendable {
        package var method: String
        /// The URI that the request was sent to; query and fragment do not count.
        package var uri: String
        /// The server's time, in seconds since 1970.
        package var now: Int
        /// The maximum difference between `iat` and the server's time, in seconds.
        package var tolerance: Int
        /// The access token that the request carries; nil at the token endpoint.
        package var accessToken: String?
        /// The nonce that the server gave; nil when it requires none.
        package var nonce: String?

        package init(
            method: String,
            uri: String,
            now: Int,
            tolerance: Int = 300,
            accessToken: String? = nil,
            nonce: String? = nil
        ) {
            self.method = method
            self.uri = uri
            self.now = now
            self.tolerance = tolerance
            self.accessToken = accessToken
            self.nonce = nonce
        }
    }

    /// Checks a proof by the list of section 4.3.
    ///
    /// Two of its points are left to the caller: that the request has one field `DPoP`, and that ``id`` is new.
    package init(checking text: String, for request: Request) throws(PossessionProofError) {
        let token: JSONWebSignature
        do throws(JSONWebSignatureError) {
            token = try JSONWebSignature(unverified: text)
        } catch {
            throw .notSigned(error)
        }
        guard token.header["typ"]?.string == "dpop+jwt" else { throw .wrongType }
        let key = try Self.key(of: token)
        do throws(JSONWebSignatureError) {
            try token.verify(with: JSONWebKeySet([key]))
        } catch {
            throw .notSigned(error)
        }
        let claims = token.claims ?? JSONObject()
        guard let id = claims["jti"]?.string, !id.isEmpty else { throw .missing("jti") }
        guard let method = claims["htm"]?.string else { throw .missing("htm") }
        guard let uri = claims["htu"]?.string else { throw .missing("htu") }
        guard let time = claims["iat"]?.number.flatMap({ Int(exactly: $0.double.rounded(.down)) }) else {
            throw .missing("iat")
        }
        guard method.exact == request.method.exact else { throw .otherRequest("htm", found: method) }
        guard Self.normalized(uri) == Self.normalized(request.uri) else { throw .otherRequest("htu", found: uri) }
        let earliest = request.now.subtractingReportingOverflow(request.tolerance)
        let latest = request.now.addingReportingOverflow(request.tolerance)
        guard earliest.overflow || time >= earliest.partialValue, latest.overflow || time <= latest.partialValue else {
            throw .wrongTime(time, now: request.now)
        }
        if let nonce = request.nonce, claims["nonce"]?.string != nonce { throw .wrongNonce }
        if let accessToken = request.accessToken, claims["ath"]?.string != TokenHash.whole(of: accessToken) {
            throw .otherToken
        }
        thumbprint = key.thumbprint
        self.id = id
        nonce = claims["nonce"]?.string
    }

    /// The public key in the header, without the identifier that the header's `kid` would have to name.
    private static func key(of token: JSONWebSignature) throws(PossessionProofError) -> JSONWebKey {
        guard let value = token.header["jwk"] else { throw .missing("jwk") }
        var key: JSONWebKey
        do throws(JSONWebKeyError) {
            key = try JSONWebKey(reading: value)
        } catch {
            throw .unusableKey(error)
        }
        guard key.signingKey == nil else { throw .privateKey }
        key.id = token.keyID
        return key
    }

    /// Scheme and host in lower case, without the scheme's usual port, with a path, without query and fragment
    /// (RFC 3986, sections 6.2.2.1 and 6.2.3).
    private static func normalized(_ uri: String) -> String {
        let whole = uri.prefix { $0 != "?" && $0 != "#" }
        guard let colon = whole.firstIndex(of: ":"), whole[colon...].hasPrefix("://") else { return String(whole) }
        let scheme = whole[..<colon].lowercased()
        let rest = whole[colon...].dropFirst(3)
        let authorityEnd = rest.firstIndex(of: "/") ?? rest.endIndex
        var authority = rest[..<authorityEnd].lowercased()
        for usualPort in scheme == "https" ? [":443", ":"] : [":80", ":"] where authority.hasSuffix(usualPort) {
            authority.removeLast(usualPort.count)
            break
        }
        let path = rest[authorityEnd...]
        return "\(scheme)://\(authority)\(path.isEmpty ? "/" : path)"
    }
}

/// The reason why a proof is refused.
package enum PossessionProofError: Error, Sendable, Hashable {
    case notSigned(JSONWebSignatureError)
    case wrongType
    case missing(String)
    case unusableKey(JSONWebKeyError)
    case privateKey
    case otherRequest(String, found: String)
    case wrongTime(Int, now: Int)
    case wrongNonce
    case otherToken

    /// The error code of the response (sections 5 and 8).
    package var code: String { self == .wrongNonce ? "use_dpop_nonce" : "invalid_dpop_proof" }

    /// The mistake and what was expected, in the characters of an `error_description` (RFC 6749, section 5.2).
    package var sentence: String {
        String(
            String.UnicodeScalarView(
                words.unicodeScalars.map { scalar in
                    switch scalar {
                    case "\"": "'"
                    case "\\": "/"
                    case " "..."~": scalar
                    default: "?"
                    }
                }
            )
        )
    }

    private var words: String {
        switch self {
        case .notSigned(let error): error.sentence
        case .wrongType: "\"typ\" in the proof header must be \"dpop+jwt\""
        case .missing(let name): "the proof lacks \"\(name)\", which RFC 9449, section 4.2, requires"
        case .unusableKey(let error): "\"jwk\" in the proof header: \(error.sentence)"
        case .privateKey: "\"jwk\" in the proof header is not a public key"
        case .otherRequest(let name, let found):
            "\"\(name)\" is \"\(found.printable.shortened)\", which does not match the request"
        case .wrongTime(let time, let now): "\"iat\" is \(time), which is too far from the server's time \(now)"
        case .wrongNonce: "\"nonce\" was not issued by the server"
        case .otherToken: "\"ath\" is not the hash of the request's access token"
        }
    }
}
