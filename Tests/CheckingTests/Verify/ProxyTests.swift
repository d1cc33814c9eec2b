import Basics
import Checking
import EventLoops
import Foundation
import HTTPCodec
import TLS
import TestSupport
import Testing

@Suite("The proxies of the environment")
struct ProxyTests {
    private func fetch(
        _ address: String,
        _ environment: [String: String],
        trust: ServerTrust = ServerTrust()
    ) throws -> GivenDocument {
        var trust = trust
        trust.environment = environment
        return try GivenDocument(
            at: address,
            timeout: .seconds(600),
            trust: trust,
            in: MemoryFiles(["other.json": "{}"])
        )
    }

    @Test("get requests over plain HTTP with the whole address, and credentials")
    func forwards() async throws {
        try await LiveBackend.run({ _, _ in HTTPResponse(status: .ok, body: Array("{}".utf8)) }) { backend, url in
            for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
                let proxy = url.replacing("http://", with: "http://ann:p%40ss@")
                _ = try fetch("http://api.example.test:8080/a/b.json?c=d", [name: proxy, "no_proxy": "other.test"])
            }
            #expect(
                backend.requests.map(\.target)
                    == Array(repeating: "http://api.example.test:8080/a/b.json?c=d", count: 3)
            )
            let request = try #require(backend.requests.first)
            #expect(request.fields["Host"] == "api.example.test:8080")
            #expect(request.fields["Proxy-Authorization"] == "Basic YW5uOnBAc3M=")
        }
    }

    @Test("are asked to connect to https servers, and their refusal is reported")
    func reportsRefusal() async throws {
        // A server that is no proxy refuses the method.
        try await LiveBackend.run({ _, _ in HTTPResponse(status: .ok) }) { _, url in
            let error = #expect(throws: VerificationProblem.self) {
                try fetch("https://api.example.test/b.json", ["HTTPS_PROXY": String(url.dropFirst("http://".count))])
            }
            let words = "refused to connect to api.example.test:443: "
            #expect(error?.sentence.contains(words) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "connect to https servers, whose certificates are checked as usual",
        .enabled(if: SystemTLS.problem == nil, "TLS is not available: \(SystemTLS.problem?.description ?? "")")
    )
    func connects() async throws {
        let authority = CertificateAuthority(now: WallClock.secondsSince1970())
        let context = try SystemTLS.server(authority.identity(named: ["api.example.test"]))
        var trust = ServerTrust()
        trust.authorities = [authority.certificate]
        let body = Array("{}".utf8)
        try await LiveBackend.run({ _, _ in HTTPResponse(status: .ok, body: body) }, tls: context) { backend, url in
            let port = try ServerURL(url).port
            let proxy = try TunnelingProxy(to: port)
            let environment = ["https_proxy": "http://ann:p%40ss@127.0.0.1:\(proxy.port)", "http_proxy": "socks5://a"]
            _ = try fetch("https://api.example.test/b.json", environment, trust: trust)
            #expect(backend.requests.map(\.target) == ["/b.json"])
            #expect(
                proxy.head
                    == "CONNECT api.example.test:443 HTTP/1.1\r\nHost: api.example.test:443\r\n"
                    + "Proxy-Authorization: Basic YW5uOnBAc3M=\r\n\r\n"
            )
        }
    }

    @Test("are used for names that begin like a loopback address")
    func usesForNames() async throws {
        try await LiveBackend.run({ _, _ in HTTPResponse(status: .ok, body: Array("{}".utf8)) }) { backend, url in
            _ = try fetch("http://127.example.test/b.json", ["http_proxy": url])
            #expect(backend.requests.map(\.target) == ["http://127.example.test:80/b.json"])
        }
    }

    @Test("are not used for the hosts in NO_PROXY, also next to an empty no_proxy")
    func exceptsNextToEmpty() throws {
        let environment = ["http_proxy": "http://127.0.0.1:1", "no_proxy": "", "NO_PROXY": "example.test"]
        let error = #expect(throws: VerificationProblem.self) { try fetch("http://a.example.test:1/", environment) }
        #expect(error?.sentence.contains("proxy") == false, "\(String(describing: error))")
    }

    @Test("are reported where their password is not encoded")
    func reportsPassword() throws {
        let error = #expect(throws: VerificationProblem.self) {
            try fetch("http://api.example.test/", ["http_proxy": "http://ann:100%@127.0.0.1:1"])
        }
        #expect(error?.sentence.hasPrefix("the variable http_proxy contains a user or password") == true)
    }

    @Test(
        "are not used for this machine and the hosts in no_proxy",
        arguments: ["*", "example.test", ".b.example.test", "x, a.b.example.test:1"]
    )
    func excepts(list: String) async throws {
        try await LiveBackend.run({ _, _ in HTTPResponse(status: .ok, body: Array("{}".utf8)) }) { backend, url in
            let environment = ["http_proxy": "http://127.0.0.1:1", "no_proxy": list]
            _ = try fetch(url + "/direct.json", environment)
            #expect(backend.requests.map(\.target) == ["/direct.json"])
            // The name cannot be resolved, and the proxy is not asked.
            let error = #expect(throws: VerificationProblem.self) {
                try fetch("http://a.b.example.test:1/", environment)
            }
            #expect(error?.sentence.contains("proxy") == false, "\(String(describing: error))")
        }
    }

    @Test("are reported where they are of another kind, or do not listen")
    func reportsOthers() throws {
        for (proxy, words) in [
            ("socks5://127.0.0.1:1", "does not name an HTTP proxy"),
            ("http://127.0.0.1:1", "127.0.0.1:1 cannot be reached"),
        ] {
            let error = #expect(throws: VerificationProblem.self) {
                try fetch("http://api.example.test/b.json", ["http_proxy": proxy])
            }
            #expect(error?.sentence.contains(words) == true, "\(String(describing: error))")
        }
    }
}

