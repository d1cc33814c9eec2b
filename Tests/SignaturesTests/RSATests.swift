import TestSupport
import Testing

@testable import Signatures

/// RS256: signatures by the Chinese remainder theorem, and what must be refused.
struct RSATests {
    private let key: RSAPrivateKey

    init() throws {
        guard case .rsa(let key)? = try SignaturesTests.key(RFC7515.rsa).signingKey else {
            throw TestFailure(description: "the key of RFC 7515, appendix A.2, was not read as a private key")
        }
        self.key = key
    }

    private let message = Array("message".utf8)

    @Test func `a signature of one key is refused by every other key`() throws {
        let signature = key.signature(of: message)
        #expect(signature.count == 256)
        #expect(key.publicKey.verifies(signature, of: message))
        #expect(TestKeys.rsa.count == 3)
        for other in TestKeys.rsa {
            #expect(!other.verificationKey.verifies(signature, of: message))
            let own = try #require(other.signingKey).signature(of: message)
            #expect(other.verificationKey.verifies(own, of: message))
            #expect(!key.publicKey.verifies(own, of: message))
        }
        #expect(Set(TestKeys.rsa.map(\.thumbprint)).count == 3)
    }

    @Test func `signatures of another length, beyond the modulus or with a changed bit are refused`() throws {
        let signature = key.signature(of: message)
        let modulus = key.publicKey.modulusBytes
        var larger = try #require(Natural(bytes: signature, width: 33))
        _ = larger.add(try #require(Natural(bytes: modulus, width: 33)))
        let refused: [[UInt8]] = [
            [], Array(signature.dropLast()), [0] + signature, signature + [0], modulus,
            [UInt8](repeating: 0, count: 256), [UInt8](repeating: 0, count: 255) + [1],
            [UInt8](repeating: 0xFF, count: 256),
            // The same residue, not in the one way that is allowed.
            larger.bytes(count: 257),
        ]
        for other in refused { #expect(!key.publicKey.verifies(other, of: message), "\(hex(other))") }
        for index in stride(from: 0, to: 256, by: 5) {
            var changed = signature
            changed[index] ^= 0x04
            #expect(!key.publicKey.verifies(changed, of: message), "byte \(index)")
        }
    }

    /// With the exponent 3, a forger who finds a verifier that reads the padding loosely needs no private key.
    @Test func `a padding that is too short is refused, also with the exponent 3`() throws {
        let modulus = [UInt8](repeating: 0xFF, count: 256)
        let weak = try #require(RSAPublicKey(modulus: modulus, exponent: [3]))
        // The cube root of 00 01 FF … 00, the hash's DER, the hash, and bytes of any kind.
        let root = bytes(
            hex: """
                32cbfd4a7adc7905583d767520f51640759176d37826f2ef63ae3dc7abc85c0f649ef12a4da311b27a5c7a0f45\
                e59606bae739ff92b89580f1f100130e711a5dad9cfa31f7c750e2283088bd146b7a1cf424f6c519
                """
        )
        #expect(root.count == 85)
        let forged = [UInt8](repeating: 0, count: 256 - root.count) + root
        #expect(!weak.verifies(forged, of: message))
    }

    @Test func `keys that are too short, even, or have an unusable exponent are refused`() {
        let modulus = key.publicKey.modulusBytes
        let exponent: [UInt8] = [1, 0, 1]
        #expect(RSAPublicKey(modulus: modulus, exponent: exponent) != nil)
        #expect(RSAPublicKey(modulus: [0] + modulus, exponent: [0] + exponent) == key.publicKey)
        #expect(RSAPublicKey(modulus: Array(modulus.prefix(128)), exponent: exponent) == nil)
        #expect(RSAPublicKey(modulus: [0x7F] + modulus.dropFirst(), exponent: exponent) == nil)
        #expect(RSAPublicKey(modulus: modulus.dropLast() + [0], exponent: exponent) == nil)
        #expect(RSAPublicKey(modulus: [], exponent: exponent) == nil)
        #expect(RSAPublicKey(modulus: [UInt8](repeating: 0xFF, count: 1025), exponent: exponent) == nil)
        for exponent: [UInt8] in [[], [0], [1], [2], [1, 0, 0], [UInt8](repeating: 0xFF, count: 9)] {
            #expect(RSAPublicKey(modulus: modulus, exponent: exponent) == nil, "\(exponent)")
        }
    }

    @Test func `a private key whose parts do not belong together is refused`() {
        let factors = key.factors
        #expect(RSAPrivateKey(publicKey: key.publicKey, factors: factors) != nil)
        let changes: [WritableKeyPath<RSAPrivateKey.Factors, [UInt8]>] = [
            \.first, \.second, \.firstExponent, \.secondExponent, \.coefficient,
        ]
        for change in changes {
            let original = factors[keyPath: change]
            let replacements: [[UInt8]] = [[], [1], original.dropLast() + [0x55], original + [1]]
            for bytes in replacements {
                var changed = factors
                changed[keyPath: change] = bytes
                #expect(RSAPrivateKey(publicKey: key.publicKey, factors: changed) == nil)
            }
        }
        var swapped = factors
        swap(&swapped.first, &swapped.second)
        #expect(RSAPrivateKey(publicKey: key.publicKey, factors: swapped) == nil)
    }

    @Test func `Montgomery's multiplication agrees with repeated addition`() throws {
        var generator = SeededGenerator(seed: 19)
        for width in [1, 2, 4, 16] {
            var limbs = (0..<width).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
            limbs[0] |= 1
            limbs[width - 1] |= 1 << 63
            let modulus = Modulus(Natural(limbs: limbs))
            let random = (0..<2).map { _ in
                modulus.reduce(
                    Natural(limbs: (0..<(2 * width)).map { _ in .random(in: .min ... .max, using: &generator) })
                )
            }
            var expected = Natural(0, width: width)
            for position in (0..<(64 * width)).reversed() {
                expected = modulus.add(expected, expected)
                if random[1].digit(at: position, bits: 1) == 1 { expected = modulus.add(expected, random[0]) }
            }
            let product = modulus.leave(modulus.multiply(modulus.enter(random[0]), modulus.enter(random[1])))
            #expect(product == expected, "\(random) modulo \(limbs)")
            #expect(modulus.reduce(random[0].multiplied(by: random[1])) == expected, "\(random) modulo \(limbs)")
        }
    }
}

struct TestFailure: Error, CustomStringConvertible {
    var description: String
}
