import EventLoops
import ScenarioFormat
import Simulation

/// What waits for a session's clock beside its responses: clients in this process that sleep in the session's time.
struct SessionWaits: Sendable {
    private struct Wait: Sendable {
        var moment: VirtualTime
        var movesClock: Bool
        var wake: @Sendable () -> Void
    }

    private var waits: [UInt64: Wait] = [:]
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { waits.isEmpty }

    /// The earliest moment that is waited for.
    var next: VirtualTime? { waits.values.map(\.moment).min() }

    /// The earliest moment that an automatic clock jumps to.
    var nextJump: VirtualTime? { waits.values.filter(\.movesClock).map(\.moment).min() }

    /// - Parameter movesClock: whether an automatic clock jumps to the moment: for a client that sleeps, and not for one
    ///   that gives up waiting for a response.
    mutating func add(
        until moment: VirtualTime,
        movesClock: Bool,
        _ wake: @escaping @Sendable () -> Void
    ) -> UInt64 {
        lastNumber += 1
        waits[lastNumber] = Wait(moment: moment, movesClock: movesClock, wake: wake)
        return lastNumber
    }

    mutating func remove(_ number: UInt64) -> (@Sendable () -> Void)? { waits.removeValue(forKey: number)?.wake }

    /// Takes what a moment ends, the earliest first.
    mutating func take(dueBy time: VirtualTime) -> [@Sendable () -> Void] {
        guard !waits.isEmpty else { return [] }
        let due = waits.filter { $0.value.moment <= time }
        for number in due.keys { waits[number] = nil }
        return due.sorted { ($0.value.moment, $0.key) < ($1.value.moment, $1.key) }.map(\.value.wake)
    }

    mutating func takeAll() -> [@Sendable () -> Void] {
        defer { waits = [:] }
        return waits.sorted { $0.key < $1.key }.map(\.value.wake)
    }
}
