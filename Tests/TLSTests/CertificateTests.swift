import Basics
import EventLoops
import Foundation
import HTTPCodec
import Signatures
import TLS
import TestSupport
import Testing

@Suite("Certificates")
struct CertificateTests {
    /// 2026-11-26, 00:00.
    private static let now: Int64 = 1_795_651_200

    @Test("an authority of a user is created once, for its user alone")
    func createsOnce() throws {
        let folder = try TemporaryFolder()
        let store = CertificateAuthority.Store(folder: "\(folder.path)/data")
        #expect(try store.read() == nil)
        let first = try store.authority(now: Self.now)
        let second = try store.authority(now: Self.now + 86_400)
        #expect(first.certificate == second.certificate)
        #expect(try TLSIdentity.certificates(in: store.certificateFile) == [first.certificate])
        #expect(try permissions(of: store.keyFile) == "600")
        #expect(try permissions(of: store.certificateFile) != "600")
        #expect(store.remove())
        #expect(!store.remove())
        #expect(try store.authority(now: Self.now).certificate != first.certificate)
    }

    private func permissions(of file: String) throws -> String {
        let value = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        return String(try #require(value), radix: 8)
    }

    @Test("an authority that has expired is refused with the remedy")
    func refusesExpiredAuthority() throws {
        let folder = try TemporaryFolder()
        let store = CertificateAuthority.Store(folder: folder.path)
        _ = try store.authority(now: Self.now)
        let error = #expect(throws: TLSProblem.self) { try store.authority(now: Self.now + 11 * 365 * 86_400) }
        #expect(error?.description.contains("backlot certificate --remove") == true)
    }

    @Test("a file with the key of another authority, or with no key of this kind, is called damaged")
    func refusesDamagedAuthority() throws {
        let folder = try TemporaryFolder()
        let store = CertificateAuthority.Store(folder: folder.path)
        let authority = try store.authority(now: Self.now)
        let own = try TLSIdentity(certificateFile: store.keyFile, keyFile: store.keyFile)
        for key in [P256PrivateKey.random().pkcs8, Array(own.privateKey.dropLast()), [0x30, 0]] {
            try folder.write(TLSIdentity(chain: own.chain, privateKey: key).pem, to: "authority-key.pem")
            let error = #expect(throws: TLSProblem.self) { try store.read() }
            #expect(error?.description.hasSuffix("remove the authority with: backlot certificate --remove") == true)
        }
        try folder.write(own.pem, to: "authority-key.pem")
        #expect(try store.read()?.certificate == authority.certificate)
    }

    @Test("the folder is that of the XDG specification, or below the home folder")
    func findsFolder() throws {
        #expect(throws: TLSProblem.self) { try CertificateAuthority.Store.ofUser { _ in nil } }
        #if !canImport(Darwin)
            let relative = try CertificateAuthority.Store.ofUser { ["XDG_DATA_HOME": "data", "HOME": "/h"][$0] }
            #expect(relative.keyFile == "/h/.local/share/backlot/authority-key.pem")
            let named = try CertificateAuthority.Store.ofUser { ["XDG_DATA_HOME": "/data", "HOME": "/h"][$0] }
            #expect(named.certificateFile == "/data/backlot/authority.pem")
        #endif
    }

    @Test("a server's certificate is valid for 397 days")
    func lastsLessThanAppleAllows() throws {
        let identity = CertificateAuthority(now: Self.now)
            .identity(valid: CertificateAuthority.validity(at: Self.now))
        let validity = try #require(Certificate.validity(of: identity.chain[0]))
        #expect(validity.upperBound - validity.lowerBound + 1 == 397 * 86_400)
        #expect(validity.contains(Self.now))
    }

    @Test(
        "moments have two digits of the year until 2049, and four later",
        arguments: [
            (-631_152_000, "500101000000Z"), (2_524_607_999, "491231235959Z"), (2_524_608_000, "20500101000000Z"),
        ] as [(Int64, String)]
    )
    func writesMoments(seconds: Int64, text: String) throws {
        let key = P256PrivateKey(testSeed: [1])
        let certificate = Certificate(
            of: key.publicKey,
            subject: "a",
            valid: seconds...seconds,
            issuer: ("a", key)
        )
        #expect(String(decoding: certificate.bytes, as: UTF8.self).contains(text))
        #expect(Certificate.validity(of: certificate.bytes) == seconds...seconds)
    }

    @Test("OpenSSL verifies a certificate for each of its names, and reads the files of both formats")
    func openSSLAgrees() async throws {
        let program = "/usr/bin/openssl"
        guard DiskFiles().resolve(program) != nil else {
            try Test.cancel("the program openssl is not installed")
        }
        let folder = try TemporaryFolder()
        let authority = CertificateAuthority(now: WallClock.secondsSince1970())
        let identity = authority.identity(named: CertificateAuthority.names(with: ["staging.test", "10.1.2.3"]))
        try folder.write(authority.pem, to: "ca.pem")
        try folder.write(PEM.text(identity.chain[0]), to: "server.pem")
        try folder.write(PEM.text(identity.privateKey, label: "PRIVATE KEY"), to: "key.pem")
        let file = try PKCS12.file(identity, name: "Bäcklot", password: "backlöt")
        try DiskFiles().write(file, to: "\(folder.path)/server.p12")
        func openssl(_ arguments: String...) async throws -> SpawnedProgram.End {
            try await SpawnedProgram(program, arguments, input: "", in: folder.path).end()
        }
        let verify = ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "ca.pem"]
        for name in [
            ["-verify_hostname", "localhost"], ["-verify_hostname", "staging.test"], ["-verify_ip", "127.0.0.1"],
            ["-verify_ip", "::1"], ["-verify_ip", "10.1.2.3"],
        ] {
            let end = try await SpawnedProgram(program, verify + name + ["server.pem"], input: "", in: folder.path)
                .end()
            #expect(end.status == 0, "\(name): \(end.output)\(end.errors)")
        }
        let wrong = try await SpawnedProgram(
            program,
            verify + ["-verify_hostname", "example.com", "server.pem"],
            input: "",
            in: folder.path
        ).end()
        #expect(wrong.status != 0)
        let key = try await openssl("pkey", "-in", "key.pem", "-noout", "-check")
        #expect(key.status == 0, "\(key.errors)")
        let read = try await openssl("pkcs12", "-in", "server.p12", "-passin", "pass:backlöt", "-nodes")
        #expect(read.status == 0, "\(read.errors)")
        let blocks = try PEM.blocks(in: Array(read.output.utf8))
        #expect(Set(blocks.map(\.bytes)) == Set(identity.chain + [identity.privateKey]))
        let refused = try await openssl("pkcs12", "-in", "server.p12", "-passin", "pass:wrong", "-nodes")
        #expect(refused.status != 0)
    }

