import HTTPCodec
import JSON
import ScenarioFormat
import Testing

@testable import Reports

@Suite struct `Tokens in a report` {
    private let concealment = TokenConcealment([
        .header(name: "X-Social", scheme: nil), .header(name: "Authorization", scheme: "Bearer"),
        .header(name: "X-Apple", scheme: "Identity"), .query("code"), .body(JSONPointer(tokens: ["user", "code"])),
        .body(JSONPointer(tokens: ["0"])),
    ])

    private static let secret = "a-secret-of-somebody-else"
    private static let short = "a-secr…else"

    @Test func `are shortened in the fields where they travel, whatever these are called`() {
        let fields: HTTPFields = [
            "x-social": Self.secret, "X-Apple": "Identity \(Self.secret)", "X-Other": Self.secret,
            "Authorization": "Bearer \(Self.secret)",
        ]
        // The report itself shortens what it knows for a secret by its name.
        let shown: HTTPFields = [
            "x-social": Self.short, "X-Apple": "Identity \(Self.short)", "X-Other": Self.secret,
            "Authorization": "Bearer \(Self.secret)",
        ]
        #expect(concealment.fields(fields) == shown)
    }

    @Test(arguments: [
        ("/a?code=\(secret)&b=\(secret)&code", "/a?code=\(short)&b=\(secret)&code="),
        ("/a?c%6Fde=\(secret)", "/a?c%6Fde=\(short)"), ("/a", "/a"), ("/a?", "/a?"),
        ("/code=\(secret)", "/code=\(secret)"),
    ])
    func `are shortened in the query`(target: String, shown: String) {
        #expect(concealment.target(target) == shown)
    }

    @Test(arguments: [
        (
            #"{"user": {"code": "\#(secret)", "name": "\#(secret)"}}"#,
            #"{"user":{"code":"\#(short)","name":"\#(secret)"}}"#
        ),
        (#"["\#(secret)"]"#, #"["\#(short)"]"#), (#"{"user": {"code": 7}}"#, #"{"user": {"code": 7}}"#),
        (#"{"user": "\#(secret)"}"#, #"{"user": "\#(secret)"}"#), ("no JSON", "no JSON"), ("", ""),
    ])
    func `are shortened in the body`(body: String, shown: String) {
        #expect(String(decoding: concealment.body(Array(body.utf8)), as: UTF8.self) == shown)
    }
}
