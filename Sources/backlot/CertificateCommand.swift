import Basics
import CommandLineInterface
import TLS

/// `backlot certificate`: shows, writes and removes the certificate authority of this machine.
enum CertificateCommand {
    private static let host = Option(
        repeated: "host",
        "NAME",
        .text("a host name or an address"),
        "An additional name for the server certificate in the written file"
    )
    private static let pem = Option(
        "pem",
        "FILE",
        .file(endings: ["pem"]),
        "Write a server certificate with its chain and key, in PEM"
    )
    private static let pkcs12 = Option(
        "pkcs12",
        "FILE",
        .file(endings: ["p12", "pfx"]),
        "Write a server certificate with its chain and key, in PKCS #12 with the password \(PKCS12.password)"
    )
    private static let remove = Option(flag: "remove", "Remove the authority from this machine")

    static let description = CommandDescription(
        "certificate",
        "Show the certificate authority for https, and how to trust it",
        discussion: """
            The authority signs the certificates of serve --tls and run --tls. Backlot creates the authority when it is \
            first needed, and each client must be configured once to trust it. Do not share the authority's key, because \
            anyone who has the key can impersonate every server to these clients.
            """,
        examples: [
            "backlot certificate": "Show the authority, and the commands that make clients trust it",
            "backlot certificate --pem server.pem --host staging.test": "Write a certificate for another server",
        ],
        options: [host, pem, pkcs12, remove],
        otherNames: ["cert", "certificates", "ca", "trust"]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let (pem, pkcs12) = (arguments[pem], arguments[pkcs12])
        guard arguments[host].isEmpty || pem != nil || pkcs12 != nil else {
            throw arguments.misuse("--host requires --pem or --pkcs12")
        }
        guard !arguments[remove] || pem == nil && pkcs12 == nil else {
            throw arguments.misuse("--remove excludes --pem and --pkcs12")
        }
        do throws(TLSProblem) {
            let store = try CertificateAuthority.Store.ofUser()
            if arguments[remove] {
                guard store.remove() else { return Terminal.refuse("there is no authority at \(store.keyFile)") }
                Terminal.output("Removed the authority. Also remove it from the devices and programs that trust it.\n")
                return .success
            }
            let authority = try store.authority()
            guard pem != nil || pkcs12 != nil else {
                return Terminal.output(text(of: authority, store)) ? .success : .misuse
            }
            let identity = authority.identity(named: CertificateAuthority.names(with: arguments[host]))
            if let pem { try write(Array(identity.pem.utf8), to: pem) }
            if let pkcs12 { try write(PKCS12.file(identity), to: pkcs12) }
            return .success
        } catch {
            return Terminal.refuse(error.description)
        }
    }

    private static func write(_ bytes: [UInt8], to file: String) throws(TLSProblem) {
        do throws(FileProblem) {
            if try DiskFiles().writePrivately(bytes, to: file) { return }
        } catch {
            throw TLSProblem("\(file) cannot be written: \(error.reason)")
        }
        throw TLSProblem("\(file) already exists; remove the file, or write to another file")
    }

    private static func text(of authority: CertificateAuthority, _ store: CertificateAuthority.Store) -> String {
        let file = store.certificateFile.contains(" ") ? "'\(store.certificateFile)'" : store.certificateFile
        let end = RFC3339.format(secondsSince1970: authority.validity.upperBound)
        return """
            \(authority.name)
              Certificate  \(store.certificateFile)
              Key          \(store.keyFile)
              Valid until  \(end.prefix(10))
              SHA-256      \(authority.fingerprint)

            To make a client trust the authority:
              simulator    xcrun simctl keychain booted add-root-cert \(file)
              iPhone, iPad send the certificate to the device and install the profile in Settings, then turn on
                           trust for it under General > About > Certificate Trust Settings
              macOS        security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db \(file)
              Debian       sudo cp \(file) /usr/local/share/ca-certificates/backlot.crt && sudo update-ca-certificates
              Fedora, Arch sudo trust anchor --store \(file)
              Java         keytool -importcert -noprompt -cacerts -storepass changeit -alias backlot -file \(file)
              Node         export NODE_EXTRA_CA_CERTS=\(file)
              Python, Go   export SSL_CERT_FILE=\(file)   (instead of the system's authorities)
              requests     export REQUESTS_CA_BUNDLE=\(file)   (instead of the usual authorities)
              curl         curl --cacert \(file)

            """
    }
}
