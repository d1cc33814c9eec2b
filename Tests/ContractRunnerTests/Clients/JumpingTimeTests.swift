import SocketIO
import Testing

@testable import ContractRunner

/// Time that jumps when everybody waits for it.
@Suite(.timeLimit(.minutes(15)))
struct `A jumping time` {
    private let time = JumpingTime(loops: 0)

    /// What a watch sees of some work in this time.
    private func seen(_ work: @escaping @Sendable () async throws -> Void) async throws -> WorkWatch.End {
        let network = try LoopNetwork(in: time)
        defer { network.close() }
        var watch = WorkWatch(time: time, network: network)
        watch.patience.idle = .milliseconds(50)
        return await watch.see(work)
    }

    private func passed(since start: MonotonicTime) -> Duration { start.duration(to: time.now()) }

    @Test func `passes for whoever sleeps, and takes none`() async throws {
        let start = time.now()
        let end = try await seen { [time] in try await time.sleep(for: .seconds(7_200)) }
        guard case .returned = end else {
            Issue.record("\(end)")
            return
        }
        // Had it taken any, the suite's limit would have ended it.
        #expect(passed(since: start) == .seconds(7_200))
    }

    @Test func `passes once for those who sleep side by side`() async throws {
        let start = time.now()
        _ = try await seen { [time] in
            async let first: Void = time.sleep(for: .seconds(3))
            async let second: Void = time.sleep(for: .seconds(5))
            _ = try await (first, second)
        }
        #expect(passed(since: start) == .seconds(5))
    }

    @Test func `wakes whoever is cancelled`() async throws {
        let start = time.now()
        let end = try await seen { [time] in
            let sleeper = Task { try await time.sleep(for: .seconds(1_000)) }
            try await time.sleep(for: .seconds(1))
            sleeper.cancel()
            try await sleeper.value
        }
        guard case .threw(let error) = end else {
            Issue.record("\(end)")
            return
        }
        #expect(error is CancellationError)
        #expect(passed(since: start) == .seconds(1))
    }

    @Test func `never comes to what is put off for ever`() async throws {
        let end = try await seen { [time] in try await time.sleep(for: .seconds(2_000_000_000)) }
        guard case .stuck = end else {
            Issue.record("\(end)")
            return
        }
    }
}
