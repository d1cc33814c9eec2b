#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Musl)
    import CLinux
    import Musl
#endif

/// `poll` with a pipe for wake-ups: the same everywhere, and linear in the number of descriptors.
///
/// A class, because it owns the pipe and the table that the kernel reads and fills.
final class PollSelector: Selector {
    private let pipe: PipeWaker
    /// The polled descriptors; the first entry is the pipe.
    private var entries: [pollfd]
    /// Parallel to the entries.
    private var tokens: [RegistrationToken]
    /// Where a descriptor's entry is, by its number.
    private var positions: [Int32: Int] = [:]

    var waker: any Waker { pipe }

    init() throws(SystemError) {
        let ends = try Platform.pipe()
        pipe = PipeWaker(reading: ends.reading, writing: ends.writing)
        entries = [pollfd(fd: ends.reading.number, events: Int16(POLLIN), revents: 0)]
        tokens = [.wakeUp]
    }

    func add(_ token: RegistrationToken, _ interest: Interest) throws(SystemError) {
        positions[token.descriptor] = entries.count
        entries.append(pollfd(fd: token.descriptor, events: mask(interest), revents: 0))
        tokens.append(token)
    }

    func change(_ token: RegistrationToken, from old: Interest, to new: Interest) throws(SystemError) {
        guard let position = positions[token.descriptor] else { return }
        entries[position].events = mask(new)
    }

    func remove(_ token: RegistrationToken, _ interest: Interest) {
        guard let position = positions.removeValue(forKey: token.descriptor) else { return }
        entries.swapAt(position, entries.count - 1)
        tokens.swapAt(position, tokens.count - 1)
        entries.removeLast()
        tokens.removeLast()
        if position < entries.count { positions[entries[position].fd] = position }
    }

    func wait(nanoseconds: UInt64?, into events: inout [SelectorEvent]) throws(SystemError) {
        events.removeAll(keepingCapacity: true)
        let count = waitForEvents(nanoseconds)
        guard count >= 0 else {
            let error = Platform.lastError
            if error.meansInterrupted { return }
            throw SystemError("poll", error)
        }
        var remaining = Int(count)
        for index in entries.indices where remaining > 0 && entries[index].revents != 0 {
            remaining -= 1
            if tokens[index] == .wakeUp {
                silencePipe()
            } else {
                events.append(SelectorEvent(token: tokens[index], readiness: readiness(entries[index].revents)))
            }
        }
    }

    private func waitForEvents(_ nanoseconds: UInt64?) -> Int32 {
        guard let nanoseconds else { return poll(&entries, nfds_t(entries.count), -1) }
        #if canImport(Darwin)
            // Whole milliseconds, rounded up: a timer may be late by a part of one, never early.
            let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1)
            return poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds))
        #else
            let bounded = min(nanoseconds, 86_400_000_000_000)
            var span = clinux_timespec(
                seconds: Int(bounded / 1_000_000_000),
                nanoseconds: Int(bounded % 1_000_000_000)
            )
            return clinux_ppoll(&entries, UInt(entries.count), &span, nil)
        #endif
    }

    private func silencePipe() {
        var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        while Platform.repeating({ read(pipe.reading.number, &bytes, 32) }) == 32 {}
    }

    private func mask(_ interest: Interest) -> Int16 {
        var mask: Int16 = 0
        if interest.contains(.read) { mask |= Int16(POLLIN) }
        if interest.contains(.write) { mask |= Int16(POLLOUT) }
        #if os(Linux)
            if interest.contains(.peerEnd) { mask |= clinux_poll_rdhup }
        #endif
        return mask
    }

    private func readiness(_ mask: Int16) -> Readiness {
        var readiness: Readiness = []
        if mask & Int16(POLLIN) != 0 { readiness.insert(.read) }
        if mask & Int16(POLLOUT) != 0 { readiness.insert(.write) }
        if mask & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { readiness.insert(.hangup) }
        #if os(Linux)
            if mask & clinux_poll_rdhup != 0 { readiness.insert(.peerEnd) }
        #endif
        return readiness
    }
}

private struct PipeWaker: Waker {
    /// Kept open as long as another thread may write: a wake-up that comes after the selector's end would raise
    /// SIGPIPE.
    let reading: Descriptor
    let writing: Descriptor

    func wake() {
        var byte: UInt8 = 1
        // Would block only when the pipe is full, and then it is readable already.
        _ = Platform.repeating { write(writing.number, &byte, 1) }
    }
}
