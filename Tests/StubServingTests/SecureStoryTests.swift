import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import Signatures
import StubServing
import TLS
import TestSupport
import Testing

/// The TLS that scenarios define, as clients meet it.
@Suite(.enabled(if: SystemTLS.problem == nil, "TLS is not available: \(SystemTLS.problem?.description ?? "")"))
struct SecureStoryTests {
    private static let authority = CertificateAuthority(now: WallClock.secondsSince1970())

    private func withSecureStub(_ members: String, _ body: (Stub) async throws -> Void) async throws {
        let text =
            #"{"backend": "Shop", "clock": {"frozen": true}, "routes": {"GET /notes": {"json": []}}, \#(members)}"#
        let certificates = try ServerCertificates(Self.authority)
        try await withStub(text, { $0.certificates = { certificates } }, body)
    }

    private func connect(_ stub: Stub, _ trust: TLSTrust? = nil) throws(HTTPClientFailure) -> HTTPClient {
        let context: any TLSContext
        do throws(TLSProblem) {
            context = try SystemTLS.client(trust ?? .authorities([Self.authority.certificate]))
        } catch {
            throw .tls("\(error)")
        }
        return try HTTPClient(port: stub.port, timeout: .seconds(600), tls: context)
    }

    /// The failed handshakes in the journal, once there is one.
    private func failures(_ stub: Stub) throws -> [JSONValue] {
        var failures: [JSONValue] = []
        try stub.until("a failed handshake") {
            failures = try stub.admin(.get, "journal")["failedHandshakes"]?.array ?? []
            return !failures.isEmpty
        }
        return failures
    }

    @Test(arguments: [
        ("expired", "certificate has expired", "certificate_expired", true),
        ("notYetValid", "certificate is not yet valid", "bad_certificate", true),
        ("wrongName", "mismatch", "bad_certificate", true),
        ("unknownAuthority", "self-signed certificate in certificate chain", "unknown_ca", true),
        ("selfSigned", "self-signed certificate", "unknown_ca", true),
        ("close", "closed the connection", "scenario", false),
        ("alert", "handshake_failure", "scenario", false),
    ])
    func `A client rejects a flawed server for the right reason, and the journal has the reason`(
        kind: String,
        sentence: String,
        reason: String,
        isRejection: Bool
    ) async throws {
        try await withSecureStub(#""tls": "\#(kind)""#) { stub in
            let error = #expect(throws: HTTPClientFailure.self) { try connect(stub) }
            #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
            let failure = try #require(try failures(stub).first)
            #expect(failure["reason"]?.string == reason)
            #expect(failure["rejected"]?.bool == isRejection && failure["planned"] == true)
        }
    }

    @Test func `A client that accepts every certificate is served, as is one whose handshake is as required`()
        async throws
    {
        for kind in ["expired", "notYetValid", "wrongName", "unknownAuthority", "selfSigned", "valid"] {
            try await withSecureStub(#""tls": "\#(kind)""#) { stub in
                let client = try connect(stub, kind == "valid" ? nil : .all)
                #expect(try client.get("/notes").code == 200)
                #expect(try stub.admin(.get, "journal")["failedHandshakes"] == nil)
            }
        }
        try await withSecureStub(#""tls": {"minimum": "1.3"}"#) { stub in
            let client = try connect(stub)
            #expect(try client.get("/notes").code == 200)
        }
    }

    @Test func `A handshake without a response lasts until the client leaves`() async throws {
        try await withSecureStub(#""tls": "hang""#) { stub in
            let client = try stub.client()
            try client.send([22, 3, 1, 0, 4])
            try stub.admin(.get, "clock")
            stub.time.advance(by: .seconds(300))
            await stub.time.untilLoopsRest()
            #expect(try client.peek().isEmpty)
            client.close()
            #expect(try failures(stub).first?["reason"] == "closed")
        }
    }

