import ClientTesting
public import Foundation

extension ClientUnderTest {
    /// Says that the client does not have an operation of the contract, and why.
    ///
    /// The matrix complains about every operation that has neither a call nor a reason.
    public func omitting(_ operationID: String, because reason: String) -> Self {
        var copy = self
        copy.omissions[operationID] = reason
        return copy
    }

    /// Encodes what calls return with an encoder of the client's own, such as one with the API's form of dates.
    public func encoding(with encoder: @escaping @Sendable () -> JSONEncoder) -> Self {
        var copy = self
        copy.encoder = encoder
        return copy
    }

    /// Names errors in reports: short, and the same for the same cause, such as `server(503)`.
    public func naming(_ name: @escaping @Sendable (any Error) -> String) -> Self {
        var copy = self
        copy.nameOfError = name
        return copy
    }

    /// Finds the decoder's error in the client's own, so that reports can say at which place of a response it stumbled.
    public func findingDecodingError(_ find: @escaping @Sendable (any Error) -> DecodingError?) -> Self {
        var copy = self
        copy.decodingError = find
        return copy
    }

    /// Says which statuses speak of the session and not of the request.
    ///
    /// - Parameters:
    ///   - expired: the access token has expired, and a new one would help; the clearest one first.
    ///   - ending: an operation behind a token says that the session is over.
    ///   - endingRefresh: the operation that gives new tokens says that the session is over; OAuth 2 does so with 400
    ///     (RFC 6749, section 5.2).
    public func sessionStatuses(
        expired: [Int] = [401],
        ending: Set<Int> = [401],
        endingRefresh: Set<Int> = [400, 401, 403]
    ) -> Self {
        var copy = self
        copy.refusals = SessionRefusals(expired: expired, ending: ending, endingRefresh: endingRefresh)
        return copy
    }

    /// Says that the client sends its requests by itself, over `URLSession`, and not with ``TestSetting/send(_:)``.
    ///
    /// Such a client waits for its time-outs in real time. So it is not put into the situations in which an answer never
    /// comes, and what the platform does by itself is not blamed on it.
    public func overURLSession() -> Self {
        var copy = self
        copy.isOnURLSession = true
        return copy
    }
}
