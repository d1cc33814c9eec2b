import EventLoops
import Testing

@Suite struct `A host is this machine` {
    @Test(arguments: ["localhost", "LOCALHOST", "127.0.0.1", "127.255.3.4", "::1", "0:0:0:0:0:0:0:1"])
    func `by a loopback name or address`(host: String) {
        #expect(SocketAddress.isLoopback(host: host))
    }

    @Test(arguments: [
        "127.example.com", "127.0.0.1.example.com", "127.1.2", "128.0.0.1", "::", "::2", "localhost.a", "",
    ])
    func `not by a name that only begins like one`(host: String) {
        #expect(!SocketAddress.isLoopback(host: host))
    }
}
