import BacklotTestServer
import Basics
import ClientTesting
public import Foundation
import HTTPCodec
import HTTPServing

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The environment in which a client is created.
public struct TestSetting: Sendable {
    /// The server's base URL, without a trailing slash.
    public let url: URL
    /// The base URLs of a story's other servers, by name.
    public let origins: [String: URL]
    /// The stored tokens, by kind.
    ///
    /// The dictionary is empty if no user is signed in.
    public let tokens: [String: String]
    /// The device's name in a story with several devices, or `nil` in other stories.
    public let device: String?
    /// The process's name in a story with several processes, such as an app and its extension, or `nil` in other
    /// stories.
    public let process: String?
    /// A store that behaves like a keychain and contains ``tokens`` from the start.
    ///
    /// All processes and launches of a story share the vault. A launch's `store` sets the vault's
    /// ``TestVault/condition``. In stories with several processes, several launches or a `store`, make the client keep
    /// its tokens in the vault.
    public let vault: TestVault
    /// The client's clock, which the client must use for all pauses and timestamps.
    public let clock: TestClock
    let network: ClientSetting.Network
    /// The URLs in the responses so far, which the client may use although the contract has no operation for them.
    let links: FollowedLinks?
    private let turn = SharedSessions.nextTurn()

    init(_ setting: ClientSetting) throws {
        url = try Self.url(setting.url)
        origins = try setting.origins.mapValues(Self.url)
        tokens = setting.tokens
        device = setting.device
        process = setting.process
        vault = setting.store as? TestVault ?? TestVault(setting.tokens)
        clock = TestClock(time: setting.time)
        network = setting.network
        links = setting.links
        if case .raw = network { SettingNetworks.shared.add(self) }
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw TestProblem("\(text) is not a valid URL") }
        return url
    }
}

/// The settings that requests of a `URLSession` may be meant for, by the origin that they are sent to.
///
/// A class, because what loads a request has nothing but the request.
final class SettingNetworks: Sendable {
    static let shared = SettingNetworks()

    private struct Entry {
        var origins: [String]
        var setting: TestSetting
    }

    private struct State {
        /// In the order in which they came.
        var entries: [Entry] = []
        /// The number of entries at which those are removed whose settings are out of use.
        var limit = 64
    }

    private let state = Lock(State())

    /// From now on requests to the setting's servers are its own, until its client is gone.
    func add(_ setting: TestSetting) {
        let origins = ([setting.url] + setting.origins.keys.sorted().compactMap { setting.origins[$0] })
            .compactMap(\.originAndTarget?.origin)
        let time = setting.clock.time
        let sender = InProcessOrigins.Sender(withoutCancellation: { time.betweenJobs($0) }) {
            try await setting.send($0)
        }
        state.withLock { state in
            for origin in origins { InProcessOrigins.shared.set(sender, for: origin) }
            state.entries.append(Entry(origins: origins, setting: setting))
            guard state.entries.count >= state.limit else { return }
            let entries = state.entries
            state.entries.removeAll { $0.setting.clock.time.isOver }
            state.limit = max(64, 2 * state.entries.count)
            // An origin that came again since is kept.
            let current = Set(state.entries.flatMap(\.origins))
            for origin in Set(entries.flatMap(\.origins)).subtracting(current) {
                InProcessOrigins.shared.set(nil, for: origin)
            }
        }
    }

    /// Returns whether the URL of a request is in a response of a setting's server, and remembers that the client has used
    /// it.
    func follow(_ request: URLRequest) -> Bool {
        let followed = state.withLock { $0.entries.compactMap(\.setting.links) }.filter { $0.follow(request) }
        // A request that may be that of several calls proves nothing about one.
        if followed.count == 1 { followed[0].noteFields(of: request) }
        return !followed.isEmpty
    }
}

/// A test's virtual clock, on which pauses take no real time.
///
/// The server uses the same clock. For example, a token with a lifetime of one hour has expired on the server after the
/// client has slept for an hour.
public struct TestClock: Clock {
    /// An instant in the test's virtual time.
    public struct Instant: InstantProtocol {
        /// The time since 1970-01-01T00:00:00Z.
        public let sinceEpoch: Duration

        /// Returns the instant that is later by the given duration.
        public func advanced(by duration: Duration) -> Instant { Instant(sinceEpoch: sinceEpoch + duration) }

        /// Returns the duration until another instant.
        public func duration(to other: Instant) -> Duration { other.sinceEpoch - sinceEpoch }

        /// Returns a Boolean value that indicates whether the first instant is before the second.
        public static func < (left: Instant, right: Instant) -> Bool { left.sinceEpoch < right.sinceEpoch }
    }

    let time: any ClientTime

    /// The current instant.
    public var now: Instant { Instant(sinceEpoch: .seconds(time.now())) }

    /// The current instant as a date.
    public var date: Date { Date(timeIntervalSince1970: time.now()) }

    /// The smallest duration of a pause.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until the given instant.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await time.sleep(seconds: max(0, now.duration(to: deadline) / .seconds(1)))
    }
}

extension TestSetting {
    /// Sends a request unchanged, without retries, redirects, caching or cookies.
    ///
    /// A client that uses this method is tested without waiting in real time. A missing response causes a timeout after
    /// `timeoutInterval` seconds on the ``clock``.
    ///
    /// - Throws: `URLError` with the same code as `URLSession`.
    public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url, let (origin, target) = url.originAndTarget else { throw URLError(.badURL) }
        if url.isOnOtherHost {
            guard let links, links.follow(request), let head = HTTPURLResponse(linkedAt: url) else {
                throw URLError.refused(url)
            }
            links.noteFields(of: request)
            return (Data(), head)
        }
        guard case .raw(let network) = network else { return try await sendOnPlatform(request) }
        let response: HTTPResponse
        do throws(HTTPClientFailure) {
            response = try await network.send(
                HTTPCodec.HTTPRequest(request, target: target),
                to: origin,
                timeout: request.timeoutInterval
            )
        } catch {
            if Task.isCancelled { throw URLError(.cancelled) }
            throw URLError(error)
        }
        guard let head = HTTPURLResponse(response, url) else { throw URLError(.badServerResponse) }
        return (Data(response.body), head)
    }

    private func sendOnPlatform(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (data, head)
    }
}

extension TestSetting {
    /// A session for clients that accept a `URLSession`; it sends requests in the same way as ``send(_:)``.
    public var session: URLSession { Self.sessions[turn] }

    /// A configuration for the client's own session; the session then sends requests in the same way as ``send(_:)``.
    ///
    /// Requests to other machines fail with `URLError.cannotConnectToHost`, so that no test reaches a network.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = Self.protocols + (configuration.protocolClasses ?? [])
        return configuration
    }

    private static var protocols: [AnyClass] { [InProcessProtocol.self, OtherHostsProtocol.self] }

    private static let sessions = SharedSessions {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = protocols
        return URLSession(configuration: configuration)
    }
}

/// A few sessions for all settings, which are distinguished by their URLs: sessions are never fully released, and a client
/// that cancels a request on another thread may block one of them forever on Linux.
private struct SharedSessions: Sendable {
    private static let count = 16
    private static let turns = Lock(0)

    private let sessions: [URLSession]

    init(_ make: () -> URLSession) { sessions = (0..<Self.count).map { _ in make() } }

    subscript(turn: Int) -> URLSession { sessions[turn] }

    static func nextTurn() -> Int {
        turns.withLock { turns in
            turns = (turns + 1) % count
            return turns
        }
    }
}
