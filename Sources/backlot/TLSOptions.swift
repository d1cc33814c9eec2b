import Basics
import Checking
import CommandLineInterface
import StubServing
import TLS

/// The options of commands that serve over TLS.
enum TLSOptions {
    private static let tls = Option(
        flag: "tls",
        "Also serve https on the same port, with a certificate signed by this machine's authority"
    )
    private static let name = Option(
        repeated: "tls-host",
        "NAME",
        .text("a host name or an address"),
        "An additional name for the certificate; localhost, *.local and the loopback addresses are included"
    )
    private static let certificate = Option(
        "tls-certificate",
        "FILE",
        .file(endings: ["pem", "crt", "cer"]),
        "Serve https with this certificate and its chain, in PEM"
    )
    private static let key = Option(
        "tls-key",
        "FILE",
        .file(endings: ["pem", "key"]),
        "The certificate's private key, in PEM; by default, in the certificate file"
    )

    static let all: [any OptionDeclaring] = [tls, name, certificate, key]

    /// Prepares a configuration for TLS, if the options ask for it.
    ///
    /// - Parameter hosts: further names and addresses that clients use.
    static func apply(
        _ arguments: ParsedArguments,
        hosts: [String] = [],
        to configuration: inout StubServer.Configuration
    ) throws(UsageError) {
        let (certificate, key, names) = (arguments[certificate], arguments[key], arguments[name])
        guard key == nil || certificate != nil else {
            throw arguments.misuse("--tls-key requires --tls-certificate FILE")
        }
        guard certificate != nil || arguments[tls] else {
            if names.isEmpty { return }
            throw arguments.misuse("--tls-host requires --tls")
        }
        guard certificate == nil || names.isEmpty else {
            throw arguments.misuse("--tls-certificate and --tls-host cannot be combined; keep one")
        }
        do throws(TLSProblem) {
            let certificates =
                if let certificate {
                    try Self.certificates(of: certificate, key ?? certificate)
                } else {
                    try ServerCertificates(hosts: names + hosts)
                }
            configuration.certificates = { certificates }
            configuration.prefersTLS = true
            configuration.tlsOptions =
                certificate.map { ["--tls-certificate", $0] + (key.map { ["--tls-key", $0] } ?? []) }
                ?? ["--tls"] + names.flatMap { ["--tls-host", $0] }
        } catch {
            throw arguments.misuse(error.description)
        }
    }

    private static func certificates(of file: String, _ keyFile: String) throws(TLSProblem) -> ServerCertificates {
        let identity = try TLSIdentity(certificateFile: file, keyFile: keyFile)
        do throws(TLSProblem) {
            return try ServerCertificates(identity)
        } catch {
            throw TLSProblem("\(file): \(error)")
        }
    }
}

/// The options of commands that read from https servers.
enum TrustOptions {
    private static let authority = Option(
        repeated: "ca",
        "FILE",
        .file(endings: ["pem", "crt", "cer"]),
        "Also trust the authorities whose certificates are in this file, in PEM"
    )
    private static let insecure = Option(
        repeated: "insecure",
        "HOST",
        .text("a host name or an address"),
        "Accept any certificate from this host"
    )

    static let all: [any OptionDeclaring] = [authority, insecure]

    static func read(_ arguments: ParsedArguments) throws(UsageError) -> ServerTrust {
        var trust = ServerTrust()
        trust.insecureHosts = arguments[insecure]
        trust.environment = Terminal.environment
        do throws(TLSProblem) {
            for file in arguments[authority] { trust.authorities += try TLSIdentity.certificates(in: file) }
        } catch {
            throw arguments.misuse(error.description)
        }
        return trust
    }
}
