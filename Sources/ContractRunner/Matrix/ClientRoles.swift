import OpenAPIContracts

/// What a client's operations have to do with its session, by their ids.
struct ClientRoles: Sendable {
    let signIn: Set<String>
    let refresh: Set<String>
    let signOut: Set<String>
    let refusals: SessionRefusals
    /// The kinds of token that the client stores.
    let kinds: [String]

    init<Adapter: ClientAdapter>(_ adapter: Adapter) {
        func ids(_ role: ClientOperation<Adapter.Client>.Role) -> Set<String> {
            Set(adapter.operations.lazy.filter { $0.role == role }.map(\.id))
        }
        signIn = ids(.signIn)
        refresh = ids(.refresh)
        signOut = ids(.signOut)
        refusals = adapter.refusals
        kinds = adapter.tokens.keys.sorted()
    }

    /// Whether an operation wants the session's token: it has security, and documents that a token may have expired.
    func isBehindToken(_ operation: Operation) -> Bool {
        !signIn.contains(operation.id) && !refresh.contains(operation.id)
            && operation.security.contains { !$0.isEmpty } && expiry(of: operation) != nil
    }

    /// The status by which an operation says that the token has expired.
    func expiry(of operation: Operation) -> Int? {
        refusals.expired.first { status in operation.responses.contains { $0.status == .code(status) } }
    }

    /// Whether the session may be over after this answer.
    func mayEndSession(_ status: Int, answering operation: Operation) -> Bool {
        if refresh.contains(operation.id) { return refusals.endingRefresh.contains(status) }
        return !signIn.contains(operation.id) && refusals.ending.contains(status)
    }
}
