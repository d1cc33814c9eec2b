import ClientTesting
import Foundation
import JSON
import Testing

/// One operation of a contract, as a client has it.
///
/// ```swift
/// Call("getPet") { try await $0.pet(7) }
/// Call("signIn", .signIn) { try await $0.signIn(name: "ada", password: "secret") }
/// ```
///
/// An operation has a call for each role in which the client has it: a token endpoint (RFC 6749, section 3.2) that signs in
/// and refreshes has two.
public struct Call<Client: Sendable>: Sendable {
    /// What a call may do to the session.
    public enum Role: Sendable, Hashable, CaseIterable {
        /// Nothing.
        case plain
        /// Begins one.
        case signIn
        /// Renews its tokens.
        case refresh
        /// Ends it: signing out, or deleting the account.
        case signOut
    }

    /// The contract's `operationId`, or method and path where it has none: `GET /pets/{id}`.
    public let operationID: String
    /// What it may do to the session.
    public let role: Role
    var root = JSONPointer()
    var drops: [ClientOperation<Client>.Drop] = []
    var tolerances: [ClientOperation<Client>.Drop] = []
    var answers: [ClientOperation<Client>.Answer] = []
    var accompanying: Set<String> = []
    var grants: [String: JSONPointer] = [:]
    let location: SourceLocation
    /// Why a place in it cannot be meant.
    private(set) var problem: String?
    let ask: @Sendable (Client, JSONEncoder) async throws -> CallValue

    /// A call that returns a value of the API.
    ///
    /// The value is encoded again and must equal the response in everything that the contract documents, so give back
    /// what was decoded, and not what a screen makes of it.
    ///
    /// - Parameters:
    ///   - operationID: the contract's `operationId`, or method and path where it has none: `GET /pets/{id}`.
    ///   - role: what the call may do to the session.
    ///   - ask: calls the client, with arguments that the contract allows.
    ///   - fileID: where the call is written, as the next three; what is wrong with it is an issue there.
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
    /// So does one whose value cannot be encoded: `{ _ = try await $0.export() }`. Nothing is compared then, but the
    /// response has to be decoded nevertheless.
    ///
    /// - Parameters:
    ///   - operationID: the contract's `operationId`, or method and path where it has none: `GET /pets/{id}`.
    ///   - role: what the call may do to the session.
    ///   - ask: calls the client, with arguments that the contract allows.
    ///   - fileID: where the call is written, as the next three; what is wrong with it is an issue there.
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
    /// Says where in the response's body the returned value stands, such as `/data` below an envelope.
    ///
    /// - Parameter pointer: a JSON Pointer (RFC 6901).
    public func inside(_ pointer: String) -> Self {
        var copy = self
        copy.root = copy.read(pointer)
        return copy
    }

    /// Says that the client does not keep a member of the response, and why.
    ///
    /// - Parameters:
    ///   - place: names from the body's root, parted by slashes; `*` stands for any element or member.
    ///   - reason: why that is right, for the report.
    public func dropping(_ place: String, because reason: String) -> Self {
        var copy = self
        copy.drops.append(.init(place, reason))
        return copy
    }

    /// Says that the client can do without a member that the contract requires, and why.
    ///
    /// - Parameters:
    ///   - place: names from the body's root, parted by slashes; `*` stands for any element or member.
    ///   - reason: which server leaves it out.
    public func tolerating(_ place: String, because reason: String) -> Self {
        var copy = self
        copy.tolerances.append(.init(place, reason))
        return copy
    }

    /// Says that a documented refusal is a result for the client and not an error, and what it makes of it.
    ///
    /// - Parameters:
    ///   - status: such as 404, for a client that returns `nil` then.
    ///   - reason: what the client makes of it.
    public func answering(_ status: Int, because reason: String) -> Self {
        var copy = self
        copy.answers.append(.init(status, reason))
        return copy
    }

    /// Says that the client asks for other things besides, in order to complete this call.
    ///
    /// - Parameter operationIDs: the contract's `operationId` of each.
    public func accompanied(by operationIDs: String...) -> Self {
        var copy = self
        copy.accompanying.formUnion(operationIDs)
        return copy
    }

    /// Says where a sign-in or a refresh finds tokens in the response's body.
    ///
    /// Members that are called `accessToken` and `refreshToken`, or much like that, need not be named.
    ///
    /// - Parameter places: a JSON Pointer (RFC 6901), such as `/data/jwt`, by the kind of token.
    public func granting(_ places: [String: String]) -> Self {
        var copy = self
        copy.grants = places.mapValues { copy.read($0) }
        return copy
    }
}

/// Writes a list as one element a line, with conditions and loops where they help.
@resultBuilder
public enum ListBuilder<Element> {
    /// An element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }

    /// Elements that are in a list already.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

    /// Elements after each other.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }

    /// Elements that are there under a condition.
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }

    /// Elements of the first branch.
    public static func buildEither(first part: [Element]) -> [Element] { part }

    /// Elements of the second branch.
    public static func buildEither(second part: [Element]) -> [Element] { part }

    /// Elements of a loop.
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }

    /// Elements that are there on some systems.
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
