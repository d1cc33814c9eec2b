import ClientServices
import ClientTesting
import JSON

/// An app under test: its service, and where it keeps the tokens.
protocol AppClient: Sendable {
    associatedtype Service: Sendable

    var service: Service { get }
    var store: MemoryTokenStore { get }

    /// Whether the app takes its user for signed in.
    var isSignedIn: Bool { get async }
}

extension AppClient {
    /// What the app knows of its session, and what it holds.
    var session: ClientSession {
        get async { ClientSession(isSignedIn: await isSignedIn, tokens: await store.tokens()) }
    }
}

extension ClientOperation where Client: AppClient {
    /// An operation that comes back with a value, or with none.
    static func value(
        _ id: String,
        role: Role = .plain,
        root: JSONPointer = JSONPointer(),
        drops: [Drop] = [],
        tolerances: [Drop] = [],
        answers: [Answer] = [],
        companions: Set<String> = [],
        _ call: @escaping @Sendable (Client.Service) async throws -> (some Encodable & Sendable)?
    ) -> ClientOperation {
        ClientOperation(
            id,
            role: role,
            root: root,
            drops: drops,
            tolerances: tolerances,
            answers: answers,
            companions: companions
        ) { client in
            guard let value = try await call(client.service) else { return .nothing }
            return try CallValue(value)
        }
    }

    /// An operation that only comes back.
    static func done(
        _ id: String,
        role: Role = .plain,
        root: JSONPointer = JSONPointer(),
        drops: [Drop] = [],
        answers: [Answer] = [],
        _ call: @escaping @Sendable (Client.Service) async throws -> Void
    ) -> ClientOperation {
        ClientOperation(id, role: role, root: root, drops: drops, answers: answers) { client in
            try await call(client.service)
            return .nothing
        }
    }
}
