package import Basics

/// A socket that waits for connections at one address.
package struct ListeningSocket: Sendable {
    package let descriptor: Descriptor
    /// Where it listens, with the real port when any free one was asked for.
    package let address: SocketAddress

    /// Binds and listens.
    ///
    /// The backlog is long, because a burst of clients is ordinary here; the system clamps it.
    package init(address: SocketAddress, backlog: Int32 = 4096) throws(SystemError) {
        descriptor = try Platform.streamSocket(family: address.family)
        try Platform.bindAndListen(descriptor.number, to: address, backlog: backlog)
        self.address = try Platform.localAddress(descriptor.number)
    }

    package func accept() -> AcceptOutcome {
        Platform.accept(descriptor.number)
    }

    /// Waits without a loop until a client connects, or the time on the machine's clock is up.
    package func waitUntilReadable(until deadline: MonotonicTime) throws(SystemError) -> Bool {
        try Platform.wait(for: descriptor.number, toRead: true, until: deadline)
    }
}

extension ListeningSocket {
    /// Listens at every address that the host means, all at the same port.
    ///
    /// `localhost` means 127.0.0.1 and ::1, because clients try either first; `*` means every interface. With port 0
    /// the system chooses a number that is free at all of them. A machine without IPv6 (or without IPv4) is served
    /// where it can be.
    package static func listen(host: String, port: UInt16) throws(SystemError) -> [ListeningSocket] {
        let addresses =
            switch host {
            case "localhost", "": SocketAddress.loopbacks(port: port)
            case "*": ["0.0.0.0", "::"].compactMap { SocketAddress($0, port: port) }
            default: Array(SocketAddress.resolve(host, port: port).prefix(1))
            }
        let attempts = port == 0 && addresses.count > 1 ? 64 : 1
        for attempt in 1...attempts {
            do throws(SystemError) {
                return try listen(addresses)
            } catch {
                // The first address may have got a number that is taken at the second: let go and draw another one.
                guard attempt < attempts, error.number == .addressInUse else { throw error }
            }
        }
        throw SystemError("bind", .addressInUse)
    }

    private static func listen(_ addresses: [SocketAddress]) throws(SystemError) -> [ListeningSocket] {
        var sockets: [ListeningSocket] = []
        var firstRefusal = SystemError("getaddrinfo", .addressNotAvailable)
        for var address in addresses {
            if let bound = sockets.first { address.port = bound.address.port }
            do throws(SystemError) {
                sockets.append(try ListeningSocket(address: address))
            } catch {
                guard error.number.meansNoSuchAddress else { throw error }
                firstRefusal = error
            }
        }
        if sockets.isEmpty { throw firstRefusal }
        return sockets
    }
}

/// A destination of bytes: a socket, or what encrypts them for one.
package protocol ByteSink {
    func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome
    /// Writes two pieces that lie apart, such as a head and its body.
    func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> WriteOutcome
}

/// One end of a TCP connection, non-blocking.
///
/// Dropping the last copy closes it; ``reset()`` before that turns the close into an RST.
package struct ConnectedSocket: ByteSink, Sendable {
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

    /// Begins to connect, without waiting; the descriptor can be written once that has ended.
    package init(beginningToConnectTo address: SocketAddress) throws(SystemError) {
        self.init(try Platform.streamSocket(family: address.family))
        _ = try Platform.connect(descriptor.number, to: address)
    }

    /// The error with which the connecting has ended; `nil` if it has succeeded.
    package func takeConnectError() -> SystemError? {
        Platform.takePendingError(descriptor.number).map { SystemError("connect", $0) }
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