    @Test func `A certificate expires on the virtual clock, and keeps its key until an event renews it`() async throws {
        try await withSecureStub(
            #""tls": {"expires": "14d"}, "timeline": [{"at": "15d", "tls": {"expires": "90d"}}]"#
        ) { stub in
            func key(_ client: HTTPClient) throws -> String? {
                // The hash of the key is an extension of the certificate.
                let certificate = try #require(client.serverCertificate)
                let place = certificate.indices.first { certificate[$0...].starts(with: [0x55, 0x1D, 0x0E]) }
                return place.map { certificate[($0 + 5)..<($0 + 27)].map { "\($0)" }.joined(separator: " ") }
            }
            let first = try connect(stub)
            let left =
                try #require(Certificate.validity(of: first.serverCertificate ?? [])).upperBound
                - WallClock.secondsSince1970()
            #expect(abs(left - 14 * 86_400) < 60)
            try stub.advance("10d")
            let later = try connect(stub)
            #expect(try first.serverCertificate != later.serverCertificate && key(first) == key(later))
            try stub.advance("4d")
            let error = #expect(throws: HTTPClientFailure.self) { try connect(stub) }
            #expect(error?.description.contains("expired") == true)
            // A connection that is open already is not affected.
            #expect(try first.get("/notes").code == 200)
            try stub.advance("1d")
            let renewed = try connect(stub)
            #expect(try key(renewed) != key(first))
            #expect(try renewed.get("/notes").code == 200)
        }
    }

