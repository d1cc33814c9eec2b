import Foundation

/// A service of an app: its client, and the session that the service keeps.
public protocol AppService: Sendable {
    /// The app's reasons for a rejected request.
    associatedtype Reason: RefusalReason

    /// The part that sends the requests and keeps the session.
    var client: ServiceClient { get }
}

extension AppService {
    /// A Boolean value that indicates whether a user is signed in, according to the tokens in the store.
    ///
    /// - Throws: ``ServiceFailure/storage(_:)`` if the tokens cannot be read. This error does not mean that the user has
    ///   signed out.
    public var isSignedIn: Bool {
        get async throws(ServiceFailure<Reason>) { try await tokens() != nil }
    }

    /// The session's future events.
    ///
    /// Each sign-in and each end of a session is reported once, even if several calls are affected.
    ///
    /// Each access creates a separate stream that continues as long as a task waits for the next event.
    public var events: AsyncStream<SessionEvent> {
        get async { await client.session.events() }
    }

    /// Renews the access token and verifies that the session is still valid.
    ///
    /// You do not need to call this method before other requests, because the service renews an expired token
    /// automatically.
    ///
    /// - Throws: ``ServiceFailure/sessionEnded(_:)`` if the user has to sign in again. After any other error, such as a
    ///   lost connection, the session remains valid.
    public func refreshSession() async throws(ServiceFailure<Reason>) {
        try await inOwnWords { () async throws(ServiceProblem) in try await client.session.renew() }
    }

    /// Asks the server, with the session's token where one is needed.
    func ask<Value>(_ endpoint: Endpoint<Value>) async throws(ServiceFailure<Reason>) -> Value {
        try await inOwnWords { () async throws(ServiceProblem) in try await client.value(endpoint) }
    }

    /// The tokens of the user who is signed in.
    func tokens() async throws(ServiceFailure<Reason>) -> Tokens? {
        try await inOwnWords { () async throws(ServiceProblem) in try await client.session.tokens() }
    }

    /// Makes these tokens the session's, once they are stored.
    func begin(_ tokens: Tokens) async throws(ServiceFailure<Reason>) {
        try await inOwnWords { () async throws(ServiceProblem) in try await client.session.begin(tokens) }
    }

    /// Ends the session here, and clears the store.
    ///
    /// - Parameter session: the number of the session to end; `nil` for the present one. A later one goes on.
    func end(_ session: Int? = nil) async throws(ServiceFailure<Reason>) {
        try await inOwnWords { () async throws(ServiceProblem) in try await client.session.end(session) }
    }

    /// Makes a request that deletes the account, and ends the session that it was sent in.
    func end<Value>(with deletion: Endpoint<Value>) async throws(ServiceFailure<Reason>) -> Value {
        let session = await client.session.generation
        let deleted = try await ask(deletion)
        try await end(session)
        return deleted
    }

    private func inOwnWords<Value>(
        _ work: () async throws(ServiceProblem) -> Value
    ) async throws(ServiceFailure<Reason>) -> Value {
        do throws(ServiceProblem) {
            return try await work()
        } catch {
            throw ServiceFailure(error)
        }
    }
}
