import ClientServices
package import ClientTesting
import JSON

/// Puts Smeem's service under test.
package struct SmeemAdapter: ClientAdapter {
    package init() {}

    package var name: String { "Smeem" }
    package var contract: String { "Contracts/smeem/openapi.json" }
    package var stories: String? { "Scenarios/smeem" }
    package var refusals: SessionRefusals { SessionRefusals(expired: [401], ending: [401], endingRefresh: [401]) }

    package func makeClient(_ setting: ClientSetting) async throws -> SmeemClient {
        try SmeemClient(setting)
    }

    package var operations: [ClientOperation<SmeemClient>] {
        Self.session + Self.newcomers + Self.members + Self.diaries + Self.bookmarks + Self.tests
    }

    package var flows: [String: StoryFlow<SmeemClient>] {
        Self.launches.merging(Self.pages) { first, _ in first }.merging(Self.accounts) { first, _ in first }
    }

    package func session(of client: SmeemClient) async -> ClientSession {
        let tokens = await client.tokens
        // Whoever is signing up is signed in as far as the server can tell.
        let isSigningUp = await client.signUp.value != nil && tokens != nil
        return ClientSession(isSignedIn: isSigningUp ? true : await client.isSignedIn, tokens: tokens)
    }

    package func name(of error: any Error) -> String {
        guard let error = error as? SmeemError else { return "\(error)" }
        return switch error {
        case .clientError(let refusal): "clientError(\(refusal.status))"
        case .serverError(let refusal): "serverError(\(refusal.status))"
        case .userError(let failure): "userError(\(failure))"
        case .unreadable: "unreadable"
        case .socialTokenRefused: "socialTokenRefused"
        case .nicknameTaken: "nicknameTaken"
        case .signedOut: "signedOut"
        case .sessionEnded(let reason): "sessionEnded(\(reason))"
        case .storage: "storage"
        case .unsendable: "unsendable"
        }
    }

    package func decodingError(in error: any Error) -> DecodingError? {
        guard case SmeemError.unreadable(let response) = error else { return nil }
        return response.reason
    }
}

extension ClientOperation<SmeemClient> {
    /// An operation that comes back with what is in the envelope.
    static func data(
        _ id: String,
        at place: [String] = [],
        tolerances: [Drop] = [],
        companions: Set<String> = [],
        _ call: @escaping @Sendable (SmeemService) async throws -> (some Encodable & Sendable)?
    ) -> ClientOperation {
        .value(id, root: JSONPointer(tokens: ["data"] + place), tolerances: tolerances, companions: companions, call)
    }

    /// An operation with nothing in the envelope.
    static func noData(
        _ id: String,
        role: Role = .plain,
        answers: [Answer] = [],
        _ call: @escaping @Sendable (SmeemService) async throws -> Void
    ) -> ClientOperation {
        .done(id, role: role, root: JSONPointer(tokens: ["data"]), answers: answers, call)
    }
}
