import Basics
import HTTPCodec
import HTTPServing
import ScenarioFormat
import Simulation

/// The other waits on a session's clock in addition to its responses: clients in this process that sleep in the session's time.
struct SessionWaits: Sendable {
    private struct Wait: Sendable {
        /// `nil` for one that waits for a request.
        var moment: VirtualTime?
        var movesClock = false
        /// The number of the exchange that ends it.
        var exchange = UInt64.max
        var wake: @Sendable () -> Void
    }

    private var waits: [UInt64: Wait] = [:]
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { waits.isEmpty }

    /// The earliest moment that is waited for.
    var next: VirtualTime? { waits.values.compactMap(\.moment).min() }

    /// The earliest moment that an automatic clock jumps to.
    var nextJump: VirtualTime? { waits.values.filter(\.movesClock).compactMap(\.moment).min() }

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

    /// - Parameter exchange: the number of the exchange that is waited for; a later one ends the wait as well.
    mutating func add(
        untilDecided exchange: UInt64,
        _ wake: @escaping @Sendable () -> Void
    ) -> UInt64 {
        lastNumber += 1
        waits[lastNumber] = Wait(exchange: exchange, wake: wake)
        return lastNumber
    }

    mutating func remove(_ number: UInt64) -> (@Sendable () -> Void)? { waits.removeValue(forKey: number)?.wake }

    /// Takes what a moment or an exchange ends, the earliest first.
    mutating func take(dueBy time: VirtualTime, decided exchange: UInt64) -> [@Sendable () -> Void] {
        guard !waits.isEmpty else { return [] }
        let due = waits.filter { _, wait in
            wait.exchange <= exchange || wait.moment.map { $0 <= time } ?? false
        }
        for number in due.keys { waits[number] = nil }
        return due.sorted { ($0.value.moment ?? time, $0.key) < ($1.value.moment ?? time, $1.key) }.map(\.value.wake)
    }

    mutating func takeAll() -> [@Sendable () -> Void] {
        defer { waits = [:] }
        return waits.sorted { $0.key < $1.key }.map(\.value.wake)
    }
}
