extension WhipItService {
    /// Whether somebody is signed in, as far as the tokens in the store tell.
    public var isSignedIn: Bool {
        get async throws(WhipItError) {
            do throws(ServiceProblem) {
                return try await client.session.tokens() != nil
            } catch {
                throw WhipItError(error)
            }
        }
    }

    /// What happens to the session from now on.
    public func events() async -> AsyncStream<SessionEvent> {
        await client.session.events()
    }

    /// Signs in.
    ///
    /// Nothing of a session before goes along.
    ///
    /// - Throws: ``WhipItStatus/unauthorized`` for an unknown user and for another password.
    /// - Returns: who is signed in now, which the app keeps, for the server does not tell again.
    @discardableResult
    public func signIn(email: String, password: String) async throws(WhipItError) -> WhipItSession {
        let body: Endpoint<WhipItGrant>.Body = .json(["email": email, "password": password])
        let granted: WhipItGrant = try await value(.json(.post, "login", body: body, authorization: .none))
        do throws(ServiceProblem) {
            try await client.session.begin(granted.tokens)
        } catch {
            throw WhipItError(error)
        }
        return WhipItSession(userID: granted.userID)
    }

    /// Renews the access token now, as an app does when it is opened, and finds out whether the session still holds.
    ///
    /// A token that is still good stays. When this fails with ``WhipItError/sessionEnded(_:)`` the user has to sign in;
    /// whatever else it fails with, such as no network, the user is still signed in.
    public func refreshSession() async throws(WhipItError) {
        do throws(ServiceProblem) {
            _ = try await client.session.renew()
        } catch {
            throw WhipItError(error)
        }
    }

    /// Forgets the session on this device; the server has nothing to be told.
    public func signOut() async {
        await client.session.end(.signedOut)
    }
}

/// A session as the server grants it.
private struct WhipItGrant: Decodable, Sendable {
    var userID: String
    var tokens: Tokens

    enum CodingKeys: String, CodingKey {
        case userID = "_id"
        case access = "token"
        case refresh = "refreshToken"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        userID = try container.decode(String.self, forKey: .userID)
        tokens = Tokens(
            access: try container.decodeToken(forKey: .access),
            refresh: try container.decodeToken(forKey: .refresh)
        )
    }
}
