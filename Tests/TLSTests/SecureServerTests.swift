import EventLoops
import HTTPCodec
import HTTPServing
import Signatures
import TLS
import TestSupport
import Testing

@Suite("A server with TLS", .enabled(if: Machine.isReady, Machine.reason))
struct SecureServerTests {
    @Test("serves https and http on one port, on connections that stay open")
    func servesBoth() async throws {
        try await withSecureServer { port, handler in
            let secure = try HTTPClient(port: port, tls: Machine.client())
            for _ in 0..<3 {
                let request = HTTPRequest(method: .post, target: "/echo", body: Array("hello".utf8))
                #expect(try secure.exchange(request).body == Array("hello".utf8))
                #expect(try secure.exchange(HTTPRequest(target: "/5")).body == Array("aaaaa".utf8))
            }
            #expect(secure.serverCertificate == Machine.identity.chain[0])
            let plain = try HTTPClient(port: port)
            #expect(try plain.exchange(HTTPRequest(target: "/5")).body == Array("aaaaa".utf8))
            #expect(handler.secure.withLock { $0 } == Array(repeating: true, count: 6) + [false])
            #expect(handler.failures.withLock { $0 }.isEmpty)
        }
    }

    @Test(
        "sends and receives bodies that are larger than the kernel's buffers",
        arguments: [16_383, 16_385, 5_000_000]
    )
    func carriesLargeBodies(count: Int) async throws {
        try await withSecureServer { port, _ in
            let client = try HTTPClient(port: port, tls: Machine.client())
            #expect(try client.exchange(HTTPRequest(target: "/\(count)")).body.count == count)
            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            #expect(try client.exchange(HTTPRequest(method: .post, target: "/echo", body: body)).body == body)
            #expect(try client.exchange(HTTPRequest(target: "/1")).body == [0x61])
        }
    }

    @Test("answers requests that arrive in one record")
    func answersPipelinedRequests() async throws {
        try await withSecureServer { port, _ in
            let client = try HTTPClient(port: port, tls: Machine.client())
            for _ in 0..<20 { client.expectResponse(to: .get) }
            try client.send(String(repeating: "GET /70000 HTTP/1.1\r\nHost: a\r\n\r\n", count: 20))
            for _ in 0..<20 { #expect(try client.receive().body.count == 70_000) }
        }
    }

    @Test("a client that does not trust the authority is refused and noted", arguments: [TLSTrust.system])
    func notesRejection(trust: TLSTrust) async throws {
        let (failures, continuation) = AsyncStream.makeStream(of: Void.self)
        try await withSecureServer(Machine.identity, EchoHandler { continuation.yield() }) { port, handler in
            let error = #expect(throws: HTTPClientFailure.self) {
                try HTTPClient(port: port, tls: Machine.client(trust))
            }
            guard case .tls(let sentence)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(sentence.hasPrefix("the server's certificate is not trusted"))
            for await _ in failures { break }
            let failure = try #require(handler.failures.withLock { $0 }.first)
            #expect(failure.isOfCertificate, "\(failure)")
            #expect(failure.sentence.contains("unknown_ca"), "\(failure)")
        }
    }

