import Basics
import JSON
import Testing

@testable import Signatures

/// Proof keys for codes (RFC 7636) and proofs of possession (RFC 9449).
struct ProofTests {
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test func `the challenge is the one of RFC 7636, appendix B`() {
        #expect(ProofKey.challenge(of: Self.verifier) == Self.challenge)
        #expect(ProofKey.verifies(Self.verifier, challenge: Self.challenge, method: .s256))
        #expect(!ProofKey.verifies(Self.verifier, challenge: Self.challenge, method: .plain))
        #expect(ProofKey.verifies(Self.verifier, challenge: Self.verifier, method: .plain))
        #expect(!ProofKey.verifies(Self.challenge, challenge: Self.challenge, method: .s256))
    }

    @Test(arguments: [
        (42, "a", false), (43, "a", true), (128, "~", true), (129, "a", false), (43, "=", false), (43, " ", false),
        (43, "ä", false), (0, "", false),
    ])
    func `a verifier has 43 to 128 unreserved characters`(count: Int, letter: String, isValid: Bool) {
        let text = String(repeating: letter, count: count)
        #expect(ProofKey.isWellFormed(text) == isValid)
        #expect(ProofKey.verifies(text, challenge: ProofKey.challenge(of: text), method: .s256) == isValid)
    }

    @Test func `the hash of a token is the one of RFC 9449, section 7_1`() {
        let token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
        #expect(TokenHash.whole(of: token) == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
        #expect(
            bytes(base64URL: TokenHash.half(of: token)) == bytes(base64URL: TokenHash.whole(of: token)).prefix(16) + []
        )
    }

    /// The proof of RFC 9449, section 4.1.
    private static let example = """
        eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJ\
        oRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.\
        eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF\
        0IjoxNTYyMjYyNjE2fQ.\
        2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg
        """
    private static let exampleRequest = PossessionProof.Request(
        method: "POST",
        uri: "https://server.example.com/token",
        now: 1_562_262_616
    )

    @Test func `the proof of RFC 9449, section 4_1, is accepted for its request`() throws {
        let proof = try PossessionProof(checking: Self.example, for: Self.exampleRequest)
        #expect(proof.id == "-BwC3ESc6acc2lTc")
        #expect(proof.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test(arguments: [
        "https://server.example.com/token", "HTTPS://Server.Example.COM:443/token?a=b#c",
        "https://server.example.com:/token",
    ])
    func `forms of one URI are equal`(uri: String) throws {
        var request = Self.exampleRequest
        request.uri = uri
        _ = try PossessionProof(checking: Self.example, for: request)
    }

    @Test(arguments: [
        "http://server.example.com/token", "https://server.example.com:444/token", "https://server.example.com/Token",
        "https://server.example.com/token/", "https://server.example.com", "/token", "",
    ])
    func `a proof for another URI is refused`(uri: String) {
        var request = Self.exampleRequest
        request.uri = uri
        #expect(throws: PossessionProofError.otherRequest("htu", found: "https://server.example.com/token")) {
            _ = try PossessionProof(checking: Self.example, for: request)
        }
    }

    @Test func `a proof for another method or of another time is refused`() {
        var request = Self.exampleRequest
        request.method = "post"
        #expect(throws: PossessionProofError.otherRequest("htm", found: "POST")) {
            _ = try PossessionProof(checking: Self.example, for: request)
        }
        for now in [1_562_262_616 - 301, 1_562_262_616 + 301, .min, .max] {
            var request = Self.exampleRequest
            request.now = now
            #expect(throws: PossessionProofError.wrongTime(1_562_262_616, now: now)) {
                _ = try PossessionProof(checking: Self.example, for: request)
            }
        }
        for now in [1_562_262_616 - 300, 1_562_262_616 + 300] {
            var request = Self.exampleRequest
            request.now = now
            #expect(throws: Never.self) { _ = try PossessionProof(checking: Self.example, for: request) }
        }
    }

    private let key = P256PrivateKey(testSeed: Array("proof".utf8))

    private func proof(
        header changes: [(String, JSONValue?)] = [],
        claims claimChanges: [(String, JSONValue?)] = []
    ) throws -> String {
        var header = JSONObject([
            ("typ", "dpop+jwt"), ("jwk", try #require(JSONWebKey(.p256(key)).publicJSON)),
        ])
        for (name, value) in changes { header[name] = value }
        var claims = JSONObject([("jti", "1"), ("htm", "GET"), ("htu", "https://a.example/"), ("iat", 1000)])
        for (name, value) in claimChanges { claims[name] = value }
        return JSONWebSignature.compact(JSONValue.object(claims).utf8(), header: header, key: .p256(key))
    }

    private func error(_ text: String, token: String? = nil, nonce: String? = nil) -> PossessionProofError? {
        let request = PossessionProof.Request(
            method: "GET",
            uri: "https://a.example",
            now: 1000,
            accessToken: token,
            nonce: nonce
        )
        do throws(PossessionProofError) {
            _ = try PossessionProof(checking: text, for: request)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the token's hash and the server's nonce must be in the proof`() throws {
        #expect(error(try proof()) == nil)
        #expect(error(try proof(), token: "token") == .otherToken)
        #expect(error(try proof(claims: [("ath", .string(TokenHash.whole(of: "token")))]), token: "token") == nil)
        #expect(error(try proof(), nonce: "n") == .wrongNonce)
        #expect(PossessionProofError.wrongNonce.code == "use_dpop_nonce")
        #expect(error(try proof(claims: [("nonce", "n")]), nonce: "n") == nil)
        #expect(error(try proof(claims: [("nonce", "m")]), nonce: "n") == .wrongNonce)
    }

    @Test func `a proof without a claim, of another type or with another key is refused`() throws {
        for name in ["jti", "htm", "htu", "iat"] { #expect(error(try proof(claims: [(name, nil)])) == .missing(name)) }
        #expect(error(try proof(claims: [("jti", "")])) == .missing("jti"))
        #expect(error(try proof(claims: [("iat", "1000")])) == .missing("iat"))
        #expect(error(try proof(header: [("typ", "JWT")])) == .wrongType)
        #expect(error(try proof(header: [("jwk", nil)])) == .missing("jwk"))
        let other = try #require(JSONWebKey(.p256(P256PrivateKey(testSeed: [2]))).publicJSON)
        #expect(error(try proof(header: [("jwk", other)])) == .notSigned(.wrongSignature))
        var secret = try #require(JSONWebKey(.p256(key)).publicJSON?.object)
        secret["d"] = .string(Base64.encodeURL(key.bytes))
        #expect(error(try proof(header: [("jwk", .object(secret))])) == .privateKey)
        #expect(error(try proof(header: [("jwk", ["kty": "oct", "k": "AQ"])])) == .privateKey)
        #expect(error(RFC7515.es256) == .wrongType)
        #expect(error("") == .notSigned(.notThreeParts(found: 1)))
        if case .unusableKey = error(try proof(header: [("jwk", ["kty": "EC"])])) {
        } else {
            Issue.record("a key without a curve was taken")
        }
    }
}
