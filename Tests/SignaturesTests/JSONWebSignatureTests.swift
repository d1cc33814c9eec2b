import Basics
import JSON
import Testing

@testable import Signatures

struct JSONWebSignatureTests {
    @Test(arguments: [(RFC7515.secret, RFC7515.hs256), (RFC7515.rsa, RFC7515.rs256), (RFC7515.p256, RFC7515.es256)])
    func `the tokens of RFC 7515, appendix A, are verified with their keys and with no others`(
        keyText: String,
        token: String
    ) throws {
        let own = try key(keyText)
        let signature = try JSONWebSignature(unverified: token)
        #expect(try signature.verify(with: JSONWebKeySet([own])) == own)
        #expect(signature.claims?["iss"] == "joe")
        #expect(signature.claims?["exp"] == 1_300_819_380)
        let others = JSONWebKeySet([
            JSONWebKey(SigningKey.secret([1])), JSONWebKey(.p256(P256PrivateKey(testSeed: [1]))), TestKeys.rsa[0],
        ])
        #expect(throws: JSONWebSignatureError.wrongSignature) { try signature.verify(with: others) }
        #expect(throws: JSONWebSignatureError.unknownKey(nil, own.verificationKey.algorithm)) {
            try signature.verify(with: JSONWebKeySet([]))
        }
    }

    @Test func `RS256 signs the token of RFC 7515, appendix A_2, byte for byte`() throws {
        let signingKey = try #require(try key(RFC7515.rsa).signingKey)
        let token = JSONWebSignature.compact(bytes(base64URL: RFC7515.payload), header: JSONObject(), key: signingKey)
        #expect(token == RFC7515.rs256)
    }

    @Test(arguments: [
        ("", JSONWebSignatureError.notThreeParts(found: 1)),
        ("a.b", .notThreeParts(found: 2)),
        ("a.b.c.d", .notThreeParts(found: 4)),
        ("a.e30.e30", .notBase64URL("header")),
        ("e30.e30=.e30", .notBase64URL("payload")),
        ("e30.e30.e31", .notBase64URL("signature")),
        ("W10.e30.e30", .headerNotObject),
        ("e30x.e30.e30", .headerNotObject),
        // {"alg":"HS256","alg":"none"}
        ("eyJhbGciOiJIUzI1NiIsImFsZyI6Im5vbmUifQ.e30.e30", .headerNotObject),
    ])
    func `other texts are not signed tokens`(text: String, error: JSONWebSignatureError) {
        #expect(throws: error) { try JSONWebSignature(unverified: text) }
        #expect(!error.sentence.isEmpty)
    }

    @Test func `no algorithm, the algorithm none and an algorithm of another kind are refused`() throws {
        let keys = JSONWebKeySet([try key(RFC7515.secret), try key(RFC7515.rsa)])
        for name in ["none", "None", "nOnE", "HS384", "RS512", "ES384", "PS256", ""] {
            let text = "\(Base64.encodeURL(Array(#"{"alg":"\#(name)"}"#.utf8))).\(RFC7515.payload)."
            #expect(throws: JSONWebSignatureError.unsupportedAlgorithm(name)) {
                try JSONWebSignature(unverified: text).verify(with: keys)
            }
        }
        for text in ["e30.\(RFC7515.payload).", "eyJhbGciOjF9.\(RFC7515.payload)."] {
            #expect(throws: JSONWebSignatureError.unsupportedAlgorithm(nil)) {
                try JSONWebSignature(unverified: text).verify(with: keys)
            }
        }
    }

    /// A verifier that lets the token choose would take the public key for the secret.
    @Test func `a public key is never the secret of HS256`() throws {
        let rsa = try key(RFC7515.rsa)
        let publicBytes = (rsa.publicJSON ?? .null).utf8()
        let forged = JSONWebSignature.compact(bytes(base64URL: RFC7515.payload), key: .secret(publicBytes))
        #expect(throws: JSONWebSignatureError.unknownKey(nil, .hs256)) {
            try JSONWebSignature(unverified: forged).verify(with: JSONWebKeySet([rsa]))
        }
    }

    @Test func `a header that requires an extension is refused`() throws {
        let secret = try key(RFC7515.secret)
        let header = JSONObject([("b64", false), ("crit", ["b64"])] as [(String, JSONValue)])
        let text = JSONWebSignature.compact([0x7B, 0x7D], header: header, key: try #require(secret.signingKey))
        #expect(throws: JSONWebSignatureError.criticalExtension) {
            try JSONWebSignature(unverified: text).verify(with: JSONWebKeySet([secret]))
        }
    }

    @Test func `a token names its key, and only that one is tried`() throws {
        let keys = ["one", "two"].map { id in
            JSONWebKey(.p256(P256PrivateKey(testSeed: Array(id.utf8))), id: id)
        }
        for (key, other) in [(keys[0], keys[1]), (keys[1], keys[0])] {
            let signingKey = try #require(key.signingKey)
            let token = JSONWebSignature.compact(
                [0x7B, 0x7D],
                header: JSONObject([("kid", .string(key.id ?? ""))]),
                key: signingKey
            )
            let signature = try JSONWebSignature(unverified: token)
            #expect(try signature.verify(with: JSONWebKeySet(keys)).id == key.id)
            #expect(throws: JSONWebSignatureError.unknownKey(key.id, .es256)) {
                try signature.verify(with: JSONWebKeySet([other]))
            }
            let wrong = JSONWebSignature.compact(
                [0x7B, 0x7D],
                header: JSONObject([("kid", .string(other.id ?? ""))]),
                key: signingKey
            )
            #expect(throws: JSONWebSignatureError.wrongSignature) {
                try JSONWebSignature(unverified: wrong).verify(with: JSONWebKeySet(keys))
            }
        }
    }

    @Test func `a changed letter anywhere breaks a token`() throws {
        let key = JSONWebKey(SigningKey.secret(Array("secret".utf8)))
        let signingKey = try #require(key.signingKey)
        let token = JSONWebSignature.compact(Array(#"{"iat":1,"exp":2}"#.utf8), key: signingKey)
        let letters = Array(token.utf8)
        for index in letters.indices {
            var changed = letters
            changed[index] = letters[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: JSONWebSignatureError.self, "letter \(index)") {
                try JSONWebSignature(unverified: String(decoding: changed, as: UTF8.self)).verify(
                    with: JSONWebKeySet([key])
                )
            }
        }
    }
}
