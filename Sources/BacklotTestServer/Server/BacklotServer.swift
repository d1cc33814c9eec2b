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
/// All servers of a process share one thread; each has a session of its own, with its own clock, tokens, states and
/// journal, and nothing moves from one to another. A server that nothing refers to any more stops by itself.
///
/// A class, because it owns a listener: the client, the test and the trait mean the same one.
public final class BacklotServer: Sendable {
    /// How requests reach the server.
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

    /// The base URL, without a slash at its end: `http://127.0.0.1:49152`.
    public let url: URL
    /// The base URLs of the story's other servers, by name.
    public let origins: [String: URL]
    /// What the story says about itself; `nil` where a backend is served without a story.
    public let title: String?
    let session: HostedSession
    let lifetime: SessionLifetime
    /// The kinds of token that the story declares.
    let tokenKinds: [String]
    /// A Boolean value that indicates whether a file says what is served.
    let isOfFile: Bool
    /// The story's contract where nothing reads it, for the notes of the verdict.
    let unread: [Basics.Finding]

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - story: what it serves. A relative path is looked for beside the source file that calls this, then in each
    ///     folder above it, so that paths from the package's root work as well as those beside the test.
    ///   - contracts: what is done about the contract that the story names.
    ///   - transport: how requests reach it.
    ///   - seed: the start of every random choice; the story's own when `nil`.
    ///   - refusalHold: how long refusals of tokens and responses to refreshes are held, in real time. What arrives
    ///     meanwhile was sent by a client that did not know them, so that it can be judged. When `nil`, it is as the
    ///     story says, else 50 milliseconds; a backend without a story holds nothing.
    ///   - filePath: the source file that relative paths start from.
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
        isOfFile = story.isOfFile
        unread = prepared.loaded.findings.filter { $0.id == "contract/unread" }
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

    /// Ends all requests, closes the port and forgets the session; called again, it does nothing.
    ///
    /// The port is closed when this returns. ``verdict()`` and ``journal`` still return what happened before.
    public func stop() async {
        lifetime.end()
        await lifetime.host.settle()
    }

    /// Lets time pass on the server's clock, with everything that is due on the way: tokens expire, the timeline goes
    /// on, responses that wait for the clock leave.
    public func advance(by duration: Duration) { session.advance(by: duration) }

    /// The server's clock, for clients that take one: a sleep on it returns when the server's time gets there.
    public var clock: ServerClock { ServerClock(session: session) }

    /// The present moment of the server's clock.
    public var now: Date { clock.date }

    /// Lets something happen on the server at once, as a story's timeline could: one event in the words of the scenario
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

    /// Reports what the client shows its user, for stories that expect something of it: `["signedOut": true]`.
    ///
    /// - Throws: ``ServerProblem`` when a fact has a form that stories cannot expect.
    public func report(_ facts: [String: JSON]) throws {
        let members = facts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) }
        if let sentence = session.report(JSONObject(members)) { throw ServerProblem(description: sentence) }
    }
}

/// Why a server could not be started or used.
public struct ServerProblem: Error, CustomStringConvertible, LocalizedError, Sendable {
    /// What is wrong and what to do about it.
    public let description: String

    /// The same, where Foundation asks for it.
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
    /// How a connection breaks instead of carrying a response.
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
        /// The server does its work, and the response is lost on the way.
        case lost
    }

    /// Lets the next requests of a route meet a fault.
    ///
    /// - Parameters:
    ///   - route: as the story has it: `POST /refresh`.
    ///   - times: how many requests.
    /// - Throws: ``StoryProblem`` when the story has no such route.
    public func arm(_ fault: Fault, on route: String, times: Int = 1) throws {
        try change(["fault": JSON(fault.rawValue), "route": JSON(route), "times": JSON(times)])
    }
}
