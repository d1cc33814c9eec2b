import Basics
package import EventLoops
import HTTPCodec
import HTTPServing

/// One call of a fresh client: an operation, and the server's response to it.
package struct ClientCall<Adapter: ClientAdapter>: Sendable {
    package var adapter: Adapter
    package var operation: ClientOperation<Adapter.Client>
    package var script: ResponsePlan
    /// The client's initially stored tokens.
    package var tokens: [String: String]
    /// Over the platform's own networking, real sockets and in real time.
    package var isOnPlatform = false
    /// A Boolean value that indicates whether the client's session is looked at before the call, too.
    package var observesStart = false
    /// A Boolean value that indicates whether the client is asked again after the first call has returned.
    package var isMadeTwice = false
    /// A Boolean value that indicates whether the whole server is away.
    package var isOffline = false
    /// After this real time with nothing under way that could bring it on, a call hangs.
    ///
    /// Another thread may be at work on it, and nothing shows that.
    package var quietTime: Duration = .seconds(1)

    package init(_ operation: ClientOperation<Adapter.Client>, of adapter: Adapter, answered script: ResponsePlan) {
        self.adapter = adapter
        self.operation = operation
        self.script = script
        tokens = adapter.tokens(before: operation)
    }

    /// Makes the call in a separate world, and waits until it has ended or can no longer end.
    ///
    /// - Throws: `SystemError` when the system has no thread or port left.
    package func made(with server: RespondingServer) async throws(SystemError) -> MadeCall {
        if isOnPlatform { return try await madeOverSockets(server) }
        let quiescence = server.threads.quiescence
        let (made, world) = try await made(with: server, quiescence)
        // Time may have jumped while another thread was at work.
        if server.threads.learn(from: world, quiescence) || server.threads.mayBeHeldUp && made.outcome.isHung {
            return try await self.made(with: server, .outside).0
        }
        return made
    }

    private func made(
        with server: RespondingServer,
        _ quiescence: World.Quiescence
    ) async throws(SystemError) -> (MadeCall, World) {
        let world = World(JobOrder(.firstInFirstOut, seed: 0), quiescence, limits)
        let network = SimulatedNetwork(in: world) { [weak world] in world?.travelTime() ?? .zero }
        let handler = ScriptHandler(server.usual, script, in: world)
        network.serve(handler)
        let host = adapter.host()
        let port = try network.addListener(host: host, port: 0, tag: 0)
        let setting = ClientSetting(
            url: "http://\(host):\(isOffline ? port - 1 : port)",
            tokens: tokens,
            network: .raw(WorldNetwork(network: network, client: 0)),
            time: WorldTime(world: world),
            links: handler.links
        )
        var made = try await made(in: world, setting, handler) { [script] in
            // Attempts that reach no server count as well, the handler's own count coming first.
            handler.isRestless || network.requestCount > UInt64(script.requestLimit) + 1
        }
        if !made.outcome.isEndless { made.leftOver.insert(contentsOf: network.openRequests, at: 0) }
        network.close()
        return (made, world)
    }

    private var limits: World.Limits {
        var limits = World.Limits()
        limits.jumps = 200
        limits.outside = quietTime
        return limits
    }

    /// Over real sockets, for the platform's own networking: the server's time is real, and so is that of the network.
    ///
    /// The client's own pauses are skipped once nothing has come from the platform's threads for a moment.
    private func madeOverSockets(_ server: RespondingServer) async throws(SystemError) -> MadeCall {
        let world = World(JobOrder(.firstInFirstOut, seed: 0), .outside, limits)
        let handler = ScriptHandler(server.usual, script, in: world)
        let sockets = HTTPServer(handler: handler)
        try sockets.start()
        let port: UInt16
        let dead: DeadPort
        do throws(SystemError) {
            port = try sockets.addListener(host: "127.0.0.1", port: 0)
            dead = try DeadPort(nextTo: port)
        } catch {
            sockets.beginStopping()
            throw error
        }
        let setting = ClientSetting(
            url: "http://127.0.0.1:\(isOffline ? dead.number : port)",
            tokens: tokens,
            network: .urlSession,
            time: WorldTime(world: world),
            links: handler.links
        )
        let made = try await made(in: world, setting, handler) { handler.isRestless }
        sockets.beginStopping()
        return made
    }

    private func made(
        in world: World,
        _ setting: ClientSetting,
        _ handler: ScriptHandler,
        isRestless: @escaping @Sendable () -> Bool
    ) async throws(SystemError) -> MadeCall {
        let clock = ContinuousClock()
        let began = clock.now
        let client = OneShot<Adapter.Client>()
        let start = OneShot<ObservedSession>()
        let (earlier, value) = (OneShot<CallValue>(), OneShot<CallValue>())
        let end = try await world.run(until: isRestless) { [adapter, operation, isMadeTwice, observesStart] in
            let made = try await adapter.makeClient(setting)
            client.keep(made)
            if observesStart { start.keep(await adapter.session(of: made)) }
            if isMadeTwice { earlier.keep(try await operation.call(made)) }
            value.keep(try await operation.call(made))
        }
        handler.links.end()
        let outcome = CallOutcome(end, value.value, after: handler.requests.map(\.request), of: adapter)
        let session = OneShot<ObservedSession>()
        if !outcome.isEndless, let client = client.value {
            _ = try await world.run { [adapter] in session.keep(await adapter.session(of: client)) }
        }
        let leftOver = outcome.isEndless ? [] : world.pausesInWords
        world.end()
        return MadeCall(
            earlierValue: earlier.value,
            outcome: outcome,
            requests: handler.requests,
            hasClient: client.value != nil,
            sessionBefore: start.value,
            session: session.value,
            storedBefore: tokens,
            links: handler.links,
            leftOver: leftOver,
            duration: clock.now - began
        )
    }
}

