import Basics
import Rules
import TestSupport
import Testing

@testable import ReferenceClients

/// Habits of clients on the simulated network.
@Suite struct `A habit` {
    private static let latencies: [Duration] = [0, 5, 20, 50, 200].map { .milliseconds($0) }
    private static let correct = Result { try Habit.correct().map(HabitPlay.init) }
    private static let broken = Result { try Habit.broken().map(HabitPlay.init) }

    @Test func `is there two hundred times without a bug, and fifty times with one`() throws {
        let (correct, broken) = (try Self.correct.get().map(\.habit), try Self.broken.get().map(\.habit))
        #expect(correct.count >= 200 && broken.count >= 50)
        #expect(Set((correct + broken).map(\.name)).count == correct.count + broken.count)
        #expect(correct.allSatisfy(\.rules.isEmpty) && !broken.contains(where: \.rules.isEmpty))
        let numbers = Set(broken.flatMap(\.rules))
        #expect(Bug.allCases.allSatisfy { numbers.contains($0.number) })
    }

    /// Each habit with three of the latencies, or with all with `BACKLOT_SCHEDULES`.
    @available(macOS 15, iOS 18, *)
    @Test(arguments: Connections.allCases, latencies)
    func `of a correct client is not judged`(_ connections: Connections, _ latency: Duration) async throws {
        let turn = try #require(Self.latencies.firstIndex(of: latency))
        let plays = try Self.correct.get().enumerated().filter { Breadth.factor > 1 || ($0.offset + turn) % 5 < 3 }
        for (habit, judged) in await Self.perform(plays.map(\.element), connections, latency) {
            let lines = Comment(rawValue: "\(habit), \(connections), \(latency)\n\(judged.evidence.lines)")
            #expect(judged.problems == [], lines)
            #expect(judged.findings.map(\.description) == [], lines)
            // On a busy machine the same comes later, and proves nothing else.
            guard latency == .milliseconds(5) else { continue }
            for longest in [Duration.milliseconds(100), .seconds(20)] {
                let slowed = judged.evidence.slowed(by: longest, seed: 1)
                #expect(slowed.sentences == [], "\(habit), \(connections), \(longest)\n\(slowed.lines)")
            }
        }
    }

    @available(macOS 15, iOS 18, *)
    @Test(arguments: Connections.allCases)
    func `of a broken client is named first by its own rule`(_ connections: Connections) async throws {
        for (habit, judged) in await Self.perform(try Self.broken.get(), connections, .milliseconds(5)) {
            let lines = Comment(rawValue: "\(habit), \(connections)\n\(judged.evidence.lines)")
            let found = judged.findings.map { String($0.id.prefix { $0 != " " }) }
            #expect(judged.problems == [], lines)
            #expect(
                found.first == habit.rules.first && judged.broken.isSuperset(of: habit.rules),
                "\(found): \(lines)"
            )
        }
    }

    /// Plays habits on a thread of their own, by one seed or, with `BACKLOT_SCHEDULES`, by many.
    @available(macOS 15, iOS 18, *)
    private static func perform(
        _ plays: [HabitPlay],
        _ connections: Connections,
        _ latency: Duration
    ) async -> [(Habit, HabitPlay.Judged)] {
        await OwnThread.run {
            plays.flatMap { play in
                (1...UInt64(Breadth.factor)).map {
                    (play.habit, play.perform(connections, latency: latency, seed: $0))
                }
            }
        }
    }
}
