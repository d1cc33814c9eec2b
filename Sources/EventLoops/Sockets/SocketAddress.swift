#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Sendable {
    private enum Storage: Sendable {
        case version4(sockaddr_in)
        case version6(sockaddr_in6)
    }

    private var storage: Storage

    /// Reads a numeric address such as `127.0.0.1` or `::1`; nil for anything else.
    package init?(_ numericHost: String, port: UInt16) {
        var version4 = sockaddr_in()
        if inet_pton(AF_INET, numericHost, &version4.sin_addr) == 1 {
            version4.sin_family = sa_family_t(AF_INET)
            #if canImport(Darwin)
                version4.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
            #endif
            storage = .version4(version4)
            self.port = port
            return
        }
        var version6 = sockaddr_in6()
        guard inet_pton(AF_INET6, numericHost, &version6.sin6_addr) == 1 else { return nil }
        version6.sin6_family = sa_family_t(AF_INET6)
        #if canImport(Darwin)
            version6.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
        #endif
        storage = .version6(version6)
        self.port = port
    }

    /// The address without the port, in network order: four or sixteen bytes.
    package var bytes: [UInt8] {
        switch storage {
        case .version4(let address): withUnsafeBytes(of: address.sin_addr) { Array($0) }
        case .version6(let address): withUnsafeBytes(of: address.sin6_addr) { Array($0) }
        }
    }

    /// Returns whether a host is this machine and nothing else: `localhost`, 127.0.0.0/8 or ::1.
    ///
    /// - Parameter host: A name, or an address without brackets.
    package static func isLoopback(host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        // Not a name that merely begins like an address.
        guard let address = SocketAddress(host, port: 0) else { return false }
        return address.isVersion6
            ? address.bytes.elementsEqual(repeatElement(0, count: 15) + [1]) : address.bytes.first == 127
    }

    init(_ address: sockaddr_in) {
        storage = .version4(address)
    }

    /// The address from the kernel; `nil` for another family.
    init?(_ filled: sockaddr_storage) {
        self.init(family: Int32(filled.ss_family)) { target in
            withUnsafeBytes(of: filled) { source in
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<target.count]))
            }
        }
    }

    private init?(family: Int32, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        switch family {
        case AF_INET:
            var address = sockaddr_in()
            withUnsafeMutableBytes(of: &address, fill)
            storage = .version4(address)
        case AF_INET6:
            var address = sockaddr_in6()
            withUnsafeMutableBytes(of: &address, fill)
            storage = .version6(address)
        default:
            return nil
        }
    }

    package var port: UInt16 {
        get {
            switch storage {
            case .version4(let address): UInt16(bigEndian: address.sin_port)
            case .version6(let address): UInt16(bigEndian: address.sin6_port)
            }
        }
        set {
            switch storage {
            case .version4(var address):
                address.sin_port = newValue.bigEndian
                storage = .version4(address)
            case .version6(var address):
                address.sin6_port = newValue.bigEndian
                storage = .version6(address)
            }
        }
    }

    /// The address without its port, in numbers.
    package var host: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            guard let start = text.baseAddress else { return "" }
            let end =
                switch storage {
                case .version4(var address): inet_ntop(AF_INET, &address.sin_addr, start, socklen_t(text.count))
                case .version6(var address): inet_ntop(AF_INET6, &address.sin6_addr, start, socklen_t(text.count))
                }
            return end == nil ? "" : String(cString: start)
        }
    }

    package var isVersion6: Bool {
        if case .version6 = storage { true } else { false }
    }

    var family: Int32 { isVersion6 ? AF_INET6 : AF_INET }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        func call<Address>(_ address: Address) -> Result {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
        return switch storage {
        case .version4(let address): call(address)
        case .version6(let address): call(address)
        }
    }

    /// The addresses behind a host name, numeric ones included; empty when the name is unknown.
    ///
    /// Asks the system's resolver, which may wait for the network unless the host is numeric or `localhost`.
    package static func resolve(_ host: String, port: UInt16) -> [SocketAddress] {
        if let numeric = SocketAddress(host, port: port) { return [numeric] }
        if host == "localhost" { return loopbacks(port: port) }
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let bytes = UnsafeRawPointer(entry.ai_addr) else { continue }
            let address = SocketAddress(family: entry.ai_family) { target in
                let count = min(target.count, Int(entry.ai_addrlen))
                target.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
            }
            guard var address else { continue }
            address.port = port
            found.append(address)
        }
        return found
    }

    /// 127.0.0.1 and ::1, in this order.
    package static func loopbacks(port: UInt16) -> [SocketAddress] {
        ["127.0.0.1", "::1"].compactMap { SocketAddress($0, port: port) }
    }
}

extension SocketAddress: CustomStringConvertible {
    package var description: String { isVersion6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
