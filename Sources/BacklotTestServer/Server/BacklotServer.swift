import Basics
public import Foundation
import HTTPServing
import JSON
import Rules
import ScenarioFormat
package import StubServing

/// A server that runs in the test process, serves one story and judges the client.
///
/// ```swift
/// let server = try await BacklotServer(story: "Scenarios/pets/expired.json")
/// let pets = try await PetsClient(baseURL: server.url).pets()
/// #expect(await server.verdict().failures.isEmpty)
/// ```
///
/// All servers in a process share one thread, but each server has its own session, clock, tokens, states and journal. A
/// server stops when its last reference is released.
///
/// The server is a class because it owns a listener that the client, the test and the trait share.
public final class BacklotServer: Sendable {
    /// The transport for requests to the server.
    public struct Transport: Sendable, Hashable {
        enum Way: Hashable {
            case socket(port: UInt16)
            case inProcess
        }

        let way: Way
        /// A Boolean value that indicates whether the base URLs begin with `https`.
        var isSecure = false

        /// A free loopback port.
        public static var socket: Transport { Transport(way: .socket(port: 0)) }

        /// A free loopback port for HTTPS, with a certificate signed by this machine's certificate authority.
        ///
        /// Clients must trust the authority; see ``BacklotServer/certificateAuthority``.
        public static var https: Transport { Transport(way: .socket(port: 0), isSecure: true) }

        /// A specific loopback port.
        public static func port(_ port: UInt16) -> Transport { Transport(way: .socket(port: port)) }

        /// No port.
        ///
        /// Only sessions with `URLSessionConfiguration.backlot(_:)` can reach the server.
        public static var inProcess: Transport { Transport(way: .inProcess) }
    }

    /// The base URL without a trailing slash, such as `http://127.0.0.1:49152`.
    public let url: URL
    /// The base URLs of the story's other servers, by name.
    public let origins: [String: URL]
    /// The DER certificate that clients of an HTTPS server must trust, or `nil` for other servers.
    public let certificateAuthority: Data?
    /// The story's ID and title, or `nil` for a backend without a story.
    public let title: String?
    let session: HostedSession
    let lifetime: SessionLifetime
    /// The kinds of token that the story declares.
    let tokenKinds: [String]
    /// The story's contract where nothing reads it, for the notes of the verdict.
    let unread: [Basics.Finding]
    /// Sends requests on to the upstream; `nil` without an upstream.
    package let forwarder: (any RequestForwarder)?
    /// That a file says what is served, and nothing of what it expects.
    let unjudged: Basics.Finding?

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - story: The story to serve. A relative path is resolved against the folder of the calling source file, then
    ///     against each of its parent folders, so it can be relative to the package's root or to the test.
    ///   - contracts: The use of the story's contract. If `nil`, the story is played without its contract, and the
    ///     verdict contains a note.
    ///   - transport: The transport for requests.
    ///   - seed: The seed for random choices, or `nil` to use the story's own seed.
    ///   - refusalHold: The real time for which the server holds token refusals and refresh responses. Requests that
    ///     arrive during this time were sent without knowledge of these responses, so the rules can judge the requests.
    ///     If `nil`, the story's setting applies; if the story has no setting, the time is 50 milliseconds. Without a
    ///     story, the default is no hold.
    ///   - filePath: The source file whose folder and parent folders are used to resolve relative paths.
    /// - Throws: ``StoryProblem`` if the story cannot be served, or ``ServerProblem`` if the server
    ///   cannot listen.
    public convenience init(
        story: Story,
        contracts: Contracts? = nil,
        transport: Transport = .socket,
        seed: UInt64? = nil,
        refusalHold: Duration? = nil,
        filePath: String = #filePath
    ) async throws {
        try await self.init(
            story: story,
            contracts: contracts,
            forwarder: nil,
            transport: transport,
            seed: seed,
            refusalHold: refusalHold,
            filePath: filePath
        )
    }

    /// - Parameter forwarder: sends requests on to the upstream that the story names.
    package init(
        story: Story,
        contracts: Contracts?,
        forwarder: (any RequestForwarder)?,
        transport: Transport,
        seed: UInt64?,
        refusalHold: Duration?,
        filePath: String
    ) async throws {
        guard forwarder == nil || transport != .inProcess else {
            throw ServerProblem(description: "a server with an upstream requires a port; use the transport .socket")
        }
        let host = try ServerHost.running()
        certificateAuthority = transport.isSecure ? try host.offerTLS().map { Data($0) } : nil
        let prepared = try host.prepare(story, contracts, forwarder: forwarder, from: filePath)
        if !transport.isSecure, let lack = prepared.loaded.findingOnPlainHTTP(advice: "use the transport .https") {
            throw StoryProblem(ScenarioError([lack]))
        }
        let session = try host.addSession(playing: prepared, transport, seed: seed, refusalHold: refusalHold)
        let lifetime = SessionLifetime(session, host)
        self.session = session
        self.lifetime = lifetime
        self.forwarder = forwarder
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
        if transport.isSecure {
            base = base.map(Self.secured)
            session.set(originURLs: session.originURLs.mapValues(Self.secured))
        }
        url = try Self.url(base ?? "")
        origins = try session.originURLs.mapValues(Self.url)
        if transport == .inProcess { connectInProcess() }
    }

    /// Unlike that of every other server of this process.
    var name: String { session.name }

