/// One end of a TCP connection, non-blocking.
///
/// Dropping the last copy closes it; ``reset()`` before that turns the close into an RST.
package struct ConnectedSocket: Sendable {
    package let descriptor: Descriptor

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
        // A response is one write; waiting for more to send would only cost time.
        Platform.setNoDelay(descriptor.number)
    }

    /// Connects and waits for it, but not beyond the deadline on the machine's clock.
    package init(connectingTo address: SocketAddress, until deadline: MonotonicTime) throws(SystemError) {
        self.init(try Platform.streamSocket(family: address.family))
        if try Platform.connect(descriptor.number, to: address) { return }
        guard try Platform.wait(for: descriptor.number, toRead: false, until: deadline) else {
            throw SystemError("connect", .timedOut)
        }
        if let error = Platform.takePendingError(descriptor.number) { throw SystemError("connect", error) }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        Platform.receive(descriptor.number, into: buffer)
    }

    package func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        Platform.send(descriptor.number, bytes)
    }

    /// Writes two pieces that lie apart, such as a head and its body, with one call.
    package func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> WriteOutcome {
        Platform.send(descriptor.number, first, second)
    }

    /// Tells the peer that nothing more follows; reading goes on.
    package func endWriting() {
        Platform.endWriting(descriptor.number)
    }

    /// Makes the close that follows a reset, so that the peer sees an RST instead of an orderly end.
    package func reset() {
        Platform.resetOnClose(descriptor.number)
    }

    /// Waits without a loop until there is something to read, or the time on the machine's clock is up.
    package func waitUntilReadable(until deadline: MonotonicTime) throws(SystemError) -> Bool {
        try Platform.wait(for: descriptor.number, toRead: true, until: deadline)
    }

    /// Waits without a loop until something can be written, or the time on the machine's clock is up.
    package func waitUntilWritable(until deadline: MonotonicTime) throws(SystemError) -> Bool {
        try Platform.wait(for: descriptor.number, toRead: false, until: deadline)
    }

    package func localAddress() throws(SystemError) -> SocketAddress {
        try Platform.localAddress(descriptor.number)
    }
}
