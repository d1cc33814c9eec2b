#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The local network that this machine is in.
package enum LocalNetwork {
    /// The IPv4 addresses at which other machines may reach this one, the likeliest first; empty without a network.
    package static var addresses: [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [String] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else { continue }
            let host = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee).host }
            found.append(host)
        }
        return reachable(among: found)
    }

    /// Leaves out loopback and link-local addresses (RFC 3927), and sorts private ones (RFC 1918) to the front.
    ///
    /// Of the private ones 172.16.0.0/12 comes last: virtual networks of containers have these addresses.
    static func reachable(among hosts: [String]) -> [String] {
        func rank(_ host: String) -> Int? {
            let numbers = host.split(separator: ".").compactMap { UInt8($0) }
            guard numbers.count == 4 else { return nil }
            return switch (numbers[0], numbers[1]) {
            case (0, _), (127, _), (169, 254): nil
            case (192, 168): 0
            case (10, _): 1
            case (172, 16...31): 2
            default: 3
            }
        }
        let ranked = hosts.compactMap { host in rank(host).map { (host: host, rank: $0) } }
        return (0...3).flatMap { wanted in ranked.filter { $0.rank == wanted }.map(\.host) }
    }
}
