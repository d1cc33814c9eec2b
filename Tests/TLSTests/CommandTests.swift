import HTTPCodec
import HTTPServing
import Signatures
import TLS
import TestSupport
import Testing

@Suite("Commands with TLS", .enabled(if: Machine.isReady, Machine.reason))
struct CommandTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] { ["XDG_DATA_HOME": folder.path, "HOME": folder.path] }

    init() throws {
        folder = try TemporaryFolder()
        let scenario = """
            {"backend": "notes", "routes": {"GET /notes": {"status": 200, "json": {"url": "{{request.base}}"}}}}
            """
        try folder.write(scenario, to: "notes/backend.json")
    }

    private func run(_ arguments: String...) async throws -> SpawnedProgram.End {
        try await SpawnedCommand.run(arguments, environment: environment)
    }

    @Test("certificate creates an authority, shows it and removes it")
    func showsAuthority() async throws {
        let shown = try await run("certificate")
        #expect(shown.status == 0, "\(shown.errors)")
        let store = try CertificateAuthority.Store.ofUser { environment[$0] }
        let authority = try #require(try store.read())
        #expect(shown.output.contains(authority.fingerprint))
        #expect(shown.output.contains("xcrun simctl keychain booted add-root-cert \(store.certificateFile)"))
        #expect(try await run("certificate").output == shown.output)
        #expect(try await run("certificate", "--remove").status == 0)
        #expect(try store.read() == nil)
        let removed = try await run("certificate", "--remove")
        #expect(removed.status == 2)
        #expect(removed.errors.contains("there is no authority"))
    }

    @Test("certificate writes a certificate for another server, and replaces no file")
    func writesFiles() async throws {
        let file = "\(folder.path)/server.pem"
        let written = try await run(
            "certificate",
            "--pem",
            file,
            "--pkcs12",
            "\(folder.path)/server.p12",
            "--host",
            "staging.test"
        )
        #expect(written.status == 0, "\(written.errors)")
        _ = try SystemTLS.server(TLSIdentity(certificateFile: file, keyFile: file))
        let again = try await run("certificate", "--pem", file)
        #expect(again.status == 2)
        #expect(again.errors.contains("exists"))
    }

    @Test("serve --tls serves https and http, and its base URL is the client's own")
    func serves() async throws {
        let server = try SpawnedCommand.start(
            ["serve", "\(folder.path)/notes", "--tls", "--port", "0"],
            environment: environment
        )
        let url = await server.firstLine()
        try #require(url.hasPrefix("https://127.0.0.1:"))
        let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
        let store = try CertificateAuthority.Store.ofUser { environment[$0] }
        let context = try SystemTLS.client(.authorities(TLSIdentity.certificates(in: store.certificateFile)))
        let secure = try HTTPClient(host: "127.0.0.1", port: port, tls: context)
        let plain = try HTTPClient(host: "127.0.0.1", port: port)
        // The same bytes twice are a known head, which must not be shared by both protocols.
        for _ in 0..<3 {
            #expect(
                try secure.exchange(HTTPRequest(target: "/notes")).body.text == #"{"url":"https://127.0.0.1:\#(port)"}"#
            )
            #expect(
                try plain.exchange(HTTPRequest(target: "/notes")).body.text == #"{"url":"http://127.0.0.1:\#(port)"}"#
            )
        }
        let clock = try await SpawnedCommand.run(["clock", "--url", url], environment: environment)
        #expect(clock.status == 0, "\(clock.errors)")
        #expect(throws: HTTPClientFailure.self) {
            try HTTPClient(host: "127.0.0.1", port: port, tls: SystemTLS.client(.system))
        }
        server.interrupt()
        let end = await server.end()
        #expect(end.errors.contains("Authority for https: \(store.certificateFile)"))
        #expect(end.errors.contains("refused  TLS  the peer rejected the certificate (unknown_ca)"), "\(end.errors)")
    }

    @Test("run --tls names the authority's file in BACKLOT_CA, and says when a client rejected the certificate")
    func runs() async throws {
        let story = """
            {"id": "N-1", "title": "Notes", "extends": "backend.json",
             "expect": [{"request": "GET /notes", "count": 1}]}
            """
        try folder.write(story, to: "notes/n.json")
        let client =
            #"import os,ssl,urllib.request as u;u.urlopen(os.environ["BACKLOT_URL"]+"/notes","#
            + #"context=ssl.create_default_context(cafile=os.environ.get(%s)))"#
        func run(_ variable: String) async throws -> SpawnedProgram.End {
            let program = client.replacing("%s", with: "\"\(variable)\"")
            return try await SpawnedCommand.run(
                ["run", "\(folder.path)/notes/n.json", "--tls", "--", "python3", "-c", program],
                environment: environment
            )
        }
        guard await Python.imports("ssl") else { try Test.cancel("python3 with ssl is not installed") }
        let trusting = try await run("BACKLOT_CA")
        #expect(trusting.status == 0, "\(trusting.output)\(trusting.errors)")
        let other = try await run("NONE")
        #expect(other.status == 1)
        #expect(other.output.contains("the client rejected the certificate"), "\(other.output)")
        #expect(other.output.contains("BACKLOT_CA"))
    }

    @Test("without libssl the message names the packages", arguments: ["missing.so", "/etc/hostname"])
    func namesPackages(file: String) async throws {
        var environment = environment
        environment["BACKLOT_LIBSSL"] = file
        let end = try await SpawnedCommand.run(["serve", "\(folder.path)/notes", "--tls"], environment: environment)
        #expect(end.status == 2)
        #expect(end.errors.contains("BACKLOT_LIBSSL: the library \(file) cannot be loaded"), "\(end.errors)")
        #expect(try CertificateAuthority.Store.ofUser { environment[$0] }.read() == nil)
    }

    @Test("a story that requires the authority is refused with its place if the certificate is from a file")
    func refusesStory() async throws {
        let file = "\(folder.path)/server.pem"
        #expect(try await run("certificate", "--pem", file).status == 0)
        let story = """
            {"id": "N-1", "title": "Notes", "extends": "backend.json",
             "tls": {"expires": "14d"}, "expect": [{"request": "GET /notes", "count": 1}]}
            """
        try folder.write(story, to: "notes/n.json")
        let sentence = "notes/n.json:2:9: error: the server's certificate is from a file"
        let served = try await run("serve", "\(folder.path)/notes/n.json", "--tls-certificate", file, "--port", "0")
        #expect(served.status == 2)
        #expect(served.errors.contains(sentence), "\(served.errors)")
        #expect(served.errors.contains("use --tls instead of --tls-certificate"))
        let played = try await run("run", "\(folder.path)/notes/n.json", "--tls-certificate", file, "--", "true")
        #expect(played.status != 0)
        let output = played.output + played.errors
        #expect(
            output.contains("notes/n.json:2:9") && output.contains("use --tls instead of --tls-certificate"),
            "\(output)"
        )
    }

    @Test(
        "options that do not fit are refused",
        arguments: [
            (["--tls-key", "k.pem"], "--tls-key requires --tls-certificate FILE"),
            (["--tls-host", "a.test"], "--tls-host requires --tls"),
            (["--tls-certificate", "none.pem"], "none.pem cannot be read"),
        ] as [([String], String)]
    )
    func refusesOptions(options: [String], sentence: String) async throws {
        let end = try await SpawnedCommand.run(["serve", "\(folder.path)/notes"] + options, environment: environment)
        #expect(end.status == 2)
        #expect(end.errors.contains(sentence), "\(end.errors)")
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
