import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

@testable import Reports

@Suite struct `Tokens in a report` {
    private let concealment = TokenConcealment([
        TokenCarrier(.header("X-Social")), TokenCarrier(.header("Authorization"), scheme: "Bearer"),
        TokenCarrier(.header("X-Apple"), scheme: "Identity"), TokenCarrier(.query("code")),
        TokenCarrier(.body(JSONPointer(tokens: ["user", "code"]))), TokenCarrier(.body(JSONPointer(tokens: ["0"]))),
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

    private static let granted = "opaque-value-of-this-story"
    private static let cut = "opaque…tory"

    /// A ledger as a recording has it, with fingerprints instead of values.
    private let granting = TokenConcealment(
        [TokenCarrier(.form("renewal"))],
        ledger: TokenLedger(
            recorded: [("phone", "ann", 1)],
            [
                Token(
                    id: "access-1",
                    kind: "access",
                    value: Token.standIn(for: granted),
                    device: "phone",
                    account: "ann",
                    family: 1,
                    issued: VirtualTime(seconds: 0),
                    expires: VirtualTime(seconds: 60)
                )
            ]
        )
    )

    @Test(arguments: [
        (
            #"{"a":"\#(granted)","b":[{"c":"\#(granted)"}],"d":"other"}"#,
            #"{"a":"\#(cut)","b":[{"c":"\#(cut)"}],"d":"other"}"#
        ),
        (granted, cut), ("a=\(granted)&b=\(secret)", "a=\(cut)&b=\(secret)"), ("renewal=\(secret)", "renewal=\(short)"),
        (#"{"a": "other"}"#, #"{"a": "other"}"#), ("a text with \(secret)", "a text with \(secret)"),
    ])
    func `are shortened in any place once they were granted`(body: String, shown: String) {
        #expect(String(decoding: granting.body(Array(body.utf8)), as: UTF8.self) == shown)
    }

    @Test func `are shortened in paths, queries and fields once they were granted`() {
        #expect(granting.target("/t/\(Self.granted)/x?y=\(Self.granted)") == "/t/\(Self.cut)/x?y=\(Self.cut)")
        #expect(granting.target("/t/\(Self.secret)?y=1") == "/t/\(Self.secret)?y=1")
        let fields: HTTPFields = ["X-A": Self.granted, "X-B": "Scheme \(Self.granted)", "X-C": Self.secret]
        #expect(granting.fields(fields) == ["X-A": Self.cut, "X-B": "Scheme \(Self.cut)", "X-C": Self.secret])
    }

    @Test func `are shortened in the parts of a form`() {
        func form(_ password: String, _ token: String) -> [UInt8] {
            let parts = [("password", password), ("note", Self.secret), ("any", token)].map { name, value in
                "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
            }
            return Array((parts.joined() + "--b--\r\n").utf8)
        }
        let shown = granting.body(form(Self.secret, Self.granted), type: "multipart/form-data; boundary=b")
        #expect(String(decoding: shown, as: UTF8.self) == String(decoding: form(Self.short, Self.cut), as: UTF8.self))
    }

    @Test(arguments: [
        "password", "passwd", "PassWd", "user_pwd", "pwd", "passphrase", "pass-phrase", "passcode", "newPassword",
        "pass", "PIN", "otp", "pin_code",
    ])
    func `are shortened if they are passwords, whatever the word`(name: String) {
        #expect(Secrets.isSecret(name) && Secrets.isPassword(name))
        #expect(Secrets.target("/a?\(name)=\(Self.secret)&b=c") == "/a?\(name)=\(Self.short)&b=c")
        let form = TokenConcealment([]).body(
            Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(Self.secret)\r\n--b--\r\n".utf8),
            type: "multipart/form-data; boundary=b"
        )
        #expect(!String(decoding: form, as: UTF8.self).contains(Self.secret))
    }

    @Test(arguments: ["compass", "passport", "pass_count", "passwordType", "path", "opinion", "spin"])
    func `are not suspected by other names`(name: String) {
        #expect(!Secrets.isPassword(name) && !Secrets.isSecret(name))
    }

    @Test(arguments: [
        ("https://a/b?access_token=\(secret)&c=d", "https://a/b?access_token=\(short)&c=d"),
        ("app://cb#access_token=\(secret)", "app://cb#access_token=\(short)"),
        ("/b?c=d#id_token=\(secret)", "/b?c=d#id_token=\(short)"), ("/b", "/b"),
    ])
    func `are shortened in fields that contain URLs`(value: String, shown: String) {
        for name in ["Referer", "location", "Content-Location"] { #expect(Secrets.field(name, value) == shown) }
    }
}
