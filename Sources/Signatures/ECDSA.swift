/// A public key of P-256 for ECDSA with SHA-256, the algorithm ES256 (RFC 7518, section 3.4).
package struct P256PublicKey: Sendable, Hashable {
    /// The coordinates, 32 bytes each.
    package let x: [UInt8]
    package let y: [UInt8]
    private let point: P256Point

    /// Takes the coordinates of a point of the curve.
    ///
    /// - Returns: Nil unless both have 32 bytes, are below the field's prime, and give a point of the curve.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == P256PrivateKey.size, y.count == P256PrivateKey.size,
            let xNumber = Natural(bytes: x, width: 4), let yNumber = Natural(bytes: y, width: 4),
            let point = P256Point(x: xNumber, y: yNumber)
        else { return nil }
        self.x = x
        self.y = y
        self.point = point
    }

    /// Returns whether the signature, `r` and `s` of 32 bytes each, was made of this message by the private key.
    ///
    /// Source: FIPS 186-5, section 6.4.2.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let order = P256Point.order
        guard signature.count == 2 * P256PrivateKey.size,
            let r = Natural(bytes: signature.prefix(P256PrivateKey.size), width: 4),
            let s = Natural(bytes: signature.suffix(P256PrivateKey.size), width: 4),
            !r.isZero, !s.isZero, r < order.value, s < order.value,
            let digest = Natural(bytes: SHA256.hash(message), width: 4)
        else { return false }
        let inverse = order.inverse(order.enter(s))
        let sum = P256Point.sum([
            (order.multiply(order.reduce(digest), inverse), .base), (order.multiply(r, inverse), point),
        ])
        guard let x = sum.affine?.x else { return false }
        return order.reduce(x) == r
    }

    package static func == (left: P256PublicKey, right: P256PublicKey) -> Bool {
        left.x == right.x && left.y == right.y
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(x)
        hasher.combine(y)
    }
}

/// A private key of P-256, whose signatures depend on key and message alone (RFC 6979).
package struct P256PrivateKey: Sendable, Hashable {
    /// The bytes of a private key, and of each coordinate of a point.
    static let size = 32

    package let publicKey: P256PublicKey
    private let scalar: Natural

    /// Takes the private number of 32 big-endian bytes.
    ///
    /// - Returns: Nil unless it is greater than zero and below the order of the curve.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, let scalar = Natural(bytes: bytes, width: 4), !scalar.isZero,
            scalar < P256Point.order.value,
            let point = P256Point.sum([(scalar, .base)]).affine,
            let publicKey = P256PublicKey(x: point.x.bytes(count: Self.size), y: point.y.bytes(count: Self.size))
        else { return nil }
        self.scalar = scalar
        self.publicKey = publicKey
    }

    /// A key that the seed decides: for tests, where the same seed is to give the same tokens.
    ///
    /// The key is no more secret than the seed is.
    package init(testSeed seed: [UInt8]) {
        var bytes = SHA256.hash(seed)
        while true {
            if let key = P256PrivateKey(bytes) {
                self = key
                return
            }
            // One hash in 2^32 is not a private key.
            bytes = SHA256.hash(bytes)
        }
    }

    /// The private number, 32 big-endian bytes.
    package var bytes: [UInt8] { scalar.bytes(count: Self.size) }

    /// Signs a message: `r` and `s`, 32 bytes each, as RFC 7518, section 3.4, has them.
    ///
    /// Source: FIPS 186-5, section 6.4.1.
    package func signature(of message: [UInt8]) -> [UInt8] {
        let order = P256Point.order
        let hash = SHA256.hash(message)
        let digest = order.reduce(Natural(bytes: hash, width: 4) ?? Natural(0, width: 4))
        var nonces = DeterministicNonces(key: bytes, digest: digest.bytes(count: Self.size))
        while true {
            let nonce = nonces.next()
            guard let x = P256Point.sum([(nonce, .base)]).affine?.x else { continue }
            let r = order.reduce(x)
            let sum = order.add(digest, order.multiply(order.enter(r), scalar))
            let s = order.multiply(order.inverse(order.enter(nonce)), sum)
            if !r.isZero, !s.isZero { return r.bytes(count: Self.size) + s.bytes(count: Self.size) }
        }
    }
}

/// The numbers `k` of signatures (RFC 6979, section 3.2, with HMAC-SHA-256 and a curve of 256 bits).
private struct DeterministicNonces {
    private var key = [UInt8](repeating: 0, count: 32)
    private var value = [UInt8](repeating: 1, count: 32)

    /// - Parameter digest: The message's hash modulo the order of the curve.
    init(key privateKey: [UInt8], digest: [UInt8]) {
        for marker: UInt8 in [0, 1] { update([marker] + privateKey + digest) }
    }

    private mutating func update(_ input: [UInt8]) {
        key = SHA256.authenticationCode(of: value + input, key: key)
        value = SHA256.authenticationCode(of: value, key: key)
    }

    /// The next candidate that is greater than zero and below the order.
    mutating func next() -> Natural {
        while true {
            value = SHA256.authenticationCode(of: value, key: key)
            defer { update([0]) }
            if let nonce = Natural(bytes: value, width: 4), !nonce.isZero, nonce < P256Point.order.value {
                return nonce
            }
        }
    }
}