    // MARK: Files

    @Test(
        "a file that cannot serve says why",
        arguments: [
            ("", "x.pem: the file does not contain a certificate in PEM"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n", "x.pem:1: the CERTIFICATE block has no end line"),
            (
                "text\n-----BEGIN CERTIFICATE-----\n%\n-----END CERTIFICATE-----",
                "x.pem:2: the CERTIFICATE block is not"
            ),
            (
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END PRIVATE KEY-----",
                "x.pem:3: the CERTIFICATE block ends with the label"
            ),
            (
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
                "x.pem: the file does not contain a private key in PEM (-----BEGIN PRIVATE KEY-----); specify the file"
            ),
            (
                "\u{FEFF}-----BEGIN CERTIFICATE-----\r\nAAAA\r\n-----END CERTIFICATE-----\r\n",
                "x.pem: the file does not contain a private key"
            ),
            // Not on separate lines.
            (
                "-----BEGIN CERTIFICATE-----AAAA-----END CERTIFICATE-----",
                "x.pem: the file does not contain a certificate"
            ),
            (
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
                    + "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----",
                "x.pem: the private key is encrypted; decrypt it with: openssl pkey"
            ),
            (
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n-----BEGIN RSA PRIVATE KEY-----\n"
                    + "Proc-Type: 4,ENCRYPTED\nDEK-Info: DES\n\nAAAA\n-----END RSA PRIVATE KEY-----",
                "x.pem: the private key is encrypted"
            ),
        ]
    )
    func refusesFiles(text: String, start: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "x.pem")
        let path = "\(folder.path)/x.pem"
        let error = #expect(throws: TLSProblem.self) { try TLSIdentity(certificateFile: path, keyFile: path) }
        #expect(error?.description.hasPrefix("\(folder.path)/\(start)") == true, "\(String(describing: error))")
    }

    @Test(
        "a chain of more than 100 kB is refused, because clients refuse it, and a huge file is not parsed",
        arguments: [
            (100_032, "the chain has 100032 bytes"),
            (10_000_000, "but a certificate or key file can have at most 4000000"),
        ]
    )
    func refusesHugeChain(count: Int, sentence: String) throws {
        let folder = try TemporaryFolder()
        let line = String(repeating: "A", count: 64) + "\n"
        let text = String(repeating: line, count: (count * 4 / 3 + 63) / 64)
        try folder.write("-----BEGIN CERTIFICATE-----\n\(text)-----END CERTIFICATE-----\n", to: "x.pem")
        let path = "\(folder.path)/x.pem"
        let error = #expect(throws: TLSProblem.self) { try TLSIdentity(certificateFile: path, keyFile: path) }
        #expect(error?.description.contains(sentence) == true)
    }
}
