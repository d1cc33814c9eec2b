public import Foundation

/// The implementation of a service: a client for requests, and its own errors.
protocol AppService: Sendable {
    associatedtype Failure: ServiceWords

    var client: ServiceClient { get }
}

extension AppService {
    /// Asks the server, with the session's token where one is needed.
    func ask<Value>(_ endpoint: Endpoint<Value>) async throws(Failure) -> Value {
        try await inOwnWords { () async throws(ServiceProblem) in try await client.value(endpoint) }
    }

    /// The tokens of the user who is signed in.
    func tokens() async throws(Failure) -> Tokens? {
        try await inOwnWords { () async throws(ServiceProblem) in try await client.session.tokens() }
    }

    /// Makes these tokens the session's, once they are stored.
    func begin(_ tokens: Tokens) async throws(Failure) {
        try await inOwnWords { () async throws(ServiceProblem) in try await client.session.begin(tokens) }
    }

    /// Renews the tokens now, or waits for the renewal under way.
    func renew() async throws(Failure) {
        try await inOwnWords { () async throws(ServiceProblem) in try await client.session.renew() }
    }

    /// Ends the session here, and clears the store.
    ///
    /// - Parameter session: the number of the session to end; `nil` for the present one. A later one goes on.
    func end(_ session: Int? = nil) async throws(Failure) {
        try await inOwnWords { () async throws(ServiceProblem) in try await client.session.end(session) }
    }

    /// Does something that fails in the words of all services.
    private func inOwnWords<Value>(
        _ work: () async throws(ServiceProblem) -> Value
    ) async throws(Failure) -> Value {
        do throws(ServiceProblem) {
            return try await work()
        } catch {
            throw Failure(error)
        }
    }
}

/// A service's clock, which a test can replace to simulate the passage of time.
public protocol ServiceClock: Sendable {
    /// The current time.
    var now: Date { get }

    /// Waits for the given duration.
    ///
    /// - Parameter seconds: The duration in seconds. If the duration is negative or not a number, the method returns
    ///   immediately. If the duration is infinite, the method waits until the task is canceled.
    /// - Throws: `CancellationError` if the task is canceled.
    func sleep(seconds: TimeInterval) async throws
}

/// A clock that uses the device's time.
public struct SystemServiceClock: ServiceClock {
    /// Creates a clock that uses the device's time.
    public init() {}

    /// The current time.
    public var now: Date { Date() }

    /// Waits in real time.
    public func sleep(seconds: TimeInterval) async throws {
        // A day at a time: more than 584 years of nanoseconds do not fit `UInt64`.
        var remaining = seconds
        while remaining > 0 {
            let part = min(remaining, 86_400)
            try await Task.sleep(nanoseconds: UInt64(part * 1_000_000_000))
            remaining -= part
        }
    }
}
