import Basics
import HTTPCodec
import JSON

/// What a sign-in or a refresh has brought.
struct Tokens: Sendable, Hashable {
    var access: String
    var refresh: String
    var account: String
    /// `expires_in`, in seconds.
    var lifetime: Int64
    /// The server's time when it made them, in seconds since 1970.
    var issued: Int64
    /// How long the device had been running when they were asked for, and when they arrived; not for the next launch.
    var asked: Duration?
    var received: Duration?
}

extension Tokens {
    /// Reads the body of a grant.
    init?(_ response: HTTPResponse, asked: Duration, received: Duration) {
        guard
            let body = (try? JSONParser().parse(response.body))?.root,
            let access = body["access"]?.string, let refresh = body["refresh"]?.string,
            let account = body["account"]?.string, let lifetime = body["expiresIn"]?.int
        else { return nil }
        self.init(
            access: access,
            refresh: refresh,
            account: account,
            lifetime: Int64(lifetime),
            issued: response.fields["Date"].flatMap { HTTPDate.parse($0) } ?? 0,
            asked: asked,
            received: received
        )
    }

    /// What the access token says about its own lifetime, in seconds, where it is a JWT.
    var claimedLifetime: Int64? {
        guard let claims = Self.claims(of: access), let issued = claims["iat"]?.int, let expires = claims["exp"]?.int
        else { return nil }
        return Int64(expires - issued)
    }

    /// The claims of a JWT; `nil` for any other token.
    static func claims(of token: String) -> JSONValue? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."))
        guard parts.count == 3 else { return nil }
        return Base64.decodeURL(parts[1]).flatMap { (try? JSONParser().parse($0))?.root }
    }
}
