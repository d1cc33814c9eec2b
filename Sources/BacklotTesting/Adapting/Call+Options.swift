import ClientTesting
import JSON

extension Call {
    /// Says where in the response's body the returned value stands, such as `/data` below an envelope.
    ///
    /// - Parameter pointer: a JSON Pointer (RFC 6901).
    public func inside(_ pointer: String) -> Self {
        var copy = self
        copy.root = JSONPointer(pointer) ?? JSONPointer(tokens: [pointer])
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

    /// Says that a documented refusal is an answer to the client and no error, and what it makes of it.
    ///
    /// - Parameters:
    ///   - status: such as 404, for a client that returns `nil` then.
    ///   - reason: what the client makes of it.
    public func answering(_ status: Int, because reason: String) -> Self {
        var copy = self
        copy.answers.append(.init(status, reason))
        return copy
    }

    /// Says that the client asks for other things besides, in order to answer this call.
    ///
    /// - Parameter operationIDs: the contract's `operationId` of each.
    public func accompanied(by operationIDs: String...) -> Self {
        var copy = self
        copy.companions.formUnion(operationIDs)
        return copy
    }

    /// Says where a sign-in or a refresh finds tokens in the response's body.
    ///
    /// Members that are called `accessToken` and `refreshToken`, or much like that, need not be named.
    ///
    /// - Parameter places: a JSON Pointer (RFC 6901), such as `/data/jwt`, by the kind of token.
    public func granting(_ places: [String: String]) -> Self {
        var copy = self
        copy.grants = places.mapValues { JSONPointer($0) ?? JSONPointer(tokens: [$0]) }
        return copy
    }
}
