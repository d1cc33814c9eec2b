#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Musl)
    import CLinux
    import Musl
#endif

extension Platform {
    #if canImport(Darwin)
        /// Darwin has no such flag; SO_NOSIGPIPE is set on every socket instead.
        private static let sendFlags: Int32 = 0
    #else
        private static let sendFlags = clinux_msg_nosignal
    #endif

    static func streamSocket(family: Int32) throws(SystemError) -> Descriptor {
        #if canImport(Darwin)
            let number = socket(family, SOCK_STREAM, 0)
        #elseif canImport(Glibc)
            let number = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        #else
            let number = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)
        #endif
        guard number != -1 else { throw SystemError("socket", lastError) }
        let descriptor = Descriptor(adopting: number)
        #if canImport(Darwin)
            guard setNonBlockingAndCloseOnExec(number) else { throw SystemError("fcntl", lastError) }
            setOption(number, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
        return descriptor
    }

    /// Sets an option, and returns whether the system took it; most of them would only be missed as a comfort.
    @discardableResult
    static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) -> Bool {
        var value = value
        return setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    static func setNoDelay(_ descriptor: Int32) {
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    static func bindAndListen(_ descriptor: Int32, to address: SocketAddress, backlog: Int32) throws(SystemError) {
        // A restarted server may take its port again at once. Never SO_REUSEPORT: it would hide a port in use.
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.isVersion6 { setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else { throw SystemError("bind", lastError) }
        guard listen(descriptor, backlog) == 0 else { throw SystemError("listen", lastError) }
    }

    /// Starts to connect; true when it is done already.
    static func connect(_ descriptor: Int32, to address: SocketAddress) throws(SystemError) -> Bool {
        #if canImport(Darwin)
            let result = address.withPointer { Darwin.connect(descriptor, $0, $1) }
        #elseif canImport(Glibc)
            let result = address.withPointer { Glibc.connect(descriptor, $0, $1) }
        #elseif canImport(Musl)
            let result = address.withPointer { Musl.connect(descriptor, $0, $1) }
        #endif
        if result == 0 { return true }
        // An interrupted connect continues in the background, like one in progress.
        if errno == EINPROGRESS || errno == EINTR { return false }
        throw SystemError("connect", lastError)
    }

    static func localAddress(_ descriptor: Int32) throws(SystemError) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0, let address = SocketAddress(storage) else { throw SystemError("getsockname", lastError) }
        return address
    }

    static func accept(_ descriptor: Int32) -> AcceptOutcome {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let number = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #if canImport(Darwin)
                    repeating { Darwin.accept(descriptor, address, &length) }
                #else
                    repeating { clinux_accept4(descriptor, address, &length, clinux_cloexec_nonblock) }
                #endif
            }
        }
        guard number != -1 else {
            let error = lastError
            if error.meansWouldBlock { return .wouldBlock }
            if error.meansExhaustion { return .exhausted(error) }
            return error.concernsOneConnection ? .lost : .failed(error)
        }
        let owned = Descriptor(adopting: number)
        #if canImport(Darwin)
            // The option fails (EINVAL) where the peer has reset the connection; without it a write would raise SIGPIPE,
            // which ends a process that does not ignore it, such as a test.
            guard setNonBlockingAndCloseOnExec(number), setOption(number, SOL_SOCKET, SO_NOSIGPIPE, 1) else {
                return .lost
            }
        #endif
        guard let address = SocketAddress(storage) else { return .lost }
        return .accepted(ConnectedSocket(owned), from: address)
    }

    static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        let count = repeating { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
        if count > 0 { return .bytes(count) }
        if count == 0 { return .endOfStream }
        let error = lastError
        return error.meansWouldBlock ? .wouldBlock : .failed(error)
    }

    static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        writeOutcome(repeating { sendBytes(descriptor, bytes) })
    }

    private static func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
        #elseif canImport(Glibc)
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
        #elseif canImport(Musl)
            Musl.send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
        #endif
    }

    /// Sends two pieces with one call: `sendmsg`, because `writev` has no flags.
    static func send(
        _ descriptor: Int32,
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer
    ) -> WriteOutcome {
        var pieces = (
            iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: numericCast(first.count)),
            iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: numericCast(second.count))
        )
        return withUnsafeMutablePointer(to: &pieces) { pointer in
            pointer.withMemoryRebound(to: iovec.self, capacity: 2) { vector in
                var message = msghdr()
                message.msg_iov = vector
                message.msg_iovlen = 2
                return writeOutcome(repeating { sendmsg(descriptor, &message, sendFlags) })
            }
        }
    }

    private static func writeOutcome(_ count: Int) -> WriteOutcome {
        if count >= 0 { return .bytes(count) }
        let error = lastError
        return error.meansWouldBlock ? .wouldBlock : .failed(error)
    }

    static func endWriting(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes the coming close a reset: what is unsent is thrown away and the peer gets an RST.
    static func resetOnClose(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Takes the error that a background operation, such as connecting, left on the socket.
    static func takePendingError(_ descriptor: Int32) -> ErrorNumber? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return lastError }
        return code == 0 ? nil : ErrorNumber(rawValue: code)
    }
}
