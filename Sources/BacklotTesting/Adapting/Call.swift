public import ClientTesting
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
/// An operation has one call for each of its roles in the client. For example, a token endpoint (RFC 6749, section 3.2)
/// that signs in and refreshes has two calls.
public struct Call<Client: Sendable>: Sendable {
    /// The effect of a call on the session.
    public typealias Role = CallRole

    /// The contract's `operationId`, or the method and path if the operation has no ID, such as `GET /pets/{id}`.
    public let operationID: String
    /// The call's effect on the session.
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

    /// Creates a call that returns a value from the API.
    ///
    /// The returned value is encoded and compared with the response, and it must match everything that the contract
    /// documents. Return the decoded value, not a value that is prepared for display.
    ///
    /// - Parameters:
    ///   - operationID: The contract's `operationId`, or the method and path if the operation has no ID, such as `GET
    ///     /pets/{id}`.
    ///   - role: The effect of the call on the session.
    ///   - ask: A closure that calls the client with arguments that the contract allows.
    ///   - fileID: The source location of the call, together with the following three parameters. The call's failures
    ///     are recorded there.
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
                throw TestProblem("the value that \(operationID) returned cannot be encoded: \(error)")
            }
        }
    }

    /// Creates a call that does not return a value.
    ///
    /// Also use this initializer for a value that cannot be encoded: `{ _ = try await $0.export() }`. The client must
    /// still decode the response, but the decoded value is not checked.
    ///
    /// - Parameters:
    ///   - operationID: The contract's `operationId`, or the method and path if the operation has no ID, such as `GET
    ///     /pets/{id}`.
    ///   - role: The effect of the call on the session.
    ///   - ask: A closure that calls the client with arguments that the contract allows.
    ///   - fileID: The source location of the call, together with the following three parameters. The call's failures
    ///     are recorded there.
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

    /// Creates a call that returns a value that cannot be encoded.
    ///
    /// The value cannot be compared with the response. The compiler would otherwise discard it without a warning.
    @available(*, deprecated, message: "make the value Encodable, or discard the value: { _ = try await … }")
    public init<Value>(
        _ operationID: String,
        _ role: Role = .plain,
        ask: @escaping @Sendable (Client) async throws -> Value,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) {
        let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        self.init(operationID, role, location) { client, _ in
            _ = try await ask(client)
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
    /// Sets the location of the returned value in the response body, such as `/data` in an envelope.
    ///
    /// - Parameter pointer: The location as a JSON Pointer (RFC 6901).
    public func inside(_ pointer: String) -> Self {
        var copy = self
        copy.root = copy.read(pointer)
        return copy
    }

    /// Declares that the client ignores a property of the response.
    ///
    /// - Parameters:
    ///   - place: The property's path from the body's root, with the components separated by slashes. `*` matches any
    ///     element or property.
    ///   - reason: The justification, which is shown in the report.
    public func dropping(_ place: String, because reason: String) -> Self {
        var copy = self
        copy.drops.append(.init(place, reason))
        return copy
    }

    /// Declares that the client tolerates the absence of a property that the contract requires.
    ///
    /// - Parameters:
    ///   - place: The property's path from the body's root, with the components separated by slashes. `*` matches any
    ///     element or property.
    ///   - reason: The justification, such as the server version that omits the property.
    public func tolerating(_ place: String, because reason: String) -> Self {
        var copy = self
        copy.tolerances.append(.init(place, reason))
        return copy
    }

    /// Declares that the client treats a documented error response as a result, not as an error.
    ///
    /// - Parameters:
    ///   - status: The response status, such as 404 for a client that returns `nil` in this case.
    ///   - reason: The client's result.
    public func answering(_ status: Int, because reason: String) -> Self {
        var copy = self
        copy.answers.append(.init(status, reason))
        return copy
    }

    /// Declares additional requests that the client sends to complete this call.
    ///
    /// If the call repeats such a request until the response has a certain value, for example until a job is done, the
    /// checks choose a response with which the call ends. A request to a URL in a response, for example an upload to a
    /// presigned URL, needs no declaration.
    ///
    /// - Parameter operationIDs: The contract's `operationId` of each request.
    public func accompanied(by operationIDs: String...) -> Self {
        var copy = self
        copy.accompanying.formUnion(operationIDs)
        return copy
    }

    /// Sets the locations of tokens in the response body of a sign-in or a refresh.
    ///
    /// Properties with names like `accessToken` and `refreshToken` are found automatically.
    ///
    /// - Parameter places: The location of each token as a JSON Pointer (RFC 6901), such as `/data/jwt`, by token kind.
    public func granting(_ places: [String: String]) -> Self {
        var copy = self
        copy.grants = places.mapValues { copy.read($0) }
        return copy
    }
}

/// A result builder for lists of elements, with conditions and loops.
@resultBuilder
public enum ListBuilder<Element> {
    /// Adds a single element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }

    /// Adds the elements of a list.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

    /// Concatenates elements in order.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }

    /// Adds elements if a condition is `true`.
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }

    /// Adds the elements of the first branch.
    public static func buildEither(first part: [Element]) -> [Element] { part }

    /// Adds the elements of the second branch.
    public static func buildEither(second part: [Element]) -> [Element] { part }

    /// Adds the elements of a loop.
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }

    /// Adds elements that are available only on some systems.
    public static func buildLimitedAvailability(_ part: [Element]) -> [Element] { part }
}

extension Call {
    /// Reads a JSON Pointer, and keeps why it is not valid.
    private mutating func read(_ text: String) -> JSONPointer {
        if let pointer = JSONPointer(text) { return pointer }
        let advice = text.hasPrefix("/") ? "write ~0 for ~ and ~1 for / in a name" : "did you mean \"/\(text)\"?"
        problem = problem ?? "\(location): \"\(text)\" is not a JSON Pointer (RFC 6901); \(advice)"
        return JSONPointer()
    }
}
