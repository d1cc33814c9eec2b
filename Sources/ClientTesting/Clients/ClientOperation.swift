package import JSON

/// One operation of a contract as a client has it.
package struct ClientOperation<Client: Sendable>: Sendable {
    /// The contract's `operationId`.
    package var id: String
    /// Its name in reports: the id, and the role where the client has the operation in several.
    package var name: String
    package var role: Role
    /// The place of the client's value in the response's body: `/data` if the client removes an
    /// envelope.
    package var root: JSONPointer
    /// Members of the contract that the client does not keep.
    package var drops: [Drop]
    /// Required members that the client can do without, because another server leaves them out.
    package var tolerances: [Drop]
    /// Documented refusals that are results for this client, and what it makes of them.
    package var answers: [Answer]
    /// Where a success grants tokens, by their kind; empty where the members' names say it.
    package var grants: [String: JSONPointer]
    /// Further operations that the call may need, by `operationId`.
    package var accompanying: Set<String>
    /// Asks the client, with arguments that the contract allows.
    package var call: @Sendable (Client) async throws -> CallValue

    package typealias Role = CallRole

    /// A member that a client treats otherwise than the contract would have it, and why that is right.
    package struct Drop: Sendable, Hashable {
        /// Segments of the place in the response's body; `*` matches any element.
        package var place: String
        package var reason: String

        package init(_ place: String, _ reason: String) {
            self.place = place
            self.reason = reason
        }
    }

    /// A refusal that is not a failure, such as 400 for "nothing studied yet".
    package struct Answer: Sendable, Hashable {
        package var status: Int
        package var reason: String

        package init(_ status: Int, _ reason: String) {
            self.status = status
            self.reason = reason
        }
    }

    package init(
        _ id: String,
        role: Role = .plain,
        root: JSONPointer = JSONPointer(),
        drops: [Drop] = [],
        tolerances: [Drop] = [],
        answers: [Answer] = [],
        grants: [String: JSONPointer] = [:],
        accompanying: Set<String> = [],
        call: @escaping @Sendable (Client) async throws -> CallValue
    ) {
        self.id = id
        name = id
        self.role = role
        self.root = root
        self.drops = drops
        self.tolerances = tolerances
        self.answers = answers
        self.grants = grants
        self.accompanying = accompanying
        self.call = call
    }
}

/// The effect of a call on the session.
public enum CallRole: String, Sendable, Hashable, CaseIterable {
    /// The call does not affect the session.
    case plain
    /// The call starts a session.
    case signIn = "sign-in"
    /// The call renews the session's tokens.
    case refresh
    /// The call ends the session, by signing out or deleting the account.
    case signOut = "sign-out"
}

extension ClientAdapter {
    /// The stored tokens before a call: none before a sign-in, because a user who is signed in does not sign in.
    func tokens(before operation: ClientOperation<Client>) -> [String: String] {
        operation.role == .signIn ? [:] : tokens
    }

    /// The calls of each operation by its id: one for each role, since a token endpoint signs in and refreshes.
    ///
    /// Of several in one role only the first is ever made.
    var calls: [String: [ClientOperation<Client>]] {
        zip(operations, operationNames).reduce(into: [:]) { calls, named in
            var (operation, name) = named
            guard !calls[operation.id, default: []].contains(where: { $0.role == operation.role }) else { return }
            operation.name = name
            calls[operation.id, default: []].append(operation)
        }
    }

    /// The name of each operation in reports, in their order.
    package var operationNames: [String] {
        let roles = operations.reduce(into: [String: Set<CallRole>]()) {
            $0[$1.id, default: []].insert($1.role)
        }
        return operations.map { (roles[$0.id]?.count ?? 0) > 1 ? "\($0.id) as \($0.role.rawValue)" : $0.id }
    }
}

/// The result of a client's call.
package enum CallValue: Sendable, Hashable {
    /// Nothing that could be compared.
    case nothing
    /// The value as the client encodes it: JSON.
    case json([UInt8])

    /// Returns whether two values are equal, regardless of the order of members.
    func isEqual(to other: CallValue) -> Bool {
        guard case .json(let bytes) = self, case .json(let others) = other else { return self == other }
        return bytes == others || (try? JSONParser().parse(bytes).root) == (try? JSONParser().parse(others).root)
    }
}

extension ClientOperation {
    /// The refusals that the client takes for results, as sentences with the reasons.
    var answersWithReasons: [String] {
        answers.map { "\(name) treats \($0.status) as a result: \($0.reason)" }
    }

    /// The client's deviations from the contract in reading, as sentences with the reasons.
    var dropsWithReasons: [String] {
        drops.map { "\(name) ignores \($0.place): \($0.reason)" }
            + tolerances.map { "\(name) tolerates a response without \($0.place): \($0.reason)" }
    }
}
