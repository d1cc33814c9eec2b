import Testing

@testable import Signatures

/// ES256: the curve, the deterministic nonces, and signatures that must be refused.
struct ECDSATests {
    /// The key of RFC 6979, appendix A.2.5.
    private let key: P256PrivateKey

    private static let order = bytes(hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    private static let prime = bytes(hex: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
    private static let zero = [UInt8](repeating: 0, count: 32)

    init() throws {
        key = try #require(
            P256PrivateKey(bytes(hex: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"))
        )
    }

    @Test func `the public key of RFC 6979, appendix A.2.5, follows from the private one`() {
        #expect(hex(key.publicKey.x) == "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6")
        #expect(hex(key.publicKey.y) == "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
    }

    @Test(arguments: [
        (
            "sample", "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
            "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
        ),
        (
            "test", "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
            "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
        ),
    ])
    func `a signature is the one of RFC 6979, appendix A.2.5`(message: String, r: String, s: String) {
        let signature = key.signature(of: Array(message.utf8))
        #expect(hex(signature) == r + s)
        #expect(key.publicKey.verifies(signature, of: Array(message.utf8)))
        #expect(!key.publicKey.verifies(signature, of: Array("\(message).".utf8)))
    }

    /// Made with OpenSSL by way of Python's `cryptography`.
    @Test(arguments: [
        (
            "0000000000000000000000000000000000000000000000000000000000000001",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
        ),
        (
            "0000000000000000000000000000000000000000000000000000000000000002",
            "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978",
            "07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1"
        ),
        (
            "0000000000000000000000000000000000000000000000000000000000000011",
            "47776904c0f1cc3a9c0984b66f75301a5fa68678f0d64af8ba1abce34738a73e",
            "aa005ee6b5b957286231856577648e8381b2804428d5733f32f787ff71f1fcdc"
        ),
        (
            "8000000000000000000000000000000000000000000000000000000000000000",
            "77b20a912e6b23135066e911891524bc4efe3560e3e92350b52dec8f375f2b54",
            "a3dc291825cea3f7f7b10bfcdd038a72df623da1e850e0f1caa801fcd6cc67ff"
        ),
        (
            "f0000000000000000000000000000000f000000000000000000000000000000f",
            "141b12a4427c8bd27004635efbe5686c84597c0cd9bbe89c91966366d5551f97",
            "6db7da1f6b24456635e337efbd1fa358b0a8e240b1ff9de944708a7df0f0e7b5"
        ),
        (
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254f",
            "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978",
            "f888aaee24712fc0d6c26539608bcf244582521ac3167dd661fb4862dd878c2e"
        ),
        (
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "b01cbd1c01e58065711814b583f061e9d431cca994cea1313449bf97c840ae0a"
        ),
    ])
    func `multiples of the base point are those of another implementation`(number: String, x: String, y: String) throws
    {
        let key = try #require(P256PrivateKey(bytes(hex: number)))
        #expect(hex(key.publicKey.x) == x)
        #expect(hex(key.publicKey.y) == y)
    }

    @Test func `the sum of two equal points is the double, and that of opposite points is infinity`() throws {
        let one = Natural(1, width: 4)
        let twice = try #require(P256Point.sum([(one, .base), (one, .base)]).affine)
        #expect(hex(twice.x.bytes(count: 32)) == "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978")
        var largest = P256Point.order.value
        largest.subtract(one)
        #expect(P256Point.sum([(one, .base), (largest, .base)]).isInfinity)
        #expect(P256Point.sum([(P256Point.order.value, .base)]).isInfinity)
        #expect((P256Point.infinity + .base).affine?.x == P256Point.base.affine?.x)
        #expect(P256Point.infinity.doubled.isInfinity)
    }

    @Test func `private keys of zero, of the order and of another length are refused`() {
        #expect(P256PrivateKey(Self.zero) == nil)
        #expect(P256PrivateKey(Self.order) == nil)
        #expect(P256PrivateKey([UInt8](repeating: 0xFF, count: 32)) == nil)
        #expect(P256PrivateKey([UInt8](repeating: 1, count: 31)) == nil)
        #expect(P256PrivateKey([UInt8](repeating: 1, count: 33)) == nil)
    }

    @Test func `public keys that are not points of the curve are refused`() throws {
        let (x, y) = (key.publicKey.x, key.publicKey.y)
        #expect(P256PublicKey(x: x, y: y) != nil)
        #expect(P256PublicKey(x: y, y: x) == nil)
        #expect(P256PublicKey(x: x, y: Self.zero) == nil)
        #expect(P256PublicKey(x: Self.zero, y: Self.zero) == nil)
        #expect(P256PublicKey(x: Self.prime, y: y) == nil)
        #expect(P256PublicKey(x: x, y: Self.prime) == nil)
        #expect(P256PublicKey(x: Array(x.dropFirst()), y: y) == nil)
        #expect(P256PublicKey(x: [0] + x, y: y) == nil)
        var changed = y
        changed[31] ^= 1
        #expect(P256PublicKey(x: x, y: changed) == nil)
        // x = 5 has a point; the prime more names the same residue, but not in the one way that is allowed.
        let five = try #require(P256PublicKey(x: Self.zero.dropLast() + [5], y: bytes(hex: Self.rootOfFive)))
        #expect(five.x.last == 5)
        var large = Natural(limbs: P256Point.field.value.limbs)
        _ = large.add(Natural(5, width: 4))
        #expect(P256PublicKey(x: large.bytes(count: 32), y: five.y) == nil)
    }

    private static let rootOfFive = "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"

    @Test func `signatures that are out of range or of another form are refused`() {
        let message = Array("sample".utf8)
        let signature = key.signature(of: message)
        let (r, s) = (Array(signature.prefix(32)), Array(signature.suffix(32)))
        let refused: [[UInt8]] = [
            [], Self.zero + Self.zero, Self.zero + s, r + Self.zero, Self.order + s, r + Self.order, s + r,
            r + [UInt8](repeating: 0xFF, count: 32), [UInt8](repeating: 0xFF, count: 64),
            Array(signature.dropLast()), signature + [0], [0] + signature, [0] + r + [0] + s,
            // The form of X.509, which JWS does not use.
            [0x30, 0x46, 0x02, 0x21, 0x00] + r + [0x02, 0x21, 0x00] + s,
        ]
        for other in refused { #expect(!key.publicKey.verifies(other, of: message), "\(hex(other))") }
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 0x10
            #expect(!key.publicKey.verifies(changed, of: message), "byte \(index)")
        }
        let other = P256PrivateKey(testSeed: Array("other".utf8))
        #expect(!other.publicKey.verifies(signature, of: message))
    }

    /// ECDSA cannot tell them apart; a server must not take the signature's text for the identity of a token.
    @Test func `the order minus s verifies as well`() {
        let message = Array("sample".utf8)
        let signature = key.signature(of: message)
        var negative = P256Point.order.value
        negative.subtract(Natural(bytes: signature.suffix(32), width: 4) ?? Natural(0, width: 4))
        #expect(key.publicKey.verifies(signature.prefix(32) + negative.bytes(count: 32), of: message))
    }

    @Test func `a seed gives one key, another seed another key`() {
        let seed = Array("seed".utf8)
        #expect(P256PrivateKey(testSeed: seed) == P256PrivateKey(testSeed: seed))
        #expect(P256PrivateKey(testSeed: seed) != P256PrivateKey(testSeed: seed + [0]))
    }
}
