import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// The first thing that somebody does with Backlot, over sockets and without waiting anywhere.
@Suite(.timeLimit(.minutes(15)))
struct SmeemWalkTests {
    private let diaries = "/api/v2/diaries?start=2026-03-01&end=2026-03-31"

    private func withSmeem(
        _ file: String,
        _ kind: SelectorKind,
        _ body: (Stub) async throws -> Void
    ) async throws {
        let library = try ScenarioLibrary("\(Project.scenarios)/smeem/\(file)")
        try await withStub(library, { $0.selector = kind }, body)
    }

    @Test(arguments: SelectorKind.allCases)
    func `Tokens expire, are refreshed and expire for good`(kind: SelectorKind) async throws {
        try await withSmeem("backend.json", kind) { stub in
            let client = try stub.client()
            let signedIn = try client.call(
                .post,
                "/api/v2/auth",
                .bearer("from-kakao").adding("Content-Type", "application/json"),
                #"{"social":"KAKAO"}"#
            )
            #expect(signedIn.code == 201)
            let access = try #require(try signedIn.json["data"]?["accessToken"]?.string)
            let refresh = try #require(try signedIn.json["data"]?["refreshToken"]?.string)
            #expect(try client.get(diaries, .bearer(access)).code == 200)

            try stub.advance("2h")
            try stub.advance("1s")
            #expect(try client.get(diaries, .bearer(access)).code == 401)

            let refreshed = try client.call(.post, "/api/v2/auth/token", .bearer(refresh))
            #expect(refreshed.code == 200)
            let renewed = try #require(try refreshed.json["data"]?["accessToken"]?.string)
            #expect(try client.get(diaries, .bearer(renewed)).code == 200)

            try stub.advance("14d")
            let refused = try client.call(.post, "/api/v2/auth/token", .bearer(refresh))
            #expect(refused.code == 401)
            #expect(try refused.json["body"]?["success"] == false)
            #expect(try refused.json["statusCodeValue"] == 401)

            #expect(
                try rules(of: stub) == [
                    "POST /api/v2/auth 201: social valid",
                    "GET \(diaries) 200: access access-1 valid 0s old",
                    "GET \(diaries) 401: access access-1 expired 7201s old",
                    "POST /api/v2/auth/token 200: refresh refresh-1 valid 7201s old",
                    "GET \(diaries) 200: access access-2 valid 0s old",
                    "POST /api/v2/auth/token 401: refresh refresh-1 expired 1216801s old",
                ]
            )
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `The refresh token of the returning user is dead at the start`(kind: SelectorKind) async throws {
        try await withSmeem("splash-refresh-expired.json", kind) { stub in
            let devices = try #require(try stub.admin(.get, "tokens")["devices"]?.array)
            let token = try #require(devices.first?["tokens"]?.array?.first { $0["kind"] == "refresh" })
            #expect(token["state"] == "expired")
            let value = try #require(token["value"]?.string)
            let response = try stub.client().call(.post, "/api/v2/auth/token", .bearer(value))
            #expect(response.code == 401)
            #expect(
                try response.json == [
                    "headers": [:], "body": ["success": false, "message": "유효하지 않은 토큰 "],
                    "statusCode": "UNAUTHORIZED", "statusCodeValue": 401,
                ]
            )
        }
    }

    /// What the journal tells of each exchange, in one line.
    private func rules(of stub: Stub) throws -> [String] {
        let exchanges = try #require(try stub.admin(.get, "journal")["exchanges"]?.array)
        return exchanges.map { exchange in
            let tokens = (exchange["tokens"]?.array ?? []).map { token in
                [token["kind"]?.string, token["id"]?.string, token["state"]?.string]
                    .compactMap { $0 }.joined(separator: " ")
                    + (token["ageSeconds"]?.number.map { " \($0.text)s old" } ?? "")
            }
            let line = "\(exchange["method"]?.string ?? "") \(exchange["target"]?.string ?? "")"
            return "\(line) \(exchange["status"]?.number?.text ?? ""): \(tokens.joined(separator: ", "))"
        }
    }
}
