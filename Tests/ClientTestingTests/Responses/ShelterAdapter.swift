import ClientTesting
import JSON

/// Puts the shelter's client under test.
struct ShelterAdapter: ClientAdapter {
    var bugs: Set<ShelterBug> = []
    var left: Set<String> = []
    var repeated: Set<String> = []
    var omissions: [String: String] = [:]
    var members = TokenMembers()
    var refusals = SessionRefusals()
    /// Whether the adapter says where tokens are granted.
    var saysGrants = false

    var name: String { "Shelter" }
    var contract: String { ShelterContract.path }

    func makeClient(_ setting: ClientSetting) -> ShelterClient { ShelterClient(setting, bugs: bugs, members: members) }

    private var grants: [String: JSONPointer] {
        guard saysGrants else { return [:] }
        return [
            "access": JSONPointer(tokens: [members.access]), "refresh": JSONPointer(tokens: [members.refresh]),
        ]
    }

    var operations: [ClientOperation<ShelterClient>] {
        let all: [ClientOperation<ShelterClient>] = [
            ClientOperation("signIn", role: .signIn, grants: grants) { client in
                try await client.signIn()
                return .nothing
            },
            ClientOperation("signOut", role: .signOut) { client in
                try await client.signOut()
                return .nothing
            },
            ClientOperation("refresh", role: .refresh, grants: grants) { client in
                try await client.refresh()
                return .nothing
            },
            ClientOperation("getPets") { client in
                _ = try await client.pets()
                return .nothing
            },
            ClientOperation("addPet") { client in
                _ = try await client.add("Rex")
                return .nothing
            },
        ]
        return all.filter { !left.contains($0.id) } + all.filter { repeated.contains($0.id) }
    }

    var tokens: [String: String] {
        let all = ["access": "stored-access", "refresh": "stored-refresh"]
        return bugs.contains(.storesRefreshTokenOnly) ? all.filter { $0.key == "refresh" } : all
    }

    func session(of client: ShelterClient) async -> ObservedSession {
        var tokens = await client.tokens
        if bugs.contains(.storesRefreshTokenOnly) { tokens["access"] = nil }
        return ObservedSession(isSignedIn: !tokens.isEmpty, tokens: tokens)
    }

    func name(of error: any Error) -> String {
        switch error as? ShelterError {
        case .status(let code): "status(\(code))"
        case .connection: "connection"
        case .unreadable: "unreadable"
        case .undecodable: "undecodable"
        case nil: "\(error)"
        }
    }

    func decodingError(in error: any Error) -> DecodingError? {
        if case .undecodable(let error) = error as? ShelterError { error } else { nil }
    }
}
