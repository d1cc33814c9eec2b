import BacklotTestServer
import Basics
import ClientTesting
public import Foundation
import HTTPCodec
import HTTPServing

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What a client gets when it is made.
public struct TestSetting: Sendable {
    /// The server's base URL, without a slash at its end.
    public let url: URL
    /// The base URLs of a story's other servers, by name.
    public let origins: [String: URL]
    /// What was stored before, by the kind of token; empty when no user was signed in.
    public let tokens: [String: String]
    /// The name of the device in a story with several.
    public let device: String?
    /// The name of the process in a story with several, such as an app and its extension; `nil` in every other.
    public let process: String?
    /// A store that behaves as a keychain does, with ``tokens`` in it from the start.
    ///
    /// All processes and launches of a story share it, and a launch with a `store` finds it so. Let the client keep its
    /// tokens there in stories with any of these.
    public let vault: TestVault
    /// The clock of the client; give it to everything that pauses or looks at the clock.
    public let clock: TestClock
    let network: ClientSetting.Network

    init(_ setting: ClientSetting) throws {
        url = try Self.url(setting.url)
        origins = try setting.origins.mapValues(Self.url)
        tokens = setting.tokens
        device = setting.device
        process = setting.process
        vault = setting.store as? TestVault ?? TestVault(setting.tokens)
        clock = TestClock(time: setting.time)
        network = setting.network
        if case .raw = network { SettingNetworks.shared.add(self) }
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw TestProblem("\(text) is not a URL") }
        return url
    }
}

/// The settings that requests of a `URLSession` may be meant for, by the origin that they are sent to.
///
/// A class, because what loads a request has nothing but the request.
final class SettingNetworks: Sendable {
    static let shared = SettingNetworks()

    /// A setting is not told of its end; this is how many origins are kept, more than are in use at one time.
    private static let limit = 4_096

    /// In the order in which they came.
    private let origins = Lock<[String]>([])

    /// From now on requests to the setting's servers are its own.
    func add(_ setting: TestSetting) {
        let added = ([setting.url] + setting.origins.keys.sorted().compactMap { setting.origins[$0] })
            .compactMap(\.originAndTarget?.origin)
        for origin in added { InProcessOrigins.shared.set({ try await setting.send($0) }, for: origin) }
        let old = origins.withLock { origins -> [String] in
            origins.append(contentsOf: added)
            guard origins.count > Self.limit else { return [] }
            let old = origins.prefix(origins.count - Self.limit / 2)
            origins.removeFirst(old.count)
            // An origin that came again since is kept.
            let current = Set(origins)
            return old.filter { !current.contains($0) }
        }
        for origin in old { InProcessOrigins.shared.set(nil, for: origin) }
    }
}

/// The time of a test, in which no pause takes real time.
///
/// The server has the same clock: what expires there after an hour has expired when a client has slept for one.
public struct TestClock: Clock {
    /// A moment of that time.
    public struct Instant: InstantProtocol {
        /// The time since 1970.
        public let sinceEpoch: Duration

        /// The moment that is later by a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(sinceEpoch: sinceEpoch + duration) }

        /// How much later the other one is.
        public func duration(to other: Instant) -> Duration { other.sinceEpoch - sinceEpoch }

        /// Whether a moment is before another one.
        public static func < (left: Instant, right: Instant) -> Bool { left.sinceEpoch < right.sinceEpoch }
    }

    let time: any ClientTime

    /// The moment that it is.
    public var now: Instant { Instant(sinceEpoch: .seconds(time.now())) }

    /// The moment that it is, as dates have it.
    public var date: Date { Date(timeIntervalSince1970: time.now()) }

    /// Pauses can be as short as a test needs.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Lets time pass until a moment.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await time.sleep(seconds: max(0, now.duration(to: deadline) / .seconds(1)))
    }
}

extension TestSetting {
    /// Sends a request unchanged: nothing is added, repeated, redirected, cached or kept as a cookie.
    ///
    /// A client that sends its requests with this is tested without waiting: a response that never comes takes
    /// `timeoutInterval` seconds of the ``clock``'s time, and no real time.
    ///
    /// - Throws: `URLError`, with the code that `URLSession` would have.
    public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard case .raw(let network) = network else { return try await sendOnPlatform(request) }
        guard let url = request.url, let (origin, target) = url.originAndTarget else { throw URLError(.badURL) }
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
    /// A session for clients that take one: its requests travel as those of ``send(_:)`` do.
    public var session: URLSession { Self.sharedSession }

    /// What a session of the client's own begins with, so that its requests travel as those of ``send(_:)`` do.
    ///
    /// Requests for hosts that are not the setting's travel as usual.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [InProcessProtocol.self] + (configuration.protocolClasses ?? [])
        return configuration
    }

    /// One for all settings, which are told apart by their URLs: sessions are never quite released.
    private static let sharedSession: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [InProcessProtocol.self]
        return URLSession(configuration: configuration)
    }()
}
