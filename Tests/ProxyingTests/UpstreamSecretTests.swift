import Basics
import Checking
import Foundation
import HTTPCodec
import HTTPServing
import JSON
import Proxying
import ScenarioFormat
import StubServing
import TestSupport
import Testing

/// Secrets of an upstream in random sessions: none of them is shown or saved.
@Suite(.timeLimit(.minutes(15)))
struct UpstreamSecretTests {
    /// A server whose every response has other secrets at other places.
    final class RandomServer: Sendable {
        private struct State {
            var generator: SeededGenerator
            var secrets: Set<String> = []
            var grants: Set<String> = []
        }

        private let state: Lock<State>

        init(seed: UInt64) { state = Lock(State(generator: SeededGenerator(seed: seed))) }

        var secrets: Set<String> { state.withLock { $0.secrets } }

        /// The tokens that were handed out where a proxy with a vault replaces them.
        var grants: Set<String> { state.withLock { $0.grants } }

        func number(below limit: Int) -> Int { state.withLock { Int.random(in: 0..<limit, using: &$0.generator) } }

        /// A secret with letters of a random alphabet.
        func secret() -> String {
            let alphabets = [
                "0123456789abcdef", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
                "0123456789abcdefghijklmnopqrstuv~.",
            ].map(Array.init)
            let alphabet = alphabets[number(below: alphabets.count)]
            // The middle has no sign that could divide it.
            let text =
                "Q" + String((0..<20 + number(below: 30)).map { _ in alphabet[number(below: alphabet.count)] }) + "Z7w"
            state.withLock { _ = $0.secrets.insert(text) }
            return text
        }

        /// A token that is handed out.
        private func grant() -> String {
            let grant = secret()
            state.withLock { _ = $0.grants.insert(grant) }
            return grant
        }

