import JSON
import TestSupport
import Testing

@testable import Signatures

/// What an implementation of other authors makes of our tokens and keys, and we of theirs.
///
/// Each test is skipped where `python3` cannot import its library: `pip install pyjwt cryptography authlib`.
struct IndependentVerificationTests {
    private static let tokens = ["one", "two"].flatMap { id in
        TestKeys.rsa.prefix(2).map { ($0, id) } + [(TestKeys.p256(seed: id), id)]
    }

    /// One line for each token: the token, a space and the set of keys that it is verified with.
    private static var lines: String {
        let set = JSONWebKeySet(TestKeys.rsa + ["one", "two"].map(TestKeys.p256)).publicJSON.text()
        return tokens.compactMap { key, id in
            guard let signingKey = key.signingKey else { return nil }
            let header = JSONObject([("typ", "JWT"), ("kid", .string(key.id ?? ""))])
            let payload = JSONValue.object(JSONObject([("sub", .string(id))])).utf8()
            return "\(JSONWebSignature.compact(payload, header: header, key: signingKey)) \(set)\n"
        }.joined()
    }

    @Test(.enabled("python3 has no PyJWT and cryptography", { await Python.imports("jwt", "cryptography") }))
    func `PyJWT verifies our tokens by our set of keys, and refuses changed ones`() async throws {
        let program = """
            import json, sys, jwt
            for line in sys.stdin:
                token, keys = line.split(" ", 1)
                header = jwt.get_unverified_header(token)
                key = next(k for k in jwt.PyJWKSet.from_dict(json.loads(keys)).keys if k.key_id == header["kid"])
                print(header["alg"], jwt.decode(token, key.key, algorithms=["RS256", "ES256"])["sub"])
                try:
                    jwt.decode(token[:-8] + "AAAAAAAA", key.key, algorithms=["RS256", "ES256"])
                    print("a changed token was verified")
                except jwt.InvalidSignatureError:
                    pass
            """
        let output = try await Python.run(program, input: Self.lines)
        #expect(output == "RS256 one\nRS256 one\nES256 one\nRS256 two\nRS256 two\nES256 two\n")
    }

    @Test(.enabled("python3 has no authlib", { await Python.imports("authlib") }))
    func `authlib verifies our tokens by our set of keys`() async throws {
        let program = """
            import json, sys, warnings
            warnings.simplefilter("ignore")
            from authlib.jose import JsonWebKey, jwt
            for line in sys.stdin:
                token, keys = line.split(" ", 1)
                claims = jwt.decode(token, JsonWebKey.import_key_set(json.loads(keys)))
                print(claims.header["alg"], claims["sub"])
            """
        let output = try await Python.run(program, input: Self.lines)
        #expect(output == "RS256 one\nRS256 one\nES256 one\nRS256 two\nRS256 two\nES256 two\n")
    }

    @Test(.enabled("python3 has no PyJWT and cryptography", { await Python.imports("jwt", "cryptography") }))
    func `tokens and keys of PyJWT are read and verified here`() async throws {
        let program = """
            import json, jwt
            from jwt.algorithms import ECAlgorithm, RSAAlgorithm
            from cryptography.hazmat.primitives.asymmetric import ec, rsa
            for _ in range(8):
                key = ec.generate_private_key(ec.SECP256R1())
                print(jwt.encode({"sub": "a"}, key, algorithm="ES256"), ECAlgorithm.to_jwk(key))
            for size in (2048, 2050, 3072):
                key = rsa.generate_private_key(65537, size)
                print(jwt.encode({"sub": "a"}, key, algorithm="RS256"), RSAAlgorithm.to_jwk(key))
            """
        let lines = try await Python.run(program).split(separator: "\n")
        #expect(lines.count == 11)
        for line in lines {
            let parts = line.split(separator: " ", maxSplits: 1)
            let key = try key(String(try #require(parts.last)))
            #expect(try JSONWebSignature(unverified: parts[0]).verify(with: JSONWebKeySet([key])) == key)
            // RSA's signatures depend on nothing but key and text.
            guard key.verificationKey.algorithm == .rs256, let signingKey = key.signingKey else { continue }
            let own = JSONWebSignature.compact(
                Array(#"{"sub":"a"}"#.utf8),
                encodedHeader: String(parts[0].prefix { $0 != "." }),
                key: signingKey
            )
            #expect(own == String(parts[0]))
        }
    }
}
