import Testing

@testable import EventLoops

@Suite struct `The addresses in a local network` {
    @Test func `are private ones first, and neither loopback nor link-local`() {
        let hosts = [
            "127.0.0.1", "172.17.0.1", "203.0.113.7", "169.254.10.1", "10.1.2.3", "192.168.1.23", "0.0.0.0",
            "172.32.0.1",
            "192.168.0.2",
        ]
        #expect(
            LocalNetwork.reachable(among: hosts) == [
                "192.168.1.23", "192.168.0.2", "10.1.2.3", "172.17.0.1", "203.0.113.7", "172.32.0.1",
            ]
        )
        #expect(LocalNetwork.reachable(among: ["", "localhost", "::1", "1.2.3", "1.2.3.256"]) == [])
    }

    @Test func `are numeric`() {
        for address in LocalNetwork.addresses {
            #expect(SocketAddress(address, port: 0)?.host == address)
            #expect(!address.hasPrefix("127."))
        }
    }
}
