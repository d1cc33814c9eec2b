import Foundation
import Testing

@testable import CommandLineInterface

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite struct `A write that does not wait` {
    /// Darwin's answer for a device.
    private static func notForDevices(_ state: inout pollfd) -> Int32 {
        state.revents = Int16(POLLNVAL)
        return 1
    }

    /// Darwin's answer for a pipe whose reader has gone away.
    private static func hungUp(_ state: inout pollfd) -> Int32 {
        state.revents = Int16(POLLHUP)
        return 1
    }

    @Test func `reaches a device that cannot be polled`() {
        let device = open("/dev/null", O_WRONLY)
        defer { close(device) }
        let bytes = [UInt8](repeating: 0x61, count: 2_000)
        #expect(Terminal.writeWithoutWaiting(bytes, to: device, polling: Self.notForDevices) == 2_000)
        #expect(Terminal.writeWithoutWaiting(bytes, to: device) == 2_000)
    }

    @Test func `drops what has no reader any more`() {
        // Writing to it fails, as to such a pipe, but raises no signal.
        let unwritable = open("/dev/null", O_RDONLY)
        defer { close(unwritable) }
        #expect(Terminal.writeWithoutWaiting([1, 2, 3], to: unwritable, polling: Self.hungUp) == 3)
    }

    @Test func `keeps what a full pipe does not take`() {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let bytes = [UInt8](repeating: 0x61, count: 1 << 20)
        let sent = Terminal.writeWithoutWaiting(bytes, to: ends[1])
        #expect(sent > 0 && sent < bytes.count)
        #expect(Terminal.writeWithoutWaiting(bytes, to: ends[1]) == 0)
    }
}