    @Test(arguments: [("https://localhost:PORT", 200), ("http://localhost:PORT", 403), ("https://localhost", 403)])
    func `The server's own page may use the admin API over TLS`(origin: String, status: Int) async throws {
        try await withSecureStub(#""tls": {"expires": "30d"}"#) { stub in
            let fields: HTTPFields = [
                "Host": "localhost", "Origin": origin.replacing("PORT", with: "\(stub.port)"),
                "Content-Type": "application/json",
            ]
            let client = try connect(stub)
            let response = try client.call(.post, "/__backlot/clock", fields, #"{"advance":"1h"}"#)
            #expect(response.code == status)
        }
    }

    @Test func `A restart, and another story, have their own certificates`() async throws {
        let backend =
            #"{"backend": "Shop", "clock": {"frozen": true}, "routes": {"GET /notes": {"json": []}}}"#
        var files: [String: String] = [:]
        for (id, tls) in [("a", #"{"expires": "1d"}"#), ("b", #""wrongName""#), ("c", #""selfSigned""#)] {
            files["\(id).json"] = #"{"extends": "backend.json", "id": "\#(id)", "title": "One", "tls": \#(tls)}"#
        }
        let certificates = try ServerCertificates(Self.authority)
        try await withStub(backend, files: files, { $0.certificates = { certificates } }) { stub in
            try stub.admin(.post, "scenario", ["story": "b"])
            for _ in 0..<2 {
                #expect(throws: HTTPClientFailure.self) { try connect(stub) }
                try stub.admin(.post, "scenario", ["story": "a"])
                let first = try connect(stub).serverCertificate
                try stub.admin(.post, "scenario", ["reset": true])
                #expect(try connect(stub).serverCertificate != first)
                for (story, words) in [("c", "self-signed"), ("b", "mismatch")] {
                    try stub.admin(.post, "scenario", ["story": .string(story)])
                    let error = #expect(throws: HTTPClientFailure.self) { try connect(stub) }
                    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
                }
            }
        }
    }

    @Test func `A certificate has dates that can be written, however far the clock and the scenario are`() async throws
    {
        let years = 1900...9999
        try await withSecureStub(#""tls": {"expires": "3650000d"}"#) { stub in
            let first = try #require(Certificate.validity(of: connect(stub).serverCertificate ?? []))
            #expect(CalendarDate(secondsSince1970: first.upperBound).year == years.upperBound)
            for _ in 0..<40 { try stub.advance("3650000d") }
            let last = try #require(Certificate.validity(of: connect(stub, .all).serverCertificate ?? []))
            #expect(CalendarDate(secondsSince1970: last.lowerBound).year == years.lowerBound)
            for tls: JSONValue in ["notYetValid", ["expires": "-3650000d"], ["expires": "0s"]] {
                try stub.admin(.post, "events", [["tls": tls]])
                let found = try #require(Certificate.validity(of: connect(stub, .all).serverCertificate ?? []))
                #expect(years.contains(CalendarDate(secondsSince1970: found.lowerBound).year), "\(tls)")
                #expect(years.contains(CalendarDate(secondsSince1970: found.upperBound).year), "\(tls)")
            }
        }
    }

    @Test func `Plain HTTP, and another session's port, are refused`() async throws {
        try await withSecureStub(#""tls": "valid""#) { stub in
            #expect(try stub.client().get("/notes").problem == "requires-tls")
            #expect(try connect(stub).get("/notes").code == 200)
            let shared = try connect(stub).get("/notes", ["Backlot-Session": "other"])
            #expect(shared.code == 421 && shared.problem == "requires-own-listener")
        }
        try await withStub(#"{"backend": "Shop", "routes": {}, "tls": "expired"}"#) { stub in
            #expect(stub.log.text.contains("[scenario/requires-tls]"))
            let response = try stub.client().get("/")
            #expect(response.code == 421 && response.text.contains("--tls"))
        }
    }

    // MARK: Certificates from files

    @Test(arguments: [
        (#""expired""#, true), (#""notYetValid""#, true), (#""wrongName""#, true), (#"{"expires": "1d"}"#, true),
        (#"{"kind": "expired", "minimum": "1.3"}"#, true), (#""valid""#, false), (#""selfSigned""#, false),
        (#""unknownAuthority""#, false), (#"{"kind": "selfSigned", "expires": "1d"}"#, false), (#""hang""#, false),
        (#"{"minimum": "1.3"}"#, false),
    ])
    func `With a certificate from a file, TLS that requires the authority of this machine is refused at the start`(
        tls: String,
        isRefused: Bool
    ) async throws {
        let certificates = try ServerCertificates(Self.authority.identity())
        for members in ["\"tls\": \(tls)", "\"timeline\": [\n{\"at\": \"1d\", \"tls\": \(tls)}]"] {
            let text = #"{"backend": "Shop", "routes": {},\#n\#(members)}"#
            do {
                try await withStub(text, { $0.certificates = { certificates } }) { stub in
                    #expect(!isRefused, "\(tls)")
                    #expect(!stub.log.text.contains("impossible-tls"))
                }
            } catch let error as ScenarioError {
                let finding = try #require(error.findings.first)
                #expect(isRefused && finding.id == "scenario/impossible-tls" && finding.severity == .error)
                let line = members.contains("timeline") ? "3:21" : "2:8"
                #expect(finding.place?.description.hasSuffix("backend.json:\(line)") == true, "\(finding)")
                #expect(finding.advice == "use --tls instead of --tls-certificate")
            }
        }
    }

    @Test func `With a certificate from a file, stories and events that require the authority are refused later`()
        async throws
    {
        let backend = #"{"backend": "Shop", "routes": {"GET /notes": {"json": []}}}"#
        let story = #"{"extends": "backend.json", "id": "a", "title": "One", "tls": "wrongName"}"#
        let certificates = try ServerCertificates(Self.authority.identity())
        try await withStub(backend, files: ["a.json": story], { $0.certificates = { certificates } }) { stub in
            let client = try stub.client()
            let json: HTTPFields = ["Content-Type": "application/json"]
            let changed = try client.call(.post, "/__backlot/scenario", json, #"{"story": "a"}"#)
            #expect(changed.code == 400 && changed.problem == "invalid-scenario", "\(changed.text)")
            #expect(changed.text.contains("use --tls instead of --tls-certificate"), "\(changed.text)")
            let event = try client.call(.post, "/__backlot/events", json, #"{"tls": "expired"}"#)
            #expect(event.code == 400 && event.problem == "impossible-tls", "\(event.text)")
            // Any server can make a certificate that signs itself.
            try stub.admin(.post, "events", ["tls": "selfSigned"])
            #expect(try connect(stub, .all).get("/notes").code == 200)
        }
    }

    @Test func `A connection without a request is recorded`() async throws {
        try await withSecureStub(#""seed": 1"#) { stub in
            try connect(stub).close()
            #expect(try failures(stub).first?["reason"] == "unused")
            #expect(stub.server.refusals.first == nil)
        }
    }
}
