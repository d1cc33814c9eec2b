import ClientTesting
import HTTPCodec
import JSON

/// Smeem by its README: the splash screen refreshes, and once hung for whoever had not opened the app for two weeks.
struct SmeemReadme: ClientAdapter {
    let design: ReadmeDesign

    let name = "smeem-readme"
    let contract = "Contracts/smeem/openapi.json"
    let stories: String? = "Scenarios/smeem"
    let operations: [ClientOperation<PlainClient>] = []

    func makeClient(_ setting: ClientSetting) async throws -> PlainClient { PlainClient(setting) }

    func session(of client: PlainClient) async -> ObservedSession {
        let tokens = await client.tokens
        return ObservedSession(isSignedIn: tokens["access"] != nil, tokens: tokens)
    }

    var flows: [String: StoryFlow<PlainClient>] { ["SM-03": { client, _ in await open(client) }] }

    /// The app is opened.
    ///
    /// The other design refreshes when it is refused, and drops what is dead.
    private func open(_ client: PlainClient) async {
        _ = await client.send(.get, "/api/v2/versions/client/app", [:])
        guard await client.tokens["access"] != nil else { return await signIn(client) }
        if design == .other, await showHome(client) { return }
        let refreshed = await refresh(client)
        if design == .other, !refreshed { await client.forget() }
        if refreshed {
            _ = await showHome(client)
        } else if design != .bug {
            await signIn(client)
        }
    }

    /// Asks for what the home screen shows; false where that is refused.
    private func showHome(_ client: PlainClient) async -> Bool {
        let fields: HTTPFields = ["Authorization": "Bearer \(await client.tokens["access"] ?? "")"]
        let diaries = await client.send(.get, "/api/v2/diaries?start=2024-09-01&end=2024-09-30", fields)
        guard diaries.status != 401 else { return false }
        return await client.send(.patch, "/api/v2/members/visit", fields).status != 401
    }

    private func refresh(_ client: PlainClient) async -> Bool {
        let fields: HTTPFields = ["Authorization": "Bearer \(await client.tokens["refresh"] ?? "")"]
        let answer = await client.send(.post, "/api/v2/auth/token", fields)
        guard answer.status == 200 else { return false }
        await client.keep(answer.body?["data"]?["accessToken"]?.string, as: "access")
        return true
    }

    /// The start screen, and what its user does there.
    private func signIn(_ client: PlainClient) async {
        let fields: HTTPFields = ["Authorization": "Bearer from-kakao"]
        let answer = await client.send(.post, "/api/v2/auth", fields, ["social": "KAKAO", "fcmToken": ""])
        guard answer.status == 201 else { return }
        for kind in ["access", "refresh"] { await client.keep(answer.body?["data"]?["\(kind)Token"]?.string, as: kind) }
        _ = await showHome(client)
    }
}