extension World {
    fileprivate var pausesInWords: [String] {
        switch pauseCount {
        case 0: []
        case 1: ["a pause"]
        case let count: ["\(count) pauses"]
        }
    }
}

/// The result of a call.
package struct MadeCall: Sendable {
    /// The value of the first call, if the client was asked twice.
    package var earlierValue: CallValue?
    package var outcome: CallOutcome
    /// The client's requests, in the order of arrival.
    package var requests: [RecordedRequest]
    /// A Boolean value that indicates whether the adapter could make a client at all.
    package var hasClient: Bool
    /// The client's session before the call; `nil` if the test did not look.
    package var sessionBefore: ObservedSession?
    /// The client's session afterwards; `nil` if the test did not wait for the end.
    package var session: ObservedSession?
    package var storedBefore: [String: String]
    /// The URLs of the responses, and the client's use of them.
    var links: FollowedLinks
    /// The pending requests and pauses after the call ended.
    package var leftOver: [String] = []
    /// In real time.
    package var duration: Duration
}

/// The result of asking a client.
package enum CallOutcome: Sendable {
    case value(CallValue)
    case failed(CallFailure)
    /// Nothing of the call is under way any more, and it has not ended.
    case hung
    /// It does not stop.
    case looping
    /// It does not stop, because it loads one page after the other.
    case paging
}

/// An error of a client.
package struct CallFailure: Sendable {
    /// As ``ClientAdapter/name(of:)`` calls it.
    package var name: String
    package var error: any Error
    /// The decoder's own error, where it has come from one.
    package var decoding: DecodingError?
}

extension CallOutcome {
    /// - Parameters:
    ///   - end: how the call's work in its world has ended.
    ///   - value: what it has returned.
    ///   - requests: what it has sent.
    init(
        _ end: World.End,
        _ value: CallValue?,
        after requests: @autoclosure () -> [HTTPRequest],
        of adapter: some ClientAdapter
    ) {
        switch end {
        case .returned: self = .value(value ?? .nothing)
        case .threw(let error):
            let decoding = adapter.decodingError(in: error)
            self = .failed(CallFailure(name: adapter.name(of: error), error: error, decoding: decoding))
        case .stuck, .blocked: self = .hung
        case .endless, .interrupted: self = requests().areForPages ? .paging : .looping
        }
    }
}

extension CallOutcome: CustomStringConvertible {
    /// Its name in tables.
    package var description: String {
        switch self {
        case .value: "value"
        case .failed(let failure): failure.name
        case .hung: "hang"
        case .looping: "loop"
        case .paging: "pages"
        }
    }

    /// A Boolean value that indicates whether the call has not ended.
    package var isEndless: Bool {
        switch self {
        case .hung, .looping, .paging: true
        case .value, .failed: false
        }
    }

    /// A Boolean value that indicates whether the call loads one page after the other.
    package var isPaging: Bool {
        if case .paging = self { true } else { false }
    }

    /// A Boolean value that indicates whether nothing of the call is under way although it has not ended.
    package var isHung: Bool {
        if case .hung = self { true } else { false }
    }

    /// A Boolean value that indicates whether the call has ended with an error that is not the decoder's.
    var isRefusal: Bool {
        if case .failed(let failure) = self { failure.decoding == nil } else { false }
    }

    package var isValue: Bool {
        if case .value = self { true } else { false }
    }
}

extension [HTTPRequest] {
    /// A Boolean value that indicates whether the last ones ask for further pages of what the first one asks for: for the
    /// same path, by another query.
    fileprivate var areForPages: Bool {
        guard let first, count > 2 else { return false }
        return suffix(2).allSatisfy { next in
            next.method == first.method && next.path == first.path && next.query != nil && next.query != first.query
        }
    }
}

/// A place for a task's value, for code that does not wait for the task.
final class OneShot<Value: Sendable>: Sendable {
    private let kept = Lock<Value?>(nil)

    var value: Value? { kept.withLock { $0 } }

    func keep(_ value: Value) { kept.withLock { $0 = value } }
}
