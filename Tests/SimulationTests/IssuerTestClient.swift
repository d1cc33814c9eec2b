import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures
import Simulation
import TestSupport
import Testing

/// A client of an issuer in a session, and the requests that tests of the issuer share.
struct IssuerTestClient {
    var base: SessionClient

    init(
        _ issuer: String = "",
        clients: String = IssuerTestClient.clients,
        tokens: String = ""
    ) throws {
        base = try SessionClient(Self.backend(issuer, clients: clients) + #", "tokens": {\#(tokens)}"#)
    }

    mutating func post(_ path: String, _ body: String, _ fields: HTTPFields = HTTPFields()) -> Answer {
        var fields = fields
        fields.append("Content-Type", "application/x-www-form-urlencoded")
        fields.append("Host", "id.test")
        return base.send("POST \(path)", headers: fields, body: body)
    }

    mutating func token(_ body: String, _ fields: HTTPFields = HTTPFields()) -> Answer {
        post("/oauth/token", body, fields)
    }

    mutating func password(
        _ scope: String = "openid%20read%20write%20offline_access",
        _ fields: HTTPFields = HTTPFields()
    ) -> Answer {
        token("grant_type=password&\(Self.login)&scope=\(scope)", fields)
    }

    mutating func authorize(_ more: String = "", without name: String = "") -> Answer {
        base.send("GET /oauth/authorize?\(Self.request(more, without: name))", headers: ["Host": "id.test"])
    }

    /// The ID token of an account, by its password.
    mutating func identity(_ user: String, _ password: String, client: String = "client_id=app") -> String {
        let body = "grant_type=password&\(client)&username=\(user)&password=\(password)&scope=openid"
        return token(body).json["id_token"]?.string ?? ""
    }

    mutating func me(_ field: String) -> Int {
        base.send("GET /me", headers: ["Authorization": field, "Host": "id.test"]).status
    }

    /// Expects an error of the token endpoint that grants nothing.
    mutating func expect(
        _ status: Int,
        _ error: String,
        _ answer: Answer,
        _ comment: Comment? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == status, comment, sourceLocation: location)
        #expect(answer.json["error"] == .string(error), comment, sourceLocation: location)
        #expect(try base.lastExchange.granted.isEmpty, comment, sourceLocation: location)
    }
}

extension IssuerTestClient {
    static let accounts = """
        "accounts": {"ada": {"username": "ada", "password": "secret", "email": "ada@example.com", "name": "Ada"},
            "bob": {"username": "bob", "password": "hidden", "email": "bob@example.com", "name": "Bob"}}
        """

    static func backend(_ issuer: String, clients: String) -> String {
        """
        \(accounts), "issuer": {\(issuer)
            "scopes": ["openid", "profile", "email", "offline_access", "read", "write"], "clients": {\(clients)}},
        "routes": {"GET /me": {"requires": "access", "json": {"name": "{{account}}"}}}
        """
    }

    static let clients = """
        "app": {"redirects": ["app://callback"]},
        "web": {"secret": "s3cr:t%/+", "redirects": ["https://web.example/cb", "http://127.0.0.1/rp/cb"]},
        "svc": {"secret": "svcsecret"}, "any": {"redirects": ["*"]}, "two": {"redirects": ["app://one", "app://two"]}
        """

    static let login = "client_id=app&username=ada&password=secret"
    /// The example of RFC 7636, appendix B.
    static let (verifier, challenge) = (
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    )

    /// An authorization request of `app`, with other items in place of those of their names.
    static func request(_ more: String = "", without name: String = "") -> String {
        let usual = [
            "response_type=code", "client_id=app", "redirect_uri=app%3A%2F%2Fcallback", "state=x%26y", "scope=openid",
            "code_challenge=\(challenge)", "code_challenge_method=S256",
        ]
        let kept = usual.filter { item in name.isEmpty || !item.hasPrefix("\(name)=") }
        return (kept + (more.isEmpty ? [] : [more])).joined(separator: "&")
    }

    static func basic(_ user: String, _ password: String) -> HTTPFields {
        ["Authorization": "Basic \(Base64.encode(Array("\(user):\(password)".utf8)))"]
    }
}