        private static func jsonText(_ text: String, _ way: Int) -> String {
            switch way {
            case 0: text
            case 1: text.replacing("/", with: #"\/"#)
            default: text.replacing("+", with: #"\u002B"#).replacing("/", with: #"\u002f"#)
            }
        }

        private static func encoded(_ text: String) -> String {
            text.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("~", with: "%7E")
        }

        func respond(to request: HTTPRequest) -> HTTPResponse {
            let (way, kind) = (number(below: 3), number(below: 13))
            // The places of secrets in other bodies are unknown.
            let isReadable = kind != 3 && kind != 7
            let (access, refresh) = isReadable ? (grant(), grant()) : (secret(), secret())
            let names = [("accessToken", "refreshToken"), ("access_token", "refresh_token"), ("token", "refresh")]
            let (first, second) = names[number(below: 3)]
            var fields: HTTPFields = ["Content-Type": "application/json"]
            var body = #"{"\#(first)":"\#(Self.jsonText(access, way))","\#(second)":"\#(Self.jsonText(refresh, way))"}"#
            switch kind {
            case 0: body = #"{"data":{"session":\#(body),"expiresIn":60}}"#
            case 1:
                fields = ["Content-Type": "application/x-www-form-urlencoded"]
                body = "\(first)=\(Self.encoded(access))&\(second)=\(Self.encoded(refresh))&token_type=bearer"
            case 2:
                fields.append("Set-Cookie", "sid=\(Self.encoded(access)); Path=/; HttpOnly")
                fields.append("X-Auth-Token", refresh)
                body = "{}"
            case 3:
                fields = ["Content-Type": "text/html"]
                body = "<input name=token value='\(access)'><script>var t = \"\(Self.jsonText(refresh, way))\"</script>"
            case 4:
                let items = (0..<50).map { #"{"id":\#($0),"apiToken":"\#(Self.jsonText(grant(), way))"}"# }
                body = "[\(items.joined(separator: ","))]"
            case 5: body = #"{"token":"\#(access)","token":"\#(refresh)"}"#
            case 8:
                let place = "\(Self.encoded(access))&state=1#refresh_token=\(Self.encoded(refresh))"
                fields = ["Location": "/callback?access_token=\(place)"]
                return HTTPResponse(status: HTTPStatus(302), fields: fields)
            case 9:
                fields.append("Set-Cookie", "session=\(Self.encoded(access)); Path=/")
                body = #"{"error":"expired","\#(first)":"\#(Self.jsonText(refresh, way))"}"#
                return HTTPResponse(status: .unauthorized, fields: fields, body: Array(body.utf8))
            case 6:
                fields.append("Content-Encoding", "gzip")
                return HTTPResponse(status: .ok, fields: fields, body: Gzip.stored(Array(body.utf8)))
            case 7:
                let echo = request.fields["Authorization"] ?? request.fields["Cookie"] ?? ""
                fields.append("WWW-Authenticate", "Bearer error=\"invalid_token\"")
                body = #"{"error":"The token \#(Self.jsonText(echo, way)) is not valid","password":"\#(access)"}"#
                return HTTPResponse(status: .unauthorized, fields: fields, body: Array(body.utf8))
            default: break
            }
            return HTTPResponse(status: .ok, fields: fields, body: Array(body.utf8))
        }

        /// A request with secrets of earlier responses.
        ///
        /// - Parameter hasGrants: Whether the client has the tokens that were handed out.
        func request(hasGrants: Bool) -> HTTPRequest {
            let known = (hasGrants ? secrets : secrets.subtracting(grants)).sorted()
            func token() -> String { known.isEmpty ? secret() : known[number(below: known.count)] }
            let targets = [
                "/login", "/auth/refresh", "/me", "/orders/7", "/items?access_token=\(Self.encoded(token()))",
            ]
            var fields = HTTPFields()
            switch number(below: 7) {
            case 4: fields.append("Referer", "http://app.example/cart#access_token=\(Self.encoded(token()))")
            case 5: fields.append("X-Auth-Token", "Token id=7, key=\(secret())")
            case 0: fields.append("X-Ticket", secret())
            case 1: fields.append("Authorization", "Bearer \(token())")
            case 2: fields.append("Cookie", "sid=\(Self.encoded(token()))")
            case 3: fields.append("X-Api-Token", token())
            default: break
            }
            let target = targets[number(below: targets.count)]
            var body = ""
            switch number(below: 5) {
            case 0:
                fields.append("Content-Type", "application/json")
                body = #"{"refreshToken":"\#(Self.jsonText(token(), number(below: 3)))","password":"\#(secret())"}"#
            case 1:
                fields.append("Content-Type", "application/x-www-form-urlencoded")
                body =
                    "grant_type=refresh_token&refresh_token=\(Self.encoded(token()))&client_secret=\(Self.encoded(secret()))"
            case 2:
                fields.append("Content-Type", "multipart/form-data; boundary=b")
                let file = number(below: 2) == 0 ? "; filename=\"keys.txt\"" : ""
                let disposition = "Content-Disposition: form-data; name=\"password\"\(file)"
                body = "--b\r\n\(disposition)\r\n\r\n\(secret())\r\n--b--\r\n"
            case 3:
                fields.append("Content-Type", "application/xml")
                body = "<login><password>\(secret())</password></login>"
            default: break
            }
            return HTTPRequest(
                method: body.isEmpty ? .get : .post,
                target: target,
                fields: fields,
                body: Array(body.utf8)
            )
        }
    }

    /// The number of requests of a session.
    private static let requests = 8

    @Test(arguments: 1...6 as ClosedRange<UInt64>, [false, true])
    func `No secret of random sessions is shown or saved`(seed: UInt64, keepsTokens: Bool) async throws {
        let random = RandomServer(seed: seed)
        let recorder = TrafficRecorder()
        try await RawUpstream.run { request, _ in
            .now(OutgoingResponse(random.respond(to: request)))
        } _: { _, url in
            let kinds = try CapturedTokens.DeclaredKind.all(in: "ticket=header:X-Ticket")
            try await withProxy(to: url, kinds: kinds, recorder: recorder, keepsTokens: keepsTokens) { proxied in
                var received: [[UInt8]] = []
                for _ in 1...5 {
                    let client = try proxied.client()
                    for _ in 1...Self.requests {
                        let response = try client.exchange(random.request(hasGrants: !keepsTokens))
                        #expect([200, 302, 401].contains(response.status.code))
                        guard keepsTokens else { continue }
                        // Without a vault, the client gets the values that the journal hides.
                        received += [response.body] + response.fields.map { Array($1.utf8) }
                    }
                    client.close()
                }
                let whole = Data(received.joined(separator: [10]))
                for grant in random.grants {
                    for part in grant.split(whereSeparator: { "+/~.".contains($0) }) where part.utf8.count >= 8 {
                        guard let range = whole.range(of: Data(part.utf8)) else { continue }
                        let place = String(decoding: whole[..<range.lowerBound].suffix(200), as: UTF8.self)
                        Issue.record("the client has got \(grant) after \(place)")
                    }
                }
                var shown = ["log": proxied.log.text]
                for part in ["journal", "changes", "tokens", "verdict", "collections"] {
                    shown[part] = try proxied.client().get("/__backlot/\(part)").text
                }
                let session = try CapturedSession(recorder.capture, CapturedSession.Options())
                for isExact in [false, true] {
                    let draft = try BackendDraft(session, named: "upstream", schemaPath: nil, isExact: isExact)
                    #expect(!draft.files.isEmpty)
                    for file in draft.files {
                        shown["\(isExact ? "exact" : "edited") \(file.path)"] = String(
                            decoding: file.bytes,
                            as: UTF8.self
                        )
                    }
                }
                #expect(try proxied.journal().count == 5 * Self.requests)
                #expect(shown["journal"]?.contains("X-Ticket") == true)
                // A search for bytes takes a small part of the time of one for characters.
                let texts = shown.map { (name: $0, text: $1, bytes: Data($1.utf8)) }
                for secret in random.secrets {
                    // Its signs may divide it, or be written in another way.
                    for part in secret.split(whereSeparator: { "+/~.".contains($0) }) where part.utf8.count >= 8 {
                        for (name, text, bytes) in texts where bytes.range(of: Data(part.utf8)) != nil {
                            let place = text.ranges(of: part).first.map { text[..<$0.lowerBound].suffix(200) } ?? ""
                            Issue.record("\(name) contains \(secret) after \(place)")
                        }
                    }
                }
            }
        }
    }

    /// One message with a secret where its names, its syntax or a standard say that it is one.
    struct Case: CustomTestStringConvertible, Sendable {
        static let secret = "Zq7mK2vX9sLp4Rt8Wn3Yb6Hd"

        var testDescription: String
        var request: HTTPRequest
        var response: HTTPResponse

        init(
            _ description: String,
            target: String = "/things",
            _ fields: HTTPFields = [:],
            body: String = "",
            responds responseFields: HTTPFields = [:],
            _ response: String = "",
            status: HTTPStatus = .ok
        ) {
            testDescription = description
            let method: HTTPMethod = body.isEmpty ? .get : .post
            request = HTTPRequest(method: method, target: target, fields: fields, body: Array(body.utf8))
            self.response = HTTPResponse(status: status, fields: responseFields, body: Array(response.utf8))
        }
    }

    private static let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
    private static let json: HTTPFields = ["Content-Type": "application/json"]

    static let cases: [Case] = [
        Case("JSON with the type of a form", target: "/login", form, body: #"{"user":"ada","password":"SECRET"}"#),
        Case("JSON with the type of a form in a response", responds: form, #"{"access_token":"SECRET"}"#),
        Case("token in a fragment", responds: ["Location": "/cb#access_token=SECRET&x=1"], status: HTTPStatus(302)),
        Case("token in a query", responds: ["Location": "/cb?access_token=SECRET"], status: HTTPStatus(302)),
        Case("refresh field", responds: ["Refresh": "0; url=/cb?access_token=SECRET"]),
        Case("link field", responds: ["Link": #"</next?access_token=SECRET>; rel="next""#]),
        Case("tokens in an array", responds: json, #"{"accessTokens":["SECRET"]}"#),
        Case("passwords in an array", json, body: #"{"password":["SECRET"]}"#),
        Case("passwords in an object", json, body: #"{"password":{"new":"SECRET"}}"#),
        Case("token as an object", responds: json, #"{"token":{"value":"SECRET","type":"bearer"}}"#),
        Case("id of a session", responds: json, #"{"session":{"id":"SECRET"}}"#),
        Case("name and value", responds: json, #"[{"name":"access_token","value":"SECRET"}]"#),
        Case("JSON in JSON", responds: json, #"{"payload":"{\"access_token\":\"SECRET\"}"}"#),
        Case("URL in JSON", responds: json, #"{"next":"https://x.example/cb?a=1#id_token=SECRET"}"#),
        Case("field in JSON", responds: json, #"{"try":"curl -H 'Authorization: Bearer SECRET'"}"#),
        Case("query of GraphQL", json, body: #"{"query":"mutation{login(password:\"SECRET\"){id}}"}"#),
        Case(
            "password of a basic scheme",
            ["Authorization": "Basic \(Base64.encode(Array("ada:SECRET".utf8)))"],
            responds: json,
            #"{"who":"SECRET"}"#
        ),
        Case("several words", ["X-Auth-Token": "Token id=7, key=SECRET"]),
        Case("URL with a password", ["Referer": "https://ada:SECRET@app.example/"]),
        Case("path parameter", target: "/a;jsessionid=SECRET/b"),
        Case("query with semicolons", target: "/f?x=1;api_key=SECRET"),
        Case("signed URL", target: "/f?X-Amz-Signature=SECRET"),
        Case("cookie without a name", ["Cookie": "SECRET"], responds: ["Set-Cookie": "SECRET; Path=/"]),
        Case("authorization code", form, body: "grant_type=authorization_code&code=SECRET&code_verifier=SECRET"),
        Case("code in JSON", json, body: #"{"grant_type":"authorization_code","code":"SECRET"}"#),
        Case("JSON in a form", form, body: "payload=%7B%22password%22%3A+%22SECRET%22%7D"),
        Case("URL in a query", target: "/go?next=%2Fcb%3Faccess_token%3DSECRET"),
        Case("pass", json, body: #"{"pass":"SECRET"}"#),
        Case("protocol of a WebSocket", ["Sec-WebSocket-Protocol": "bearer, SECRET"]),
        Case(
            "JSON in a part",
            ["Content-Type": "multipart/form-data; boundary=b"],
            body: "--b\r\nContent-Disposition: form-data; name=\"m\"\r\n\r\n{\"password\":\"SECRET\"}\r\n--b--\r\n"
        ),
        Case("assertion", form, body: "grant_type=urn%3Ax&assertion=SECRET"),
        Case(
            "redirection to another server",
            responds: ["Location": "https://b.example/r/SECRET"],
            status: HTTPStatus(302)
        ),
    ]

    @Test(arguments: cases) func `A secret is neither shown nor saved`(of example: Case) async throws {
        func filled(_ text: String) -> String { text.replacing("SECRET", with: Case.secret) }
        var request = example.request.retargeted(filled(example.request.target))
        request.fields = request.fields.mapValues { value in
            guard value.hasPrefix("Basic ") else { return filled(value) }
            return "Basic \(Base64.encode(Array("ada:\(Case.secret)".utf8)))"
        }
        request.body = Array(filled(String(decoding: request.body, as: UTF8.self)).utf8)
        var response = example.response
        response.fields = response.fields.mapValues(filled)
        response.body = Array(filled(String(decoding: response.body, as: UTF8.self)).utf8)
        let recorder = TrafficRecorder()
        try await RawUpstream.run { [response] _, _ in
            .now(OutgoingResponse(response))
        } _: { _, url in
            try await withProxy(to: url, recorder: recorder) { proxied in
                _ = try proxied.client().exchange(request)
                var shown = ["log": proxied.log.text]
                for part in ["journal", "changes", "tokens"] {
                    shown[part] = try proxied.client().get("/__backlot/\(part)").text
                }
                #expect(try proxied.journal().count == 1)
                if let session = try? CapturedSession(recorder.capture, CapturedSession.Options()) {
                    let draft = try BackendDraft(session, named: "upstream", schemaPath: nil, isExact: true)
                    for file in draft.files { shown[file.path] = String(decoding: file.bytes, as: UTF8.self) }
                }
                for (name, text) in shown where text.contains(Case.secret) {
                    let place = text.ranges(of: Case.secret).first.map { text[..<$0.lowerBound].suffix(200) } ?? ""
                    Issue.record("\(name) contains the secret after \(place)")
                }
            }
        }
    }

    @Test func `The journal has no file of an upload that is refused here`() async throws {
        try await RawUpstream.run { request, _ in
            let token = #"{"access_token":"0123456789abcdef0123456789abcdef","expires_in":60}"#
            return .now(OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: token)))
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let token = try proxied.client().call(.post, "/login", Self.json, #"{"user":"ada"}"#)
                    .json["access_token"]?.string
                try proxied.advance("2m")
                var fields = HTTPFields.bearer(try #require(token))
                fields.append("Content-Type", "multipart/form-data; boundary=b")
                let disposition = #"Content-Disposition: form-data; name="file"; filename="keys.txt""#
                let body = "--b\r\n\(disposition)\r\n\r\n\(Case.secret)\r\n--b--\r\n"
                #expect(try proxied.client().call(.post, "/upload", fields, body).status == 401)
                #expect(upstream.requests.count == 1)
                let journal = try proxied.client().get("/__backlot/journal").text
                #expect(journal.contains("/upload"))
                #expect(!journal.contains(Case.secret))
            }
        }
    }
}
