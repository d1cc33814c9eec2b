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

    /// Makes the call and waits until it has ended or cannot end any more; then the lane is abandoned.
    package func made(on lane: Lane) async -> MadeCall {
        let clock = ContinuousClock()
        let start = clock.now
        let end = FirstOutcome()
        lane.play(script) { end.settle(.looping) }
        let setting = ClientSetting(
            url: isOffline ? lane.deadURL : lane.url,
            tokens: tokens,
            network: isOnPlatform ? .urlSession : .raw(lane.network),
            time: lane.time
        )
        let clients = FirstClient<Adapter.Client>()
        let task = Task {
            do {
                let client = try await adapter.makeClient(setting)
                clients.set(client)
                end.settle(.value(try await operation.call(client)))
            } catch {
                let decoding = adapter.decodingError(in: error)
                end.settle(.failed(CallFailure(name: adapter.name(of: error), error: error, decoding: decoding)))
            }
        }
        let watch = Task { await self.watch(lane, end) }
        let outcome = await end.value
        watch.cancel()
        var session: ClientSession?
        switch outcome {
        case .hung, .looping:
            lane.activity.abandon()
            task.cancel()
        case .value, .failed:
            await waitForRest(of: lane)
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

    /// How often the watch looks up.
    private static var tick: Duration { .milliseconds(20) }

    /// Counts ticks and not the clock, so that a busy machine makes nobody hang.
    private func watch(_ lane: Lane, _ end: FirstOutcome) async {
        var stamp = lane.activity.stamp
        var quiet = Duration.zero
        while quiet < quietTime {
            do { try await Task.sleep(for: Self.tick) } catch { return }
            let isQuiet = lane.activity.isIdle && lane.activity.stamp == stamp
            stamp = lane.activity.stamp
            quiet = isQuiet ? quiet + Self.tick : .zero
        }
        end.settle(.hung)
    }

    /// Something may still be under way that the call did not wait for; it belongs to this call and to no other.
    private func waitForRest(of lane: Lane) async {
        var ticks = 0
        while !lane.activity.isIdle, ticks < 100 {
            try? await Task.sleep(for: .milliseconds(2))
            ticks += 1
        }
        if !lane.activity.isIdle { lane.activity.abandon() }
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
