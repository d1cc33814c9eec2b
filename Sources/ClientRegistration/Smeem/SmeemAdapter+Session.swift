import ClientServices
import ClientTesting
import JSON

extension SmeemAdapter {
    static var session: [ClientOperation<SmeemClient>] {
        [
            ClientOperation("signIn", role: .signIn, root: JSONPointer(tokens: ["data"])) { client in
                let signIn = try await client.signIn(with: .kakao("from-kakao"))
                return try CallValue(Granted(signIn, await client.tokens))
            },
            ClientOperation("refresh", role: .refresh, root: JSONPointer(tokens: ["data"])) { client in
                let before = await client.tokens
                try await client.service.refreshSession()
                return try CallValue(Renewed(from: before, to: await client.tokens))
            },
            .noData("signOut", role: .signOut, answers: [noSession, noMember]) { try await $0.signOut() },
            .noData("withdraw", role: .signOut, answers: [noMember]) { try await $0.withdraw(because: .other) },
        ]
    }

    private static var noSession: ClientOperation<SmeemClient>.Answer {
        .init(401, "the session that should end is over")
    }

    private static var noMember: ClientOperation<SmeemClient>.Answer {
        .init(404, "the member who should be signed out is gone")
    }

    static var newcomers: [ClientOperation<SmeemClient>] {
        [
            .data("getAppVersion") { try await $0.appVersions() },
            .data("getGoals", at: ["goals"]) { try await $0.goals() },
            .data("getGoal") { try await $0.detail(of: .develop) },
            .data("getPlans", at: ["plans"]) { try await $0.plans() },
            .data("checkNickname", at: ["isExist"]) { try await $0.isTaken(Smeem.Nickname("스미미").needed()) },
        ]
    }

    static var tests: [ClientOperation<SmeemClient>] {
        [
            .value("testConnection") { try await $0.testConnection() },
            .noData("testAlarm") { try await $0.testPushMessage() },
        ]
    }
}

extension Optional {
    /// The value of an argument that is known to be right.
    func needed() throws(SmeemError) -> Wrapped {
        guard let self else { throw .unsendable("the adapter's argument is wrong") }
        return self
    }
}

/// What a sign-in has brought, from what the app makes of it.
private struct Granted: Encodable {
    var accessToken: String?
    var refreshToken: String?
    var isRegistered = true
    var hasPlan = true

    init(_ signIn: Smeem.SignIn, _ tokens: Tokens?) {
        accessToken = tokens?.access
        refreshToken = tokens?.refresh
        if case .unfinished(let signUp) = signIn {
            isRegistered = !signUp.needsNickname
            hasPlan = !signUp.needsGoal
        }
    }
}

/// What a refresh has brought, from what is stored after it: no other refresh token means that there was none.
private struct Renewed: Encodable {
    var accessToken: String?
    @Nullable var refreshToken: String?

    init(from before: Tokens?, to after: Tokens?) {
        accessToken = after?.access
        _refreshToken = Nullable(wrappedValue: after?.refresh == before?.refresh ? nil : after?.refresh)
    }
}
