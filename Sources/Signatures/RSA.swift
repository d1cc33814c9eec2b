/// A public key for RSASSA-PKCS1-v1_5 with SHA-256, the algorithm RS256 (RFC 7518, section 3.3).
package struct RSAPublicKey: Sendable, Hashable {
    /// The minimum of RFC 7518, section 3.3, and the supported maximum, in bits.
    package static let modulusBits = 2048...8192

    fileprivate let modulus: Modulus
    private let publicExponent: Natural

    /// Takes big-endian bytes.
    ///
    /// - Returns: Nil unless the modulus is odd and has 2048 to 8192 bits, and the exponent is odd, greater than one
    ///   and has 64 bits at most.
    package init?(modulus: [UInt8], exponent: [UInt8]) {
        guard modulus.count <= Self.modulusBits.upperBound / 8 + 1, let number = Natural(bytes: modulus),
            number.isOdd, Self.modulusBits.contains(number.bitWidth),
            let publicExponent = Natural(bytes: exponent, width: 1), publicExponent.isOdd, publicExponent.bitWidth > 1
        else { return nil }
        self.modulus = Modulus(number)
        self.publicExponent = publicExponent
    }

    /// The modulus and the exponent as RFC 7518, section 6.3.1, writes them: big-endian, without leading zeros.
    package var modulusBytes: [UInt8] { modulus.value.shortestBytes }
    package var exponentBytes: [UInt8] { publicExponent.shortestBytes }

    /// The length of the modulus and of every signature, in bytes.
    package var size: Int { (modulus.value.bitWidth + 7) / 8 }

    /// Returns whether the signature was made of this message by the private key.
    ///
    /// The encoded message is made and compared as a whole, so that no parser can be misled (RFC 8017, section 8.2.2).
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == size, let number = Natural(bytes: signature, width: modulus.width),
            number < modulus.value
        else { return false }
        return power(number).bytes(count: size) == Self.encoded(message, size: size)
    }

    /// RSAVP1 (RFC 8017, section 5.2.2).
    fileprivate func power(_ number: Natural) -> Natural {
        modulus.leave(modulus.power(modulus.enter(number), publicExponent))
    }

    /// EMSA-PKCS1-v1_5 (RFC 8017, section 9.2).
    fileprivate static func encoded(_ message: [UInt8], size: Int) -> [UInt8] {
        let suffix = [0] + sha256Prefix + SHA256.hash(message)
        return [0, 1] + [UInt8](repeating: 0xFF, count: size - 2 - suffix.count) + suffix
    }

    /// The DER of a DigestInfo for SHA-256, up to the hash (RFC 8017, section 9.2, note 1).
    private static let sha256Prefix: [UInt8] = [
        0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
        0x20,
    ]
}

/// A private key for RS256, with the parts that the Chinese remainder theorem needs.
package struct RSAPrivateKey: Sendable, Hashable {
    /// The parts of a private key in big-endian bytes (RFC 7518, section 6.3.2; RFC 8017, section 3.2).
    package struct Factors: Sendable, Hashable {
        /// The primes `p` and `q`.
        package var first: [UInt8]
        package var second: [UInt8]
        /// `d` modulo `p - 1` and modulo `q - 1`.
        package var firstExponent: [UInt8]
        package var secondExponent: [UInt8]
        /// The inverse of `q` modulo `p`.
        package var coefficient: [UInt8]
    }

    package let publicKey: RSAPublicKey
    package let factors: Factors
    private let first: Modulus
    private let second: Modulus
    private let firstExponent: Natural
    private let secondExponent: Natural
    /// The inverse of the second prime modulo the first, in Montgomery form.
    private let coefficient: Natural

    /// - Returns: Nil when the parts do not belong together: a signature with them would not be valid.
    package init?(publicKey: RSAPublicKey, factors: Factors) {
        guard let first = Natural(bytes: factors.first), let second = Natural(bytes: factors.second),
            first.isOdd, second.isOdd, first.bitWidth > 1, second.bitWidth > 1,
            first.width + second.width <= publicKey.modulus.width + 1,
            let firstExponent = Natural(bytes: factors.firstExponent, width: first.width),
            let secondExponent = Natural(bytes: factors.secondExponent, width: second.width),
            let coefficient = Natural(bytes: factors.coefficient, width: first.width)
        else { return nil }
        let product = first.multiplied(by: second)
        guard !(product < publicKey.modulus.value), !(publicKey.modulus.value < product) else { return nil }
        self.publicKey = publicKey
        self.factors = factors
        self.first = Modulus(first)
        self.second = Modulus(second)
        self.firstExponent = firstExponent
        self.secondExponent = secondExponent
        self.coefficient = self.first.enter(coefficient)
        let trial = Natural(2, width: publicKey.modulus.width)
        guard publicKey.power(power(trial)) == trial else { return nil }
    }

    /// Signs a message: as many bytes as the modulus has.
    package func signature(of message: [UInt8]) -> [UInt8] {
        let size = publicKey.size
        let encoded = Natural(bytes: RSAPublicKey.encoded(message, size: size), width: publicKey.modulus.width)
        return power(encoded ?? Natural(0, width: publicKey.modulus.width)).bytes(count: size)
    }

    /// RSASP1 with the Chinese remainder theorem (RFC 8017, section 5.1.2, step 2b).
    private func power(_ number: Natural) -> Natural {
        let one = first.leave(first.power(first.enter(first.reduce(number)), firstExponent))
        let other = second.leave(second.power(second.enter(second.reduce(number)), secondExponent))
        let difference = first.multiply(first.subtract(one, first.reduce(other)), coefficient)
        var result = difference.multiplied(by: second.value)
        _ = result.add(other.resized(to: result.width))
        return result.resized(to: publicKey.modulus.width)
    }
}
