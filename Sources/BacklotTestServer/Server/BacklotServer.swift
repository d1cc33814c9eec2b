import Basics
public import Foundation
import HTTPServing
import JSON
import Rules
import ScenarioFormat
import StubServing

/// A server in the test's own process that serves one story, and judges the client that talks to it.
///
/// ```swift
/// let server = try await BacklotServer(story: "Scenarios/pets/expired.json")
/// let pets = try await PetsClient(baseURL: server.url).pets()
/// #expect(await server.verdict().failures.isEmpty)
/// ```
///
/// All servers of a process share one thread; each has its own session, clock, tokens, states and
/// journal, and nothing moves from one to another. A server that nothing refers to any more stops.
///
/// A class, because it owns a listener: the client, the test and the trait mean the same one.
public final class BacklotServer: Sendable {
    /// The transport of requests to the server.
    public struct Transport: Sendable, Hashable {
        enum Way: Hashable {
            case socket(port: UInt16)
            case inProcess
        }

        let way: Way

        /// A free port on loopback.
        public static var socket: Transport { Transport(way: .socket(port: 0)) }

        /// A certain port on loopback.
        public static func port(_ port: UInt16) -> Transport { Transport(way: .socket(port: port)) }

        /// No port at all: only sessions with `URLSessionConfiguration.backlot(_:)` reach the server.
        public static var inProcess: Transport { Transport(way: .inProcess) }
    }

    /// The base URL, without a trailing slash: `http://127.0.0.1:49152`.
    public let url: URL
    /// The base URLs of the story's other servers, by name.
    public let origins: [String: URL]
    /// The story's ID and title; `nil` for a backend without a story.
    public let title: String?
    let session: HostedSession
    let lifetime: SessionLifetime
    /// The kinds of token that the story declares.
    let tokenKinds: [String]
    /// The story's contract where nothing reads it, for the notes of the verdict.
    let unread: [Basics.Finding]
    /// That a file says what is served, and nothing of what it expects.
    let unjudged: Basics.Finding?

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - story: the story to serve. A relative path is searched next to the calling source file, then in each
    ///     folder above it, so that paths from the package's root work as well as those next to the test.
    ///   - contracts: the handling of the story's contract.
    ///   - transport: the transport of requests.
    ///   - seed: the seed of random choices; the story's own when `nil`.
    ///   - refusalHold: how long refusals of tokens and responses to refreshes are held, in real time. What arrives
    ///     meanwhile was sent by a client that did not know them, so that it can be judged. When `nil`, it is as the
    ///     story says, else 50 milliseconds; a backend without a story holds nothing.
    ///   - filePath: the source file that relative paths are resolved from.
    /// - Throws: ``StoryProblem`` when the story cannot be served, ``ServerProblem`` when the server cannot listen.
    public init(
        story: Story,
        contracts: Contracts? = nil,
        transport: Transport = .socket,
        seed: UInt64? = nil,
        refusalHold: Duration? = nil,
        filePath: String = #filePath
    ) async throws {
        let host = try ServerHost.running()
        let prepared = try host.prepare(story, contracts, from: filePath)
        let session = try host.addSession(playing: prepared, transport, seed: seed, refusalHold: refusalHold)
        let lifetime = SessionLifetime(session, host)
        self.session = session
        self.lifetime = lifetime
        title = prepared.loaded.scenario.story?.title
        tokenKinds = prepared.loaded.scenario.tokens.kinds.map(\.name)
        unread = prepared.loaded.findings.filter { $0.id == "contract/unread" }
        unjudged =
            story.isOfFile ? prepared.loaded.findingOnNoExpectation(.error, id: "expect/nothing-expected") : nil
        var base = session.url
        if transport == .inProcess {
            base = InProcessAddress.url(of: session.name)
            let names = prepared.loaded.scenario.origins.map(\.name)
            session.set(originURLs: InProcessAddress.originURLs(names, of: session.name))
        }
        url = try Self.url(base ?? "")
        origins = try session.originURLs.mapValues(Self.url)
        if transport == .inProcess { connectInProcess() }
    }

    /// Unlike that of every other server of this process.
    var name: String { session.name }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw ServerProblem(description: "\"\(text)\" is not a URL") }
        return url
    }

    /// Ends all requests, closes the port and discards the session; further calls have no effect.
    ///
    /// The port is closed when this returns. ``verdict()`` and ``journal`` still return what happened before.
    public func stop() async {
        lifetime.end()
        await lifetime.host.settle()
    }

    /// Advances the server's clock; everything due happens: tokens expire, the timeline continues, and responses that
    /// wait for the clock are sent.
    public func advance(by duration: Duration) { session.advance(by: duration) }

    /// The server's clock, for clients that accept a clock: a sleep on it ends when the server's time reaches the deadline.
    public var clock: ServerClock { ServerClock(session: session) }

    /// The current time of the server's clock.
    public var now: Date { clock.date }

    /// Performs an event on the server immediately, like a story's timeline: one event of the scenario
    /// format, such as `["revoke": "refresh"]` or `["state": ["shop": "closed"]]`.
    ///
    /// - Throws: ``StoryProblem`` when there is no such event.
    public func change(_ event: JSON) throws {
        do {
            try session.enact(event.value)
        } catch {
            throw StoryProblem(error)
        }
    }

    /// Reports facts about the client, for stories that expect them: `["signedOut": true]`.
    ///
    /// - Throws: ``ServerProblem`` when a fact has a type that stories cannot expect.
    public func report(_ facts: [String: JSON]) throws {
        let members = facts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) }
        if let sentence = session.report(JSONObject(members)) { throw ServerProblem(description: sentence) }
    }
}

/// An error of starting or using a server.
public struct ServerProblem: Error, CustomStringConvertible, LocalizedError, Sendable {
    /// The problem and its remedy.
    public let description: String

    /// The description, for Foundation.
    public var errorDescription: String? { description }
}

/// Ends a session once, at the latest when the server that had it is gone.
///
/// A class, because its end is the session's.
final class SessionLifetime: Sendable {
    let host: ServerHost
    private let session: HostedSession

    init(_ session: HostedSession, _ host: ServerHost) {
        self.session = session
        self.host = host
    }

    deinit { end() }

    func end() {
        host.disconnect(session)
        session.end()
    }
}

extension BacklotServer {
    /// A connection failure instead of a response.
    public enum Fault: String, Sendable, Hashable, CaseIterable {
        /// The connection is reset before any byte.
        case reset
        /// The connection closes without a byte.
        case empty
        /// The head and a part of the body arrive, then the connection closes.
        case truncated
        /// A chunked body whose chunk size is not a number.
        case malformedChunk
        /// Bytes that are not HTTP.
        case garbage
        /// Nothing arrives, and the connection stays open.
        case never
        /// The server processes the request, and the response is lost.
        case lost
    }

    /// Makes the next requests of a route fail.
    ///
    /// - Parameters:
    ///   - route: the route's key in the story: `POST /refresh`.
    ///   - times: the number of requests.
    /// - Throws: ``StoryProblem`` when the story has no such route.
    public func arm(_ fault: Fault, on route: String, times: Int = 1) throws {
        try change(["fault": JSON(fault.rawValue), "route": JSON(route), "times": JSON(times)])
    }
}
