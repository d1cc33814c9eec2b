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
        }

        private let state: Lock<State>

        init(seed: UInt64) { state = Lock(State(generator: SeededGenerator(seed: seed))) }

        var secrets: Set<String> { state.withLock { $0.secrets } }

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
            let way = number(below: 3)
            let (access, refresh) = (secret(), secret())
            let names = [("accessToken", "refreshToken"), ("access_token", "refresh_token"), ("token", "refresh")]
            let (first, second) = names[number(below: 3)]
            var fields: HTTPFields = ["Content-Type": "application/json"]
            var body = #"{"\#(first)":"\#(Self.jsonText(access, way))","\#(second)":"\#(Self.jsonText(refresh, way))"}"#
            switch number(below: 9) {
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
                let items = (0..<50).map { #"{"id":\#($0),"apiToken":"\#(Self.jsonText(secret(), way))"}"# }
                body = "[\(items.joined(separator: ","))]"
            case 5: body = #"{"token":"\#(access)","token":"\#(refresh)"}"#
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
        func request() -> HTTPRequest {
            let known = secrets.sorted()
            func token() -> String { known.isEmpty ? secret() : known[number(below: known.count)] }
            let targets = [
                "/login", "/auth/refresh", "/me", "/orders/7", "/items?access_token=\(Self.encoded(token()))",
            ]
            var fields = HTTPFields()
            switch number(below: 5) {
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
                body = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret())\r\n--b--\r\n"
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
                for _ in 1...5 {
                    let client = try proxied.client()
                    for _ in 1...Self.requests {
                        let response = try client.exchange(random.request())
                        // The client gets the values that the journal hides.
                        #expect(response.status == 200 || response.status == 401)
                    }
                    client.close()
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
}
