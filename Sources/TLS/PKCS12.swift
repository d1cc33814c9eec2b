import Basics
import Signatures

/// A file with a private key and certificates, protected by a password (RFC 7292).
///
/// The algorithms are those that every reader has, also Apple's and Java's older ones: triple DES, and SHA-1. They
/// protect nothing that must stay secret. Only the key is encrypted.
package enum PKCS12 {
    /// The number of hashes that derive a key from the password.
    private static let iterations = 2_048
    private static let blockSize = 64

    private static let rsaData = [1, 2, 840, 113549] as [UInt64]

    /// A password that protects nothing, because programs refuse files without one.
    package static let password = "backlot"

    /// - Parameter name: The name that programs show.
    /// - Throws: ``TLSProblem`` if the system's library cannot encrypt.
    package static func file(
        _ identity: TLSIdentity,
        name: String = "Backlot",
        password: String = password
    ) throws(TLSProblem) -> [UInt8] {
        let attributes = DER.set([
            attribute(20, .wideText(bytes(of: name))), attribute(21, .octets(SHA1.hash(identity.chain.first ?? []))),
        ])
        let salt = randomBytes(16)
        // pbeWithSHAAnd3-KeyTripleDES-CBC (RFC 7292, appendix C), padded as in PKCS #7.
        let algorithm = DER.sequence([
            .identifier(rsaData + [1, 12, 1, 3]), .sequence([.octets(salt), iterationCount]),
        ])
        let padding = 8 - identity.privateKey.count % 8
        let text = try SystemTLS.tripleDES(
            identity.privateKey + [UInt8](repeating: UInt8(padding), count: padding),
            key: derive(24, purpose: 1, password, salt),
            vector: derive(8, purpose: 2, password, salt)
        )
        let keyBag = bag(2, .sequence([algorithm, .octets(text)]), attributes)
        let certificateBags = identity.chain.enumerated().map { index, certificate in
            let value = DER.sequence([.identifier(rsaData + [1, 9, 22, 1]), .tagged(0, .octets(certificate))])
            return bag(3, value, index == 0 ? attributes : nil)
        }
        let contents = DER.sequence([data(DER.sequence([keyBag] + certificateBags).bytes)]).bytes
        let digest = authenticationCode(of: contents, key: derive(20, purpose: 3, password, salt))
        let code = DER.sequence([
            .sequence([.sequence([.identifier([1, 3, 14, 3, 2, 26]), .null]), .octets(digest)]), .octets(salt),
            iterationCount,
        ])
        return DER.sequence([.integer(3), data(contents), code]).bytes
    }

    private static var iterationCount: DER { .integer([UInt8(iterations >> 8), UInt8(iterations & 0xFF)]) }

    private static func attribute(_ number: UInt64, _ value: DER) -> DER {
        .sequence([.identifier(rsaData + [1, 9, number]), .set([value])])
    }

    private static func bag(_ kind: UInt64, _ value: DER, _ attributes: DER?) -> DER {
        .sequence([.identifier(rsaData + [1, 12, 10, 1, kind]), .tagged(0, value)] + (attributes.map { [$0] } ?? []))
    }

    private static func data(_ bytes: [UInt8]) -> DER {
        .sequence([.identifier(rsaData + [1, 7, 1]), .tagged(0, .octets(bytes))])
    }

    /// Text in big-endian UTF-16.
    private static func bytes(of text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }

    /// Derives bytes from a password (RFC 7292, appendix B.2).
    private static func derive(_ count: Int, purpose: UInt8, _ password: String, _ salt: [UInt8]) -> [UInt8] {
        func filled(_ bytes: [UInt8]) -> [UInt8] {
            let size = (bytes.count + blockSize - 1) / blockSize * blockSize
            return (0..<size).map { bytes[$0 % bytes.count] }
        }
        var input = filled(salt) + filled(bytes(of: password) + [0, 0])
        var result: [UInt8] = []
        while true {
            var hash = SHA1.hash([UInt8](repeating: purpose, count: blockSize) + input)
            for _ in 1..<iterations { hash = SHA1.hash(hash) }
            result += hash
            if result.count >= count { return Array(result.prefix(count)) }
            // Each block of the input, as a number, is increased by the hash and one.
            for start in stride(from: 0, to: input.count, by: blockSize) {
                var carry = 1
                for position in (0..<blockSize).reversed() {
                    carry += Int(input[start + position]) + Int(hash[position % hash.count])
                    input[start + position] = UInt8(carry & 0xFF)
                    carry >>= 8
                }
            }
        }
    }

    /// HMAC with SHA-1 (RFC 2104), for keys up to a block.
    private static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        let key = key + [UInt8](repeating: 0, count: blockSize - key.count)
        return SHA1.hash(key.map { $0 ^ 0x5C } + SHA1.hash(key.map { $0 ^ 0x36 } + message))
    }
}
