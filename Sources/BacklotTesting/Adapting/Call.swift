import ClientTesting
import Foundation
import JSON
import Testing

/// A client's call for one operation of a contract.
///
/// ```swift
/// Call("getPet") { try await $0.pet(7) }
/// Call("signIn", .signIn) { try await $0.signIn(name: "ada", password: "secret") }
/// ```
///
/// An operation has a call for each of its roles in the client: a token endpoint (RFC 6749, section 3.2) that signs in
/// and refreshes has two.
public struct Call<Client: Sendable>: Sendable {
    /// The effect of a call on the session.
    public enum Role: Sendable, Hashable, CaseIterable {
        /// Nothing.
        case plain
        /// Starts a session.
        case signIn
        /// Renews its tokens.
        case refresh
        /// Ends it: signing out, or deleting the account.
        case signOut
    }

    /// The contract's `operationId`, or method and path if it has none: `GET /pets/{id}`.
    public let operationID: String
    /// Its effect on the session.
    public let role: Role
    var root = JSONPointer()
    var drops: [ClientOperation<Client>.Drop] = []
    var tolerances: [ClientOperation<Client>.Drop] = []
    var answers: [ClientOperation<Client>.Answer] = []
    var accompanying: Set<String> = []
    var grants: [String: JSONPointer] = [:]
    let location: SourceLocation
    /// The problem of a place in it.
    private(set) var problem: String?
    let ask: @Sendable (Client, JSONEncoder) async throws -> CallValue

    /// A call that returns a value of the API.
    ///
    /// The value is encoded again and must equal the response in everything that the contract documents, so return the
    /// decoded value, not one that is prepared for a screen.
    ///
    /// - Parameters:
    ///   - operationID: the contract's `operationId`, or method and path if it has none: `GET /pets/{id}`.
    ///   - role: the effect of the call on the session.
    ///   - ask: calls the client, with arguments that the contract allows.
    ///   - fileID: the source location of the call, with the next three; its failures are issues there.
    public init<Value: Encodable & SendableMetatype>(
        _ operationID: String,
        _ role: Role = .plain,
        ask: @escaping @Sendable (Client) async throws -> Value,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) {
        let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        self.init(operationID, role, location) { client, encoder in
            let value = try await ask(client)
            do {
                return .json(Array(try encoder.encode(value)))
            } catch {
                throw TestProblem("what \(operationID) returned cannot be encoded again: \(error)")
            }
        }
    }

    /// A call that returns nothing.
    ///
    /// Use it also if the value cannot be encoded: `{ _ = try await $0.export() }`. Nothing is compared then, but the
    /// response has to be decoded nevertheless.
    ///
    /// - Parameters:
    ///   - operationID: the contract's `operationId`, or method and path if it has none: `GET /pets/{id}`.
    ///   - role: the effect of the call on the session.
    ///   - ask: calls the client, with arguments that the contract allows.
    ///   - fileID: the source location of the call, with the next three; its failures are issues there.
    public init(
        _ operationID: String,
        _ role: Role = .plain,
        ask: @escaping @Sendable (Client) async throws -> Void,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) {
        let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        self.init(operationID, role, location) { client, _ in
            try await ask(client)
            return .nothing
        }
    }

    private init(
        _ operationID: String,
        _ role: Role,
        _ location: SourceLocation,
        asking ask: @escaping @Sendable (Client, JSONEncoder) async throws -> CallValue
    ) {
        self.operationID = operationID
        self.role = role
        self.location = location
        self.ask = ask
    }
}

extension Call {
    /// Sets the place of the returned value in the response's body, such as `/data` inside an envelope.
    ///
    /// - Parameter pointer: a JSON Pointer (RFC 6901).
    public func inside(_ pointer: String) -> Self {
        var copy = self
        copy.root = copy.read(pointer)
        return copy
    }

    /// Declares that the client drops a member of the response.
    ///
    /// - Parameters:
    ///   - place: names from the body's root, separated by slashes; `*` matches any element or member.
    ///   - reason: the justification, for the report.
    public func dropping(_ place: String, because reason: String) -> Self {
        var copy = self
        copy.drops.append(.init(place, reason))
        return copy
    }

    /// Declares that the client tolerates the absence of a member that the contract requires.
    ///
    /// - Parameters:
    ///   - place: names from the body's root, separated by slashes; `*` matches any element or member.
    ///   - reason: the server that omits it.
    public func tolerating(_ place: String, because reason: String) -> Self {
        var copy = self
        copy.tolerances.append(.init(place, reason))
        return copy
    }

    /// Declares that a documented refusal is a result for the client, not an error.
    ///
    /// - Parameters:
    ///   - status: the status, such as 404 for a client that then returns `nil`.
    ///   - reason: the client's result.
    public func answering(_ status: Int, because reason: String) -> Self {
        var copy = self
        copy.answers.append(.init(status, reason))
        return copy
    }

    /// Declares further requests that the client sends to complete this call.
    ///
    /// - Parameter operationIDs: the contract's `operationId` of each.
    public func accompanied(by operationIDs: String...) -> Self {
        var copy = self
        copy.accompanying.formUnion(operationIDs)
        return copy
    }

    /// Sets the places of tokens in the response body of a sign-in or a refresh.
    ///
    /// Members named `accessToken` and `refreshToken`, or similar, are found without it.
    ///
    /// - Parameter places: a JSON Pointer (RFC 6901), such as `/data/jwt`, by the kind of token.
    public func granting(_ places: [String: String]) -> Self {
        var copy = self
        copy.grants = places.mapValues { copy.read($0) }
        return copy
    }
}

/// Builds a list from one element per line, with conditions and loops.
@resultBuilder
public enum ListBuilder<Element> {
    /// An element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }

    /// Elements of a list.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

    /// Elements in order.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }

    /// Elements under a condition.
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }

    /// Elements of the first branch.
    public static func buildEither(first part: [Element]) -> [Element] { part }

    /// Elements of the second branch.
    public static func buildEither(second part: [Element]) -> [Element] { part }

    /// Elements of a loop.
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }

    /// Elements for some systems.
    public static func buildLimitedAvailability(_ part: [Element]) -> [Element] { part }
}

extension Call {
    /// Reads a JSON Pointer, and keeps why it is not valid.
    private mutating func read(_ text: String) -> JSONPointer {
        if let pointer = JSONPointer(text) { return pointer }
        let advice = text.hasPrefix("/") ? "write ~0 for ~ and ~1 for / in a name" : "did you mean /\(text)?"
        problem = problem ?? "\(location): \"\(text)\" is not a JSON Pointer (RFC 6901); \(advice)"
        return JSONPointer()
    }
}
