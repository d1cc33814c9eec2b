import ClientTesting
import HTTPCodec
import JSON

/// WhipIt by its README: an interceptor whose refresh failed before it was sent, and a button to join that was dead after
/// an error.
struct WhipItReadme: ClientAdapter {
    let design: ReadmeDesign

    let name = "whipit-readme"
    let contract = "Contracts/whipit/openapi.json"
    let stories: String? = "Scenarios/whipit"
    let operations: [ClientOperation<PlainClient>] = []

    func makeClient(_ setting: ClientSetting) async throws -> PlainClient { PlainClient(setting) }

    func session(of client: PlainClient) async -> ObservedSession {
        let tokens = await client.tokens
        return ObservedSession(isSignedIn: tokens["access"] != nil, tokens: tokens)
    }

    var flows: [String: StoryFlow<PlainClient>] {
        [
            "WI-02": { client, _ in await openFeed(client) },
            "WI-05": { client, _ in
                if await feed(client) == 419, await !refresh(client) { await client.forget() }
            },
            "WI-25": { client, context in
                for _ in 1...(design == .bug ? 1 : 2) {
                    guard await join(client) != 200 else { return }
                    try await context.wait(seconds: 2)
                }
            },
        ]
    }

    private func join(_ client: PlainClient) async -> Int {
        let newcomer: JSONValue = ["email": "newcomer@example.com", "password": "whip1234", "nick": "위핏이88"]
        return await client.send(.post, "/join", ["SesacKey": "whipit-key"], newcomer).status
    }

    /// Asks for the feed, and once more with a new token.
    ///
    /// The other design reads when its token ends.
    private func openFeed(_ client: PlainClient) async {
        if design == .other, await client.hasExpired("access") { _ = await refresh(client) }
        guard await feed(client) == 419, design != .bug, await refresh(client) else { return }
        _ = await feed(client)
    }

    private func feed(_ client: PlainClient) async -> Int {
        let fields: HTTPFields = ["SesacKey": "whipit-key", "Authorization": await client.tokens["access"] ?? ""]
        return await client.send(.get, "/post?product_id=whipit_style&limit=20&next=0", fields).status
    }

    private func refresh(_ client: PlainClient) async -> Bool {
        let tokens = await client.tokens
        let fields: HTTPFields = [
            "SesacKey": "whipit-key", "Authorization": tokens["access"] ?? "", "Refresh": tokens["refresh"] ?? "",
        ]
        let answer = await client.send(.get, "/refresh", fields)
        guard answer.status == 200 else { return false }
        await client.keep(answer.body?["token"]?.string, as: "access")
        return true
    }
}
