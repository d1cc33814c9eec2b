import Basics
import HTTPCodec
import JSON
import Signatures
import Testing

@testable import Simulation

/// The tokens of a session.
struct SigningTests {
    /// The key and the token of RFC 7515, appendix A.1.
    private static let exampleKey: [UInt8] =
        Base64.decodeURL(
            "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow".utf8
        ) ?? []
    private static let exampleToken =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
        + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    @Test func `The token of RFC 7515 is verified with its key`() throws {
        #expect(Self.exampleKey.count == 64)
        let claims = try #require(SigningKeys(secret: Self.exampleKey).claims(of: Self.exampleToken))
        #expect(claims["iss"] == "joe")
        #expect(claims["exp"] == 1_300_819_380)
        #expect(SigningKeys(secret: Self.exampleKey + [0x21]).claims(of: Self.exampleToken) == nil)
    }

    @Test(arguments: [
        "", ".", "..", "...", "a.b", "a.b.c", "e30.e30.", "e30.e30.e30",
        // The algorithm "none" is no signature.
        "eyJhbGciOiJub25lIn0.e30.",
    ])
    func `Other texts are no tokens`(text: String) {
        #expect(SigningKeys(secret: Self.exampleKey).claims(of: text) == nil)
    }

    @Test func `A changed letter anywhere breaks a token`() {
        let keys = SigningKeys(secret: Self.exampleKey)
        let token = keys.sign(Array(#"{"iat":1,"exp":2}"#.utf8), .hs256)
        #expect(keys.claims(of: token) != nil)
        let bytes = Array(token.utf8)
        for index in bytes.indices {
            var changed = bytes
            changed[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(keys.claims(of: String(decoding: changed, as: UTF8.self)) == nil)
        }
    }

    @Test func `A signed token is what other implementations make of the same claims`() {
        let token = SigningKeys(secret: Array("secret".utf8)).sign(
            Array(#"{"iat":1700000000,"exp":1700007200,"memberId":1042}"#.utf8),
            .hs256
        )
        let expected =
            "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9"
            + ".eyJpYXQiOjE3MDAwMDAwMDAsImV4cCI6MTcwMDAwNzIwMCwibWVtYmVySWQiOjEwNDJ9"
            + ".gPScn6lqVa_QzqyDxC41jjmG2SZ2_xCN5dnL_SmX3HM"
        #expect(token == expected)
    }
}