/// A proxy that connects one client to a port of this machine.
private final class TunnelingProxy: Sendable {
    let port: UInt16
    private let received = Shared("")

    /// The head of the client's request, once it has a response.
    var head: String { received.withLock { $0 } }

    init(to target: UInt16) throws {
        let listener = try #require(try ListeningSocket.listen(host: "127.0.0.1", port: 0).first)
        port = listener.address.port
        let deadline = SystemTime().now().advanced(by: .seconds(600))
        Thread.detachNewThread { [received] in
            guard (try? listener.waitUntilReadable(until: deadline)) == true,
                case .accepted(let client, _) = listener.accept(),
                let head = Self.head(from: client, until: deadline),
                let address = SocketAddress("127.0.0.1", port: target),
                let server = try? ConnectedSocket(connectingTo: address, until: deadline)
            else { return }
            received.withLock { $0 = head }
            Self.send(Array("HTTP/1.1 200 Connected\r\n\r\n".utf8), to: client, until: deadline)
            Thread.detachNewThread { Self.copy(from: server, to: client, until: deadline) }
            Self.copy(from: client, to: server, until: deadline)
        }
    }

    private static func read(_ socket: ConnectedSocket, until deadline: MonotonicTime) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while (try? socket.waitUntilReadable(until: deadline)) == true {
            switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
            case .bytes(let count): return Array(buffer[..<count])
            case .wouldBlock: continue
            case .endOfStream, .failed: return []
            }
        }
        return []
    }

    private static func send(_ bytes: [UInt8], to socket: ConnectedSocket, until deadline: MonotonicTime) {
        var rest = bytes[...]
        while !rest.isEmpty, (try? socket.waitUntilWritable(until: deadline)) == true {
            switch rest.withUnsafeBytes({ socket.write($0) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: continue
            case .failed: return
            }
        }
    }

    private static func head(from client: ConnectedSocket, until deadline: MonotonicTime) -> String? {
        var head = ""
        while !head.hasSuffix("\r\n\r\n") {
            let bytes = read(client, until: deadline)
            if bytes.isEmpty { return nil }
            head += String(decoding: bytes, as: UTF8.self)
        }
        return head
    }

    private static func copy(from source: ConnectedSocket, to target: ConnectedSocket, until deadline: MonotonicTime) {
        while true {
            let bytes = read(source, until: deadline)
            if bytes.isEmpty { return target.endWriting() }
            send(bytes, to: target, until: deadline)
        }
    }
}