    private static func secured(_ url: String) -> String { "https" + url.dropFirst("http".count) }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw ServerProblem(description: "\"\(text)\" is not a URL") }
        return url
    }

    /// Ends all requests, closes the port and discards the session.
    ///
    /// Further calls have no effect.
    ///
    /// The port is closed when this method returns. ``verdict()`` and ``journal`` remain available.
    public func stop() async {
        lifetime.end()
        await lifetime.host.settle()
    }

    /// Advances the server's clock and performs all due events: tokens expire, the timeline continues, and responses
    /// that wait for the clock are sent.
    public func advance(by duration: Duration) { session.advance(by: duration) }

    /// The server's clock, for clients that accept a clock.
    ///
    /// A sleep on this clock ends when the server's time reaches the deadline.
    public var clock: ServerClock { ServerClock(session: session) }

    /// The current time on the server's clock.
    public var now: Date { clock.date }

    /// Performs an event on the server immediately.
    ///
    /// The event has the format of a story's timeline, such as `["revoke": "refresh"]` or `["state": ["shop":
    /// "closed"]]`.
    ///
    /// - Throws: ``StoryProblem`` if the event is invalid.
    public func change(_ event: JSON) throws {
        do {
            try session.enact(event.value)
        } catch {
            throw StoryProblem(error)
        }
    }

    /// Reports facts about the client for the story's expectations, such as `["signedOut": true]`.
    ///
    /// - Throws: ``ServerProblem`` if a fact has a type that stories cannot expect.
    public func report(_ facts: [String: JSON]) throws {
        let members = facts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) }
        if let sentence = session.report(JSONObject(members)) { throw ServerProblem(description: sentence) }
    }
}

/// An error thrown when a server cannot be started or used.
public struct ServerProblem: Error, CustomStringConvertible, LocalizedError, Sendable {
    /// A description of the problem and its solution.
    public let description: String

    /// The description, as required by Foundation.
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
        /// The connection is reset before the first byte of the response.
        case reset
        /// The connection is closed before the first byte of the response.
        case empty
        /// The connection is closed after the head and part of the body.
        case truncated
        /// The chunked body contains an invalid chunk size.
        case malformedChunk
        /// The response is not valid HTTP.
        case garbage
        /// The server does not respond, and the connection remains open.
        case never
        /// The server processes the request, but the response is lost.
        case lost
    }

    /// Makes the next requests to a route fail.
    ///
    /// - Parameters:
    ///   - route: The route's key in the story, such as `POST /refresh`.
    ///   - times: The number of requests that fail.
    /// - Throws: ``StoryProblem`` if the story does not contain the route.
    public func arm(_ fault: Fault, on route: String, times: Int = 1) throws {
        try change(JSON(.event([.fault: .string(fault.rawValue), .route: .string(route), .times: .number(times)])))
    }

    /// Answers the next requests to a route with a status instead of the route's response.
    ///
    /// The request has no effect on the server. A rule that judges refreshes does not blame a client that takes such a
    /// 4xx status for the end of its session.
    ///
    /// - Parameters:
    ///   - status: The status, from 200 to 999.
    ///   - route: The route's key in the story, or an operation of the contract, such as `GET /items`.
    ///   - body: The JSON body; by default, the body that the backend or the contract has for this status.
    ///   - headers: Header fields, such as `["Retry-After": "5"]`.
    ///   - times: The number of requests; by default one, or as many as arrive during `duration`.
    ///   - duration: The time on the server's clock after which the route responds again.
    /// - Throws: ``StoryProblem`` if neither the story nor the contract has the route.
    public func fail(
        with status: Int,
        on route: String,
        body: JSON? = nil,
        headers: [String: String] = [:],
        times: Int? = nil,
        for duration: Duration? = nil
    ) throws {
        var fault: JSONObject = ["route": .string(route), "status": .number(JSONNumber(status))]
        fault["json"] = body?.value
        let sorted = headers.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        if !sorted.isEmpty { fault["headers"] = .object(JSONObject(sorted)) }
        try arm(fault, times: times, for: duration)
    }

    /// Delays the responses to the next requests to a route.
    ///
    /// - Parameters:
    ///   - latency: The latency of each response.
    ///   - route: The route's key in the story, or an operation of the contract, such as `GET /items`.
    ///   - clock: The clock that measures the latency: real time or the server's clock.
    ///   - times: The number of requests; by default one, or as many as arrive during `duration`.
    ///   - duration: The time on the server's clock after which the route responds without the latency.
    /// - Throws: ``StoryProblem`` if neither the story nor the contract has the route.
    public func delay(
        by latency: Duration,
        on route: String,
        clock: StoryPart.LatencyClock = .real,
        times: Int? = nil,
        for duration: Duration? = nil
    ) throws {
        try arm(["route": .string(route), "latency": clock.latency(latency)], times: times, for: duration)
    }

    private func arm(_ fault: JSONObject, times: Int?, for duration: Duration?) throws {
        var fault = fault
        fault["times"] = times.map { .number(JSONNumber($0)) }
        fault["for"] = duration.map { .string(DurationText.text($0)) }
        do {
            try session.arm(.object(fault))
        } catch {
            throw StoryProblem(error)
        }
    }

    /// Clears all faults that are still armed.
    public func clearFaults() {
        session.clearFaults()
    }
}
