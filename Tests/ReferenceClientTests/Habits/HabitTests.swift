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

    @Test func `is there two hundred times without a bug, and forty-five times with one`() throws {
        let (correct, broken) = (try Self.correct.get().map(\.habit), try Self.broken.get().map(\.habit))
        #expect(correct.count >= 200 && broken.count >= 45)
        #expect(Set((correct + broken).map(\.name)).count == correct.count + broken.count)
        #expect(correct.allSatisfy(\.rules.isEmpty) && !broken.contains(where: \.rules.isEmpty))
        let numbers = Set(broken.flatMap(\.rules))
        #expect(Bug.allCases.allSatisfy { numbers.contains($0.number) })
    }

    @available(macOS 15, iOS 18, *)
    @Test(arguments: Connections.allCases, latencies)
    func `of a correct client is not judged`(_ connections: Connections, _ latency: Duration) async throws {
        for (habit, judged) in await Self.perform(try Self.correct.get(), connections, latency) {
            let lines = Comment(rawValue: "\(habit), \(connections), \(latency)\n\(judged.evidence.lines)")
            #expect(judged.problems == [], lines)
            let check = { #expect(judged.findings.map(\.description) == [], lines) }
            if let known = KnownIssue.first(about: habit, connections) {
                withKnownIssue(Comment(rawValue: known.reason), isIntermittent: known.isSeldom) { check() }
            } else {
                check()
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
            let check = {
                #expect(
                    found.first == habit.rules.first && Set(found).isSuperset(of: habit.rules),
                    "\(found): \(lines)"
                )
            }
            if let known = KnownIssue.first(about: habit, connections) {
                withKnownIssue(Comment(rawValue: known.reason), isIntermittent: known.isSeldom) { check() }
            } else {
                check()
            }
        }
    }

    @available(macOS 15, iOS 18, *)
    @Test(
        .enabled(if: AllRules.list.contains { $0.profile.number == "B29" }, "no rule is about malformed tokens"),
        arguments: Connections.allCases
    )
    func `of a client that sends malformed tokens is named first by its own rule`(_ connections: Connections)
        async throws
    {
        let plays = try Habit.malformed().map(HabitPlay.init)
        for (habit, judged) in await Self.perform(plays, connections, .milliseconds(5)) {
            let lines = Comment(rawValue: "\(habit), \(connections)\n\(judged.evidence.lines)")
            #expect(judged.findings.first?.id.hasPrefix("B29 ") ?? false, lines)
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

/// Habits about which the rules are wrong at present.
private struct KnownIssue {
    /// What the habit's name begins with.
    var name: String
    /// How it connects where it is judged wrongly.
    var connections = Connections.allCases
    /// Whether it depends on the latency, too.
    var isSeldom = false
    var reason: String

    static func first(about habit: Habit, _ connections: Connections) -> KnownIssue? {
        all.first { habit.name.hasPrefix($0.name) && $0.connections.contains(connections) }
    }

    private static let all = [
        KnownIssue(name: "a list is left for a new item", reason: "B22: another method is a replay"),
        KnownIssue(name: "an item is left and deleted", reason: "B22: another method is a replay"),
        KnownIssue(name: "a screen that starts again", reason: "B22: an added query is a replay"),
        KnownIssue(name: "a query is left", reason: "B7: another operation is a replay, and a query is a write"),
        KnownIssue(name: "one of three queries is left", reason: "B7: another operation is a replay"),
        KnownIssue(name: "it takes a second, and one leaves", reason: "B7: one of several is never left alone"),
        KnownIssue(
            name: "a mutation beside a query, -",
            reason: "B7: a query that is asked for again is a second write"
        ),
        KnownIssue(
            name: "a mutation beside a query, gate",
            reason: "B7: a query that is asked for again is a second write"
        ),
        KnownIssue(name: "a mutation, refresh among them, -", reason: "B7: a query is a write"),
        KnownIssue(name: "a mutation, refresh among them, gate", reason: "B7: a query is a write"),
        KnownIssue(name: "a second tap during a slow one, gate", reason: "B7: a tap that waits is a second replay"),
        KnownIssue(
            name: "a second tap during a slow one, -",
            connections: [.keepAlive],
            reason: "B7: a tap that waits is a second replay"
        ),
        KnownIssue(
            name: "a second tap during a slow one, in-order",
            connections: [.keepAlive],
            reason: "B7: a tap that waits is a second replay"
        ),
        KnownIssue(
            name: "signed out during the refresh",
            connections: [.keepAlive],
            isSeldom: true,
            reason: "B15: a sign-out that waits ought to have tokens which come after it"
        ),
        KnownIssue(
            name: "somebody else in during a refresh",
            connections: [.keepAlive],
            isSeldom: true,
            reason: "B15: a sign-out that waits ought to have tokens which come after it"
        ),
        KnownIssue(
            name: "refused, and the user is out",
            isSeldom: true,
            reason: "B1: a sign-out after one refusal excuses all that end later"
        ),
        KnownIssue(name: "renewed the first time alone", reason: "B1: a request that was refused once may be for ever"),
        KnownIssue(
            name: "a limit after a burst is ignored",
            connections: [.fresh, .pool],
            reason: "B17: the next request may have waited in the pool"
        ),
        KnownIssue(
            name: "a limit of refreshes is ignored",
            connections: [.pool],
            reason: "B17: the connections of refused requests count as in use"
        ),
    ]
}
