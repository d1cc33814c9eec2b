import BacklotTesting
import Basics
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One operation in two roles: the token endpoint of OAuth 2 (RFC 6749, section 3.2).
@Suite struct `A token endpoint that signs in and refreshes` {
    @Test func `is called in each of its roles, with every documented response`() async throws {
        let sent = Lock<[String]>([])
        let client = TokenClient.underTest(noting: { grant in sent.withLock { $0.append(grant) } })
        let report = try await client.testDocumentedResponses()
        #expect(report.passed, "\(report)")
        let text = report.text(.json)
        for name in ["token as sign-in 200", "token as sign-in 400", "token as refresh 200", "token as refresh 400"] {
            #expect(text.contains("\"\(name)\""), "\(name) is missing in \(text)")
        }
        #expect(Set(sent.withLock { $0 }) == ["password", "refresh_token"])
        let variants = try await client.testResponseVariants()
        #expect(variants.passed, "\(variants)")
        #expect(variants.text(.json).contains("token as sign-in 200"))
    }

    @Test(arguments: [
        (TokenClient.Bug.forgetsSignIn, "token as sign-in, answered with 200", "token as sign-in 200"),
        (.forgetsRefresh, "token as refresh, answered with 200", "token as refresh 200"),
        (
            .keepsSessionQuiet, "token as refresh, answered with 200, left the client signed out with stored tokens",
            "token as refresh 200"
        ),
        (.signsOutWhenOffline, "token as refresh, ", "token as refresh refused"),
        (
            .staysSignedInWithoutTokens,
            "token as sign-in, answered with 400, left the client signed in without stored tokens",
            "token as sign-in 400"
        ),
    ])
    func `is judged by the role of each call`(bug: TokenClient.Bug, message: String, subject: String) async throws {
        let report = try await TokenClient.underTest(bug).testDocumentedResponses(of: "token")
        #expect(report.failures.contains { $0.message.hasPrefix(message) && $0.subject == subject }, "\(report)")
        let role = subject.contains("sign-in") ? "refresh" : "sign-in"
        let others = report.failures.filter { $0.subject?.hasPrefix("token as \(role)") == true }
        #expect(others.isEmpty, "\(report)")
    }

    @Test func `is found to be adapted twice in one role, and the advice says what may stand beside it`() async throws {
        for (roles, name) in [
            ([Call<TokenClient>.Role.refresh, .refresh], "token"),
            ([.signIn, .refresh, .refresh], "token as refresh"),
        ] {
            let report = try await TokenClient.underTest(roles: roles).testDocumentedResponses(of: "token")
            let twice = report.failures.filter { $0.id == "responses/adapted-twice" }
            #expect(twice.map(\.message) == ["\(name) is adapted more than once, and only the first call is used"])
            #expect(
                twice.first?.advice?.hasSuffix(#"such as Call("token", .signIn) and Call("token", .refresh)"#) == true,
                "\(report)"
            )
        }
    }
}

/// A client of an API with one token endpoint.
actor TokenClient {
    enum Bug: Sendable {
        /// The tokens of a sign-in are not stored.
        case forgetsSignIn
        /// Those of a refresh are not.
        case forgetsRefresh
        /// It shows the sign-in after every refresh.
        case keepsSessionQuiet
        /// It deletes its tokens when a refresh fails in any way.
        case signsOutWhenOffline
        /// It takes itself for signed in once it has sent a password.
        case staysSignedInWithoutTokens
    }

    struct Refused: Error { var status: Int }
    struct User: Codable { var name: String }

    struct Tokens: Codable {
        var access: String
        var refresh: String
        var type: String

        enum CodingKeys: String, CodingKey {
            case access = "access_token"
            case refresh = "refresh_token"
            case type = "token_type"
        }
    }

    private let setting: TestSetting
    private let bug: Bug?
    private let note: @Sendable (String) -> Void
    private var tokens: [String: String]
    private var isShownSignedIn: Bool

    init(_ setting: TestSetting, _ bug: Bug?, _ note: @escaping @Sendable (String) -> Void) {
        (self.setting, self.bug, self.note) = (setting, bug, note)
        tokens = setting.tokens
        isShownSignedIn = !setting.tokens.isEmpty
    }

    var session: ObservedSession { ObservedSession(isSignedIn: isShownSignedIn, tokens: tokens) }

    func signIn() async throws -> Tokens {
        let body = ["grant_type": "password", "username": "ada", "password": "secret"]
        if bug == .staysSignedInWithoutTokens { isShownSignedIn = true }
        let new: Tokens = try await send("POST", "token", body)
        if bug != .forgetsSignIn { keep(new) }
        return new
    }

    func refresh() async throws -> Tokens {
        do {
            let body = ["grant_type": "refresh_token", "refresh_token": tokens["refresh"] ?? ""]
            let new: Tokens = try await send("POST", "token", body)
            if bug != .forgetsRefresh { keep(new) }
            if bug == .keepsSessionQuiet { isShownSignedIn = false }
            return new
        } catch let error as Refused where error.status == 400 {
            (tokens, isShownSignedIn) = ([:], false)
            throw error
        } catch {
            if bug == .signsOutWhenOffline { (tokens, isShownSignedIn) = ([:], false) }
            throw error
        }
    }

    func me() async throws -> User {
        do {
            return try await send("GET", "me", nil)
        } catch let error as Refused where error.status == 401 {
            _ = try await refresh()
            return try await send("GET", "me", nil)
        }
    }

    private func keep(_ new: Tokens) {
        tokens = ["access": new.access, "refresh": new.refresh]
        isShownSignedIn = true
    }

    private func send<Value: Decodable>(_ method: String, _ path: String, _ body: [String: String]?) async throws
        -> Value
    {
        var request = URLRequest(url: setting.url.appendingPathComponent(path))
        request.httpMethod = method
        if let body {
            note(body["grant_type"] ?? "")
            request.httpBody = try JSONEncoder().encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        } else {
            request.setValue("Bearer \(tokens["access"] ?? "")", forHTTPHeaderField: "Authorization")
        }
        let (data, response) = try await setting.send(request)
        guard response.statusCode == 200 else { throw Refused(status: response.statusCode) }
        return try JSONDecoder().decode(Value.self, from: data)
    }

    static func underTest(
        _ bug: Bug? = nil,
        roles: [Call<TokenClient>.Role] = [.signIn, .refresh],
        noting note: @escaping @Sendable (String) -> Void = { _ in }
    ) -> ClientUnderTest<TokenClient> {
        ClientUnderTest("OAuth", contract: "Guide/Contracts/oauth/openapi.json") { setting in
            TokenClient(setting, bug, note)
        } session: { client in
            await client.session
        } calls: {
            for role in roles {
                Call("token", role) { role == .signIn ? try await $0.signIn() : try await $0.refresh() }
            }
            Call("getMe") { try await $0.me() }
        }
    }
}
