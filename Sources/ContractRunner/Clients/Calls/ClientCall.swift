/// One call of a fresh client: an operation, and what the server answers to it.
package struct ClientCall<Adapter: ClientAdapter>: Sendable {
    package var adapter: Adapter
    package var operation: ClientOperation<Adapter.Client>
    package var script: AnswerScript
    /// What the client has stored when it begins.
    package var tokens: [String: String]
    /// Over the platform's own networking, and not over the raw client.
    package var isOnPlatform = false
    /// Whether the whole server is away.
    package var isOffline = false
    /// A call of which nothing is under way for so long, in real time, is hung.
    package var quietTime: Duration = .seconds(1)

    /// - Parameter tokens: what the client has stored; the adapter's tokens unless told otherwise.
    package init(
        _ operation: ClientOperation<Adapter.Client>,
        of adapter: Adapter,
        answered script: AnswerScript,
        tokens: [String: String]? = nil
    ) {
        self.adapter = adapter
        self.operation = operation
        self.script = script
        self.tokens = tokens ?? adapter.tokens
    }

    /// Makes the call and waits until it has ended, or cannot end any more; then the lane is closed.
    package func made(on lane: Lane) async -> MadeCall {
        let clock = ContinuousClock()
        let start = clock.now
        let end = FirstOutcome()
        lane.play(script) { end.settle(.looping) }
        let setting = ClientSetting(
            url: isOffline ? lane.deadURL : lane.url,
            tokens: tokens,
            network: isOnPlatform ? .urlSession : .raw(lane.network.line(of: 0)),
            time: LaneTime(time: lane.time)
        )
        let clients = FirstClient<Adapter.Client>()
        let task = Task.detached { [adapter, operation] in
            defer { lane.time.note() }
            do {
                let client = try await adapter.makeClient(setting)
                clients.set(client)
                end.settle(.value(try await operation.call(client)))
            } catch {
                let decoding = adapter.decodingError(in: error)
                end.settle(.failed(CallFailure(name: adapter.name(of: error), error: error, decoding: decoding)))
            }
        }
        let watch = CallWatch(lane: lane, quietTime: quietTime)
        let watching = Task { if let verdict = await watch.verdict() { end.settle(verdict) } }
        let outcome = await end.value
        watching.cancel()
        var session: ClientSession?
        switch outcome {
        case .hung, .looping:
            lane.close()
            task.cancel()
        case .value, .failed:
            await watch.waitForRest()
            if let client = clients.value { session = await adapter.session(of: client) }
        }
        return MadeCall(
            outcome: outcome,
            requests: lane.requests,
            session: session,
            storedBefore: tokens,
            duration: clock.now - start
        )
    }
}

/// What came of a call.
package struct MadeCall: Sendable {
    package var outcome: CallOutcome
    /// What the client has sent, in the order in which it came in.
    package var requests: [RecordedRequest]
    /// What is seen of the client's session afterwards; `nil` when nobody waited for the end.
    package var session: ClientSession?
    package var storedBefore: [String: String]
    /// In real time.
    package var duration: Duration
}
