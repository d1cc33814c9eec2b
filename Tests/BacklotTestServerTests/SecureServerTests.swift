import Foundation
import HTTPCodec
import HTTPServing
import StubServing
import TLS
import TestSupport
import Testing

@testable import BacklotTestServer

@Suite(
    "BacklotServer over TLS",
    .enabled(if: SystemTLS.problem == nil, "TLS is not available: \(SystemTLS.problem?.description ?? "")")
)
struct SecureServerTests {
    @Test("an https server is reached by a client that trusts its authority")
    func serves() async throws {
        let folder = try TemporaryFolder()
        // The authority of the user is left alone.
        let store = CertificateAuthority.Store(folder: folder.path)
        let authority = try #require(
            try ServerHost.running().offerTLS(by: ServerCertificates(store.authority()))
        )
        let server = try await BacklotServer(story: "Guide/Scenarios/pets", transport: .https)
        #expect(server.url.scheme == "https")
        #expect(server.certificateAuthority.map(Array.init) == authority)
        let port = try #require(server.url.port.flatMap { UInt16(exactly: $0) })
        let client = try HTTPClient(host: "127.0.0.1", port: port, tls: SystemTLS.client(.authorities([authority])))
        #expect(try client.exchange(HTTPRequest(target: "/unknown")).status.code == 404)
        #expect(server.journal.count == 1)
        await server.stop()
    }

    @Test("a story that defines TLS is refused by other transports")
    func refusesPlain() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            #"{"backend": "Shop", "routes": {}, "tls": "expired"}"#,
            to: "backend.json"
        )
        let error = await #expect(throws: StoryProblem.self) {
            try await BacklotServer(story: .file("\(folder.path)/backend.json"))
        }
        #expect(error?.findings.map(\.id) == ["story/requires-tls"])
        #expect(error?.description.contains("use the transport .https") == true)
    }

    @Test("the TLS of a story is checked for every server, also if the story was read before")
    func checksEveryServer() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"backend": "Shop", "routes": {}, "tls": "expired"}"#, to: "backend.json")
        let host = try ServerHost()
        func prepare() throws { _ = try host.prepare(.file("\(folder.path)/backend.json"), nil, from: #filePath) }
        try prepare()
        // A certificate from a file cannot expire on the virtual clock.
        let identity = CertificateAuthority(now: Int64(Date().timeIntervalSince1970)).identity()
        #expect(try host.offerTLS(by: ServerCertificates(identity)) == nil)
        for _ in 0..<2 {
            let error = #expect(throws: StoryProblem.self) { try prepare() }
            #expect(error?.findings.map(\.id) == ["scenario/impossible-tls"])
        }
    }

    @Test("other servers have no authority")
    func servesPlain() async throws {
        let server = try await BacklotServer(story: "Guide/Scenarios/pets")
        #expect(server.url.scheme == "http")
        #expect(server.certificateAuthority == nil)
    }
}
