import Basics
import Signatures

/// A certificate, those of its authorities, and its private key.
package struct TLSIdentity: Sendable, Hashable {
    /// Certificates in DER, the server's own first.
    package var chain: [[UInt8]]
    /// The private key in PKCS #8 (RFC 5958); on Linux also in the older formats that libssl reads.
    package var privateKey: [UInt8]

    package init(chain: [[UInt8]], privateKey: [UInt8]) {
        self.chain = chain
        self.privateKey = privateKey
    }

    /// A file in PEM with the chain and the key.
    package var pem: String { chain.map { PEM.text($0) }.joined() + PEM.text(privateKey, label: "PRIVATE KEY") }

    /// The maximum size of a chain, in bytes: 100 kB, which is the most that clients with OpenSSL accept.
    private static let largestChain = 100_000
    /// The maximum size of a file, in bytes: 4 MB, which is many times the authorities of a system.
    private static let largestFile = 4_000_000

    /// Reads a certificate and a key, each from a file in PEM (RFC 7468); one file may contain both.
    package init(certificateFile: String, keyFile: String) throws(TLSProblem) {
        chain = try Self.certificates(in: certificateFile)
        let size = chain.reduce(0) { $0 + $1.count }
        guard size <= Self.largestChain else {
            throw TLSProblem(
                "\(certificateFile): the chain has \(size) bytes, but clients accept at most \(Self.largestChain); keep "
                    + "only the certificates of the server and of the intermediate authorities"
            )
        }
        let blocks = try Self.blocks(of: keyFile)
        guard !blocks.contains(where: \.isEncrypted) else {
            throw TLSProblem(
                "\(keyFile): the private key is encrypted; decrypt it with: openssl pkey -in \(keyFile) -out key.pem"
            )
        }
        guard let key = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            throw TLSProblem(
                "\(keyFile): the file does not contain a private key in PEM (-----BEGIN PRIVATE KEY-----)"
                    + (keyFile == certificateFile ? "; specify the file with the key" : "")
            )
        }
        #if canImport(Darwin)
            guard key.label == "PRIVATE KEY" else {
                throw TLSProblem(
                    "\(keyFile): the private key uses an old format; convert it to PKCS #8 with: openssl pkcs8 -topk8 "
                        + "-nocrypt -in \(keyFile) -out key.pem"
                )
            }
        #endif
        privateKey = key.bytes
    }

    /// The certificates of a file in PEM, such as those of authorities.
    package static func certificates(in file: String) throws(TLSProblem) -> [[UInt8]] {
        let certificates = try blocks(of: file).filter { $0.label == PEM.certificate }.map(\.bytes)
        guard !certificates.isEmpty else {
            throw TLSProblem("\(file): the file does not contain a certificate in PEM (-----BEGIN CERTIFICATE-----)")
        }
        return certificates
    }

    private static func blocks(of file: String) throws(TLSProblem) -> [PEM.Block] {
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try DiskFiles().read(file)
        } catch {
            throw TLSProblem("\(file) cannot be read: \(error.reason)")
        }
        guard bytes.count <= largestFile else {
            throw TLSProblem(
                "\(file) has \(bytes.count) bytes, but a certificate or key file can have at most \(largestFile)"
            )
        }
        do throws(PEM.Damage) {
            return try PEM.blocks(in: bytes)
        } catch {
            throw TLSProblem("\(file):\(error.line): \(error.sentence)")
        }
    }
}
