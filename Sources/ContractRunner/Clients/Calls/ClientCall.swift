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
        lane.play(script)
        let setting = ClientSetting(
            url: isOffline ? lane.deadURL : lane.url,
            tokens: tokens,
            network: isOnPlatform ? .urlSession : .raw(lane.network.line(of: 0)),
            time: LaneTime(time: lane.time)
        )
        let client = Kept<Adapter.Client>()
        let value = Kept<CallValue>()
        let end = await watch(over: lane).see { [adapter, operation] in
            let made = try await adapter.makeClient(setting)
            client.keep(made)
            value.keep(try await operation.call(made))
        }
        let outcome: CallOutcome =
            switch end {
            case .returned: .value(value.value ?? .nothing)
            case .threw(let error): .failed(failure(error))
            case .stuck: .hung
            case .endless, .interrupted: .looping
            }
        await waitForRest(of: lane, after: outcome)
        var session: ClientSession?
        if !outcome.isEndless, let client = client.value { session = await adapter.session(of: client) }
        return MadeCall(
            outcome: outcome,
            requests: lane.requests,
            hasClient: client.value != nil,
            session: session,
            storedBefore: tokens,
            duration: clock.now - start
        )
    }

    private func watch(over lane: Lane) -> WorkWatch {
        var patience = ClientPatience()
        patience.looksAround = false
        patience.idle = quietTime
        patience.mostJumps = 200
        // The network counts the requests of all calls before, too. The script counts only what comes to the server.
        patience.mostRequests = Int(clamping: lane.network.requestCount) + script.requestLimit
        return WorkWatch(
            time: lane.time,
            network: lane.network,
            patience: patience,
            isInterrupted: { lane.isRestless }
        )
    }

    private func failure(_ error: any Error) -> CallFailure {
        CallFailure(name: adapter.name(of: error), error: error, decoding: adapter.decodingError(in: error))
    }

    /// Closes the lane when something of the call goes on: it would be taken for a part of the next one.
    private func waitForRest(of lane: Lane, after outcome: CallOutcome) async {
        if outcome.isEndless { return lane.close() }
        for _ in 0..<50 where lane.network.openRequests > 0 { try? await Task.sleep(for: .milliseconds(1)) }
        if lane.network.openRequests > 0 || lane.time.isAnybodyAsleep { lane.close() }
    }
}

/// What came of a call.
package struct MadeCall: Sendable {
    package var outcome: CallOutcome
    /// What the client has sent, in the order in which it came in.
    package var requests: [RecordedRequest]
    /// Whether the adapter could make a client at all.
    package var hasClient: Bool
    /// What is seen of the client's session afterwards; `nil` when nobody waited for the end.
    package var session: ClientSession?
    package var storedBefore: [String: String]
    /// In real time.
    package var duration: Duration
}
