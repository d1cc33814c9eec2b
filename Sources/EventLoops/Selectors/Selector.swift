#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The events that a loop registers for on a descriptor.
package struct Interest: OptionSet, Sendable, Hashable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// There is something to read, or the peer's end of stream.
    package static let read = Interest(rawValue: 1)
    /// There is room to write.
    package static let write = Interest(rawValue: 2)
    package static let readAndWrite = Interest(rawValue: 3)
    /// The peer sends no more, while nothing is read; a hint only, since `poll` on Darwin cannot report it.
    package static let peerEnd = Interest(rawValue: 4)
}

/// The operations that a descriptor is ready for.
package struct Readiness: OptionSet, Sendable, Hashable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let read = Readiness(rawValue: 1)
    package static let write = Readiness(rawValue: 2)
    package static let peerEnd = Readiness(rawValue: 4)
    /// An error, or both directions are closed; reported whether or not it was registered for.
    package static let hangup = Readiness(rawValue: 8)

    /// A Boolean value that indicates whether reading would return something: bytes, the end of stream or an error.
    package var isWorthReading: Bool { rawValue & 9 != 0 }
}

/// Names a registration: a descriptor's number, and an id that its next user does not share.
struct RegistrationToken: Sendable, Hashable {
    /// The user data of every kernel event.
    var packed: UInt64

    init(packed: UInt64) {
        self.packed = packed
    }

    init(descriptor: Int32, id: UInt32) {
        packed = UInt64(id) << 32 | UInt64(UInt32(bitPattern: descriptor))
    }

    var descriptor: Int32 { Int32(bitPattern: UInt32(truncatingIfNeeded: packed)) }
    var id: UInt32 { UInt32(truncatingIfNeeded: packed >> 32) }

    /// The selector's own wake-up; ids of registrations start at one.
    static let wakeUp = RegistrationToken(packed: 0)
}

/// One descriptor's readiness as a selector reports it.
struct SelectorEvent: Sendable, Hashable {
    var token: RegistrationToken
    var readiness: Readiness
}

/// Waits for many descriptors at once, level-triggered: what is not handled is reported again.
///
/// One loop owns a selector and calls it from its thread; only the waker crosses threads. The loop passes the present
/// interest along, so that a selector need not remember it.
protocol Selector: AnyObject {
    var waker: any Waker { get }

    func add(_ token: RegistrationToken, _ interest: Interest) throws(SystemError)
    func change(_ token: RegistrationToken, from old: Interest, to new: Interest) throws(SystemError)
    /// Called before the descriptor is closed.
    func remove(_ token: RegistrationToken, _ interest: Interest)

    /// Waits at most the given nanoseconds (nil: until something happens) and replaces the events.
    ///
    /// An interrupted wait ends early and empty. Wake-ups are consumed and not reported.
    func wait(nanoseconds: UInt64?, into events: inout [SelectorEvent]) throws(SystemError)
}

/// Ends a selector's wait from any thread; a wake-up that comes too early ends the next wait.
protocol Waker: Sendable {
    func wake()
}

/// Which way of waiting a loop uses.
package enum SelectorKind: String, Sendable, Hashable, CaseIterable {
    /// The platform's best: epoll on Linux, kqueue on Darwin.
    case system
    /// `poll`, which every platform has. Its cost grows with the number of connections.
    case poll

    /// The selector in `BACKLOT_SELECTOR`; the platform's best if it is unknown.
    package static var fromEnvironment: SelectorKind {
        guard let value = getenv("BACKLOT_SELECTOR") else { return .system }
        return SelectorKind(rawValue: String(cString: value)) ?? .system
    }

    func makeSelector() throws(SystemError) -> any Selector {
        switch self {
        case .system:
            #if canImport(Darwin)
                return try KqueueSelector()
            #else
                return try EpollSelector()
            #endif
        case .poll:
            return try PollSelector()
        }
    }
}
