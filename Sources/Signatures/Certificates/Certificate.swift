/// A certificate of a key of P-256, signed with ECDSA and SHA-256 (RFC 5280, RFC 5480, RFC 5758).
package struct Certificate: Sendable, Hashable {
    /// The certificate in DER.
    package let bytes: [UInt8]

    /// The usual lifetime of a server's certificate in seconds: 397 days, which is less than the 398 that Apple allows.
    package static let longestLifetime: Int64 = 397 * 86_400

    /// - Parameters:
    ///   - subject: The common name.
    ///   - names: The hosts and addresses of a server; `nil` for an authority that signs the certificates of servers only.
    ///   - issuer: The common name and the private key of the authority; the subject's own for a root.
    package init(
        of key: P256PublicKey,
        subject: String,
        names: [DER]? = nil,
        valid validity: ClosedRange<Int64>,
        issuer: (name: String, key: P256PrivateKey)
    ) {
        let content = DER.sequence([
            // Version 3.
            .tagged(0, .integer(2)),
            // A positive number of 128 bits, unlike that of any other certificate.
            .integer([randomBytes(1)[0] & 0x7F | 1] + randomBytes(15)),
            Self.signatureAlgorithm,
            Self.name(issuer.name),
            .sequence([.time(secondsSince1970: validity.lowerBound), .time(secondsSince1970: validity.upperBound)]),
            Self.name(subject),
            key.subjectPublicKeyInfo,
            .tagged(3, .sequence(Self.extensions(of: key, names, issuer: issuer.key.publicKey))),
        ])
        let signature = issuer.key.signature(of: content.bytes)
        let numbers = DER.sequence([.integer(Array(signature.prefix(32))), .integer(Array(signature.suffix(32)))])
        bytes = DER.sequence([content, Self.signatureAlgorithm, .bits(numbers.bytes)]).bytes
    }

    private static let signatureAlgorithm = DER.sequence([.identifier([1, 2, 840, 10045, 4, 3, 2])])

    private static func name(_ text: String) -> DER {
        .sequence([.set([.sequence([.identifier([2, 5, 4, 3]), .text(text)])])])
    }

    private static func extensions(of key: P256PublicKey, _ names: [DER]?, issuer: P256PublicKey) -> [DER] {
        let identifier = certificateExtension(14, .octets(key.identifier))
        guard let names else {
            return [
                // An authority that signs no other authorities.
                certificateExtension(19, isCritical: true, .sequence([.boolean(true), .integer(0)])),
                // To sign certificates and lists of revoked ones.
                certificateExtension(15, isCritical: true, .bits([0b0000_0110], unused: 1)),
                identifier,
            ]
        }
        return [
            certificateExtension(19, isCritical: true, .sequence([])),
            // To sign handshakes.
            certificateExtension(15, isCritical: true, .bits([0b1000_0000], unused: 7)),
            // The authentication of servers.
            certificateExtension(37, .sequence([.identifier([1, 3, 6, 1, 5, 5, 7, 3, 1])])),
            certificateExtension(17, .sequence(names)),
            identifier,
            certificateExtension(35, .sequence([.tagged(0, bytes: issuer.identifier)])),
        ]
    }

    /// An extension of certificates (RFC 5280, section 4.2).
    private static func certificateExtension(_ number: UInt64, isCritical: Bool = false, _ value: DER) -> DER {
        .sequence([.identifier([2, 5, 29, number])] + (isCritical ? [.boolean(true)] : []) + [.octets(value.bytes)])
    }

    /// Reads the validity of a certificate, in seconds since 1970; `nil` if it is damaged.
    package static func validity(of certificate: [UInt8]) -> ClosedRange<Int64>? {
        guard let outer = DER.elements(of: certificate[...])?.first, let parts = DER.elements(of: outer.content)?.first,
            let fields = DER.elements(of: parts.content), fields.count > 4, fields[0].tag == 0xA0,
            let moments = DER.elements(of: fields[4].content)?.map(DER.secondsSince1970), moments.count == 2,
            let first = moments[0], let last = moments[1], first <= last
        else { return nil }
        return first...last
    }
}

extension DER {
    /// A name that a server's certificate is for (RFC 5280, section 4.2.1.6).
    package static func host(_ name: String) -> DER { .tagged(2, bytes: Array(name.utf8)) }

    /// An address that a server's certificate is for, of four or sixteen bytes.
    package static func address(_ bytes: [UInt8]) -> DER { .tagged(7, bytes: bytes) }
}

extension P256PublicKey {
    /// RFC 5480, section 2.
    fileprivate var subjectPublicKeyInfo: DER {
        .sequence([.sequence(P256PrivateKey.algorithm), .bits([4] + x + y)])
    }

    /// A hash that distinguishes the key (RFC 7093, section 2, method 1).
    package var identifier: [UInt8] { Array(SHA256.hash([4] + x + y).prefix(20)) }
}

extension P256PrivateKey {
    /// A key of random bytes of the system.
    package static func random() -> P256PrivateKey {
        while true {
            if let key = P256PrivateKey(randomBytes(size)) { return key }
        }
    }

    /// Reads a key that ``pkcs8`` has written; nil for others.
    package init?(pkcs8 bytes: [UInt8]) {
        // Its number follows a header of fixed size.
        guard bytes.count > 68, let key = P256PrivateKey(Array(bytes[36..<68])), key.pkcs8 == bytes else { return nil }
        self = key
    }

    /// The key in PKCS #8 (RFC 5958), which contains that of RFC 5915.
    package var pkcs8: [UInt8] {
        let key = DER.sequence([.integer(1), .octets(bytes), .tagged(1, .bits([4] + publicKey.x + publicKey.y))])
        return DER.sequence([.integer(0), .sequence(Self.algorithm), .octets(key.bytes)]).bytes
    }

    /// A public key of an elliptic curve, and the curve P-256.
    fileprivate static let algorithm = [
        DER.identifier([1, 2, 840, 10045, 2, 1]), DER.identifier([1, 2, 840, 10045, 3, 1, 7]),
    ]
}

/// Random bytes of the system.
package func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
