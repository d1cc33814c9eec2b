import Basics
import JSON
import Testing

@testable import Signatures

struct JSONWebKeyTests {
    @Test func `the thumbprint is the one of RFC 7638, section 3_1`() throws {
        let example = try key(
            """
            {"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECP\
            ebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8\
            KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw\
            0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}
            """
        )
        #expect(example.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        #expect(example.id == "2011-04-29")
        #expect(example.signingKey == nil)
    }

    @Test func `a public key is published without its private half, and read again`() throws {
        for text in [RFC7515.rsa, RFC7515.p256] {
            var original = try key(text)
            original.id = "one"
            #expect(original.signingKey != nil)
            let json = try #require(original.publicJSON)
            let names = try #require(json.object).names
            #expect(!names.contains { ["d", "p", "q", "dp", "dq", "qi", "k"].contains($0) })
            let copy = try JSONWebKey(reading: json)
            #expect(copy.verificationKey == original.verificationKey)
            #expect(copy.signingKey == nil)
            #expect(copy.id == "one")
            #expect(copy.thumbprint == original.thumbprint)
        }
    }

    @Test func `a set that is published has no secrets`() throws {
        let set = JSONWebKeySet([try key(RFC7515.secret), try key(RFC7515.p256)])
        #expect(set.publicJSON["keys"]?.array?.count == 1)
        #expect(try key(RFC7515.secret).publicJSON == nil)
    }

    @Test(arguments: [
        ("[]", JSONWebKeyError.Reason.notAnObject, "1:1"),
        ("{}", .missing("kty"), "1:1"),
        (#"{"kty":7}"#, .notText("kty"), "1:8"),
        (#"{"kty":"OKP","crv":"Ed25519","x":""}"#, .unsupportedType("OKP"), "1:8"),
        (#"{"kty":"EC","crv":"P-384","x":"","y":""}"#, .unsupportedCurve("P-384"), "1:19"),
        (#"{"kty":"EC","crv":"P-256","y":""}"#, .missing("x"), "1:1"),
        (#"{"kty":"EC","crv":"P-256","x":"AA==","y":""}"#, .notBase64URL("x"), "1:31"),
        (#"{"kty":"EC","crv":"P-256","x":"AQ","y":"AQ"}"#, .notOnCurve, "1:31"),
        (#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, .unusableModulus, "1:18"),
        (#"{"kty":"RSA","e":"AQAB"}"#, .missing("n"), "1:1"),
        (#"{"kty":"oct"}"#, .missing("k"), "1:1"),
        (#"{"kty":"oct","k":"+"}"#, .notBase64URL("k"), "1:18"),
        (#"{"kty":"oct","k":"AQ","alg":"HS512"}"#, .otherAlgorithm("HS512", usual: .hs256), "1:29"),
        (#"{"kty":"oct","k":"AQ","kid":1}"#, .notText("kid"), "1:29"),
    ])
    func `a value that is not a key is refused at its place`(
        text: String,
        reason: JSONWebKeyError.Reason,
        position: String
    ) throws {
        let value = try JSONParser().parse(text).root
        let error = #expect(throws: JSONWebKeyError.self) { _ = try JSONWebKey(reading: value) }
        #expect(error?.reason == reason)
        #expect(error?.position.description == position)
        #expect(error?.sentence.isEmpty == false)
    }

    @Test func `private parts of another key are refused`() throws {
        let other = P256PrivateKey(testSeed: [1])
        let mixed = RFC7515.p256.replacing(
            "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
            with: Base64.encodeURL(other.bytes)
        )
        var error = #expect(throws: JSONWebKeyError.self) { _ = try key(mixed) }
        #expect(error?.reason == .privateKeyOfAnother)
        error = #expect(throws: JSONWebKeyError.self) {
            _ = try key(RFC7515.rsa.replacing("\"dp\":\"B", with: "\"dp\":\"C"))
        }
        #expect(error?.reason == .partsDoNotFit)
    }

    @Test func `a set leaves out keys of other types and refuses broken ones`() throws {
        let other = #"{"kty":"OKP","crv":"Ed25519","x":"AQ"}"#
        let set = try JSONWebKeySet(reading: JSONParser().parse(#"{"keys":[\#(other),\#(RFC7515.p256)]}"#).root)
        #expect(set.keys.count == 1)
        for text in [#"{"keys":[{}]}"#, #"{"keys":{}}"#, "{}", "[]"] {
            #expect(throws: JSONWebKeyError.self) { _ = try JSONWebKeySet(reading: JSONParser().parse(text).root) }
        }
    }
}
