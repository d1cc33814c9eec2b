import Checking
import JSON
import OpenAPI

/// What a client's operations have to do with its session, by their ids.
struct ClientRoles: Sendable {
    let signIn: Set<String>
    let refresh: Set<String>
    let signOut: Set<String>
    let refusals: SessionRefusals
    /// The security schemes that a session's token meets; an app's own key is none of them.
    private let sessionSchemes: Set<String>
    /// Where successes of operations grant which kind of token; nothing for one of which nobody knows it.
    private let grants: [String: [(kind: String, place: JSONPointer)]]

    init<Adapter: ClientAdapter>(_ adapter: Adapter, _ contract: Contract, _ samples: SampleResponses) {
        func ids(_ role: ClientOperation<Adapter.Client>.Role) -> Set<String> {
            Set(adapter.operations.lazy.filter { $0.role == role }.map(\.id))
        }
        signIn = ids(.signIn)
        refresh = ids(.refresh)
        signOut = ids(.signOut)
        refusals = adapter.refusals
        sessionSchemes = Self.sessionSchemes(of: contract)
        let declared = adapter.operations.filter { $0.role == .signIn || $0.role == .refresh }
        var grants: [String: [(kind: String, place: JSONPointer)]] = [:]
        for operation in declared {
            let places = operation.grants.sorted { $0.key < $1.key }.map { (kind: $0.key, place: $0.value) }
            grants[operation.id] =
                places.isEmpty
                ? Self.guesses(contract.operations.first { $0.id == operation.id }, samples) : places
        }
        self.grants = grants
    }

    /// The schemes whose credentials are tokens by their kind; any scheme where there is none of these.
    private static func sessionSchemes(of contract: Contract) -> Set<String> {
        let bearing = contract.securitySchemes.filter(\.bearsToken)
        let schemes = bearing.isEmpty ? contract.securitySchemes : bearing
        return Set(schemes.map(\.name))
    }

    /// What looks like tokens in an operation's success.
    private static func guesses(
        _ operation: Operation?,
        _ samples: SampleResponses
    ) -> [(kind: String, place: JSONPointer)] {
        guard let operation, let body = samples.usual(of: operation)?.json else { return [] }
        return TokenFinder.tokens(grantedBy: body).map { found in
            (found.role == .access ? "access" : "refresh", found.pointer)
        }
    }

    /// Where a success of an operation grants which kind of token; `nil` for one that grants none.
    func grants(of operation: Operation) -> [(kind: String, place: JSONPointer)]? { grants[operation.id] }

    /// Whether an operation neither begins nor renews nor ends the session.
    func isPlain(_ operation: Operation) -> Bool {
        !signIn.contains(operation.id) && !refresh.contains(operation.id) && !signOut.contains(operation.id)
    }

    /// Whether an operation wants the session's token: its security does, and it documents that a token may have expired.
    func isBehindToken(_ operation: Operation) -> Bool {
        !signIn.contains(operation.id) && !refresh.contains(operation.id)
            && operation.security.contains { $0.contains { sessionSchemes.contains($0.scheme) } }
            && expiry(of: operation) != nil
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

extension SecurityScheme {
    /// Whether what it asks for is a token of somebody who has signed in, and no key of the app.
    fileprivate var bearsToken: Bool {
        switch kind {
        case .http(let scheme): scheme == "bearer"
        case .oauth2, .openIDConnect: true
        case .apiKey(.header, let name): name.lowercased().utf8.elementsEqual("authorization".utf8)
        case .apiKey, .mutualTLS: false
        }
    }
}
