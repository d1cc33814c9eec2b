import JSON

/// The defaults of a known provider: the lifetimes of its tokens, and the effect of a used refresh token.
///
/// Each figure has the page that documents it; none was measured at a running provider. A provider's customers can change
/// the figures; these are the ones that it begins with. A lifetime that a provider does not limit is ten years here.
struct IssuerProfile {
    enum Name: String, CaseIterable {
        case apple, auth0, cognito, firebase, gotrue, keycloak, okta
    }

    var access: Duration
    var refresh: Duration
    var id: Duration
    var code: Duration?
    /// The key `rotate`; false where a refresh gives no new refresh token.
    var rotation: JSONValue
    /// The response to a refresh token that is not accepted, where it is not a plain 400: the status, and
    /// `error_description`.
    var refusal: (status: Int, description: String)?
    /// The pages that the figures are from.
    var sources: [String]

    private static let (minute, hour, day) = (Duration.seconds(60), Duration.seconds(3_600), Duration.seconds(86_400))
    private static let unlimited = day * 3_650

    static func of(_ name: Name) -> IssuerProfile {
        switch name {
        case .apple:
            // A refresh gives an access token and an ID token; the refresh token stays. The code lasts five minutes.
            IssuerProfile(
                access: hour,
                refresh: unlimited,
                id: hour * 24,
                code: minute * 5,
                rotation: false,
                sources: ["developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens"]
            )
        case .auth0:
            // 86400 s for the tokens of an API; refresh tokens rotate, 30 days at most, without leeway.
            IssuerProfile(
                access: day,
                refresh: day * 30,
                id: hour * 10,
                rotation: ["grace": "0s", "reuse": "revokeDevice"],
                refusal: (403, "Unknown or invalid refresh token."),
                sources: [
                    "auth0.com/docs/secure/tokens/access-tokens/update-access-token-lifetime",
                    "auth0.com/docs/secure/tokens/refresh-tokens/refresh-token-rotation",
                    "github.com/auth0/Auth0.Android (AuthenticationException)",
                ]
            )
        case .cognito:
            // Rotation is off for a new client; where it is on, `"rotate": {"grace": "60s"}` is the longest grace.
            IssuerProfile(
                access: hour,
                refresh: day * 30,
                id: hour,
                rotation: false,
                sources: [
                    "docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolClient.html",
                    "docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RefreshTokenRotationType.html",
                ]
            )
        case .firebase:
            // ID tokens last an hour; refresh tokens end only when the user is deleted, disabled or changed.
            IssuerProfile(
                access: hour,
                refresh: unlimited,
                id: hour,
                rotation: false,
                sources: ["firebase.google.com/docs/auth/admin/manage-sessions"]
            )
        case .gotrue:
            // Refresh tokens never expire and are used once; ten seconds of reuse, then the session ends.
            IssuerProfile(
                access: hour,
                refresh: unlimited,
                id: hour,
                rotation: ["grace": "10s", "reuse": "revokeDevice"],
                refusal: (400, "Invalid Refresh Token: Already Used"),
                sources: ["supabase.com/docs/guides/auth/sessions"]
            )
        case .keycloak:
            // Access tokens last five minutes and a session idles for 30; refresh tokens may be used again.
            IssuerProfile(
                access: minute * 5,
                refresh: minute * 30,
                id: minute * 5,
                code: minute,
                rotation: ["reuse": "accept"],
                sources: ["www.keycloak.org/docs/latest/server_admin/#_timeouts"]
            )
        case .okta:
            // The leeway is 30 s; reuse ends all tokens since the user signed in. The org server: 90 days.
            IssuerProfile(
                access: hour,
                refresh: day * 90,
                id: hour,
                rotation: ["grace": "30s", "reuse": "revokeDevice"],
                sources: [
                    "developer.okta.com/docs/guides/refresh-tokens/main/",
                    "support.okta.com/help/s/article/refresh-token-expiration-behavior",
                ]
            )
        }
    }

    /// All profiles as a table of Markdown, for the reference.
    static let table: String = {
        let rows = Name.allCases.map { name in
            let profile = of(name)
            func text(_ duration: Duration) -> String {
                duration == unlimited ? "unlimited (10 years)" : DurationText.text(duration)
            }
            let sources = profile.sources.joined(separator: ", ")
            return "| `\(name.rawValue)` | \(text(profile.access)) | \(text(profile.refresh)) | \(text(profile.id)) "
                + "| `\(profile.rotation.text(.compact))` | \(sources) |"
        }
        return """
            | profile | access | refresh | ID token | `rotate` | sources |
            |---|---|---|---|---|---|
            \(rows.joined(separator: "\n"))
            """
    }()
}