    @Test("a client rejects an expired certificate and one for another host")
    func clientRejects() async throws {
        let now = WallClock.secondsSince1970()
        let old = Machine.authority.identity(valid: CertificateAuthority.validity(at: now - 398 * 86_400))
        try await withSecureServer(old) { port, _ in
            let error = #expect(throws: HTTPClientFailure.self) { try HTTPClient(port: port, tls: Machine.client()) }
            #expect("\(error.map { "\($0)" } ?? "")".contains("expired"))
            // Without a check it serves.
            let client = try HTTPClient(port: port, tls: Machine.client(.all))
            #expect(try client.exchange(HTTPRequest(target: "/1")).body == [0x61])
        }
        let key = P256PrivateKey.random()
        let other = Certificate(
            of: key.publicKey,
            subject: "b",
            names: [.host("b.test")],
            valid: now...(now + 999),
            issuer: ("b", key)
        )
        try await withSecureServer(TLSIdentity(chain: [other.bytes], privateKey: key.pkcs8)) { port, _ in
            let trusting = try Machine.client(.authorities([other.bytes]))
            for host in ["localhost", "127.0.0.1"] {
                let error = #expect(throws: HTTPClientFailure.self) {
                    try HTTPClient(host: host, port: port, tls: trusting)
                }
                #expect("\(error.map { "\($0)" } ?? "")".contains("mismatch"), "\(String(describing: error))")
            }
        }
    }

    @Test("a key that is not the certificate's is refused")
    func refusesOtherKey() throws {
        let identity = TLSIdentity(chain: Machine.identity.chain, privateKey: P256PrivateKey.random().pkcs8)
        let error = #expect(throws: TLSProblem.self) { try SystemTLS.server(identity) }
        #expect(error?.description.hasPrefix("the private key does not match the certificate") == true)
        var damaged = Machine.identity
        damaged.chain[0].removeLast(9)
        #expect(throws: TLSProblem.self) { try SystemTLS.server(damaged) }
        damaged = Machine.identity
        damaged.privateKey = [1, 2, 3]
        #expect(throws: TLSProblem.self) { try SystemTLS.server(damaged) }
    }

    @Test("the protocol http/1.1 is chosen, and a client that offers only others is refused")
    func choosesProtocol() async throws {
        guard await Python.imports("ssl") else { try Test.cancel("python3 with ssl is not installed") }
        let program = """
            import ssl, socket, sys
            context = ssl._create_unverified_context()
            context.set_alpn_protocols(sys.argv[2:])
            try:
                socket = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                print(context.wrap_socket(socket).selected_alpn_protocol())
            except ssl.SSLError as error:
                print(str(error).lower().replace("_", " "))
            """
        try await withSecureServer { port, _ in
            for (offered, answer) in [
                (["h2", "http/1.1"], "http/1.1"), (["http/1.1"], "http/1.1"), ([], "none"),
                (["h2", "http/1.0"], "no application protocol"),
            ] {
                let arguments = ["python3", "-c", program, "\(port)"] + offered
                let end = try await SpawnedProgram("/usr/bin/env", arguments, input: "").end()
                #expect(end.output.lowercased().contains(answer), "\(offered): \(end.output)\(end.errors)")
            }
        }
    }

    @Test("a client of TLS at a server without it receives an alert")
    func refusesTLS() async throws {
        let handler = EchoHandler()
        let server = HTTPServer(handler: handler)
        try server.start()
        let port = try server.addListener(port: 0)
        let error = #expect(throws: HTTPClientFailure.self) { try HTTPClient(port: port, tls: Machine.client()) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("handshake_failure"), "\(String(describing: error))")
        await server.stop()
    }

    @Test("a handshake that is cut after any byte ends the connection and nothing else")
    func survivesCutHandshakes() async throws {
        let session = try Machine.client().makeSession(to: "localhost")
        #expect(session.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) == .needsRecords)
        var hello: [UInt8] = []
        session.sendRecords { records in
            hello += records
            return records.count
        }
        try #require(hello.count > 100)
        let (failures, continuation) = AsyncStream.makeStream(of: Void.self)
        try await withSecureServer(Machine.identity, EchoHandler { continuation.yield() }) { port, handler in
            for count in 1..<hello.count {
                let client = try HTTPClient(port: port)
                try client.send(Array(hello[..<count]))
                client.endSending()
                _ = try? client.receiveRaw()
            }
            var count = 0
            for await _ in failures {
                count += 1
                if count == hello.count - 1 { break }
            }
            #expect(handler.failures.withLock { $0.allSatisfy { $0.sentence.contains("during the handshake") } })
            let client = try HTTPClient(port: port, tls: Machine.client())
            #expect(try client.exchange(HTTPRequest(target: "/1")).body == [0x61])
        }
    }

    @Test("bytes that are no handshake are refused with an alert")
    func refusesDamagedHandshakes() async throws {
        try await withSecureServer { port, handler in
            let client = try HTTPClient(port: port)
            try client.send([22, 3, 1, 0, 4] + Array("????".utf8))
            let answer = try client.receiveRaw()
            // A fatal alert.
            #expect(answer.first == 21, "\(answer)")
            #expect(answer.dropFirst(5).first == 2)
            #expect(handler.failures.withLock { $0.count } == 1)
        }
    }

    @Test("a handshake that does not end in time is closed")
    func limitsHandshakes() async throws {
        let time = ManualTime()
        let (failures, continuation) = AsyncStream.makeStream(of: Void.self)
        let handler = EchoHandler { continuation.yield() }
        try await withSecureServer(Machine.identity, handler, { $0.time = time }) { port, handler in
            let client = try HTTPClient(port: port)
            try client.send([22])
            await time.untilLoopAwaits(in: .seconds(10))
            time.advance(by: .seconds(10))
            for await _ in failures { break }
            #expect(handler.failures.withLock { $0 } == [.handshakeTimedOut])
            _ = try? client.receiveRaw()
        }
    }
}
