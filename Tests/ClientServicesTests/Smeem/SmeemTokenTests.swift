import ClientServices
import Foundation
import Testing

@Suite struct `Smeem's tokens` {
    let summary = "GET /api/v2/members/performance/summary"
    let renewal = "POST /api/v2/auth/token"

    @Test func `travel in one header, each kind to its own calls`() async throws {
        let bench = try SmeemBench(taking: "A0")
        _ = try await bench.service.performance()
        let sent = await bench.server.requests.map { "\($0.url.lastPathComponent) \($0.access ?? "")" }
        #expect(sent == ["summary Bearer A1", "token Bearer R1", "summary Bearer A2"])
    }

    @Test(arguments: [("null", "R1"), (#""R2""#, "R2")])
    func `keep the old refresh token when there is no new one`(member: String, kept: String) async throws {
        let bench = try SmeemBench { _, _ in .success(.smeem(#"{"accessToken": "A2", "refreshToken": \#(member)}"#)) }
        try await bench.service.refreshSession()
        #expect(await bench.store.tokens() == Tokens(access: "A2", refresh: kept))
    }

    @Test func `are not taken from an answer without the promised refresh token`() async throws {
        let bench = try SmeemBench { _, _ in .success(.smeem(#"{"accessToken": "A2"}"#)) }
        guard case .unreadable = await bench.error(of: bench.service.refreshSession) else {
            Issue.record("the answer was read")
            return
        }
        #expect(await bench.store.tokens() == .first)
    }

    @Test func `are given up when new ones are refused as well`() async throws {
        let bench = try SmeemBench { request, _ in
            request.url.path.hasSuffix("summary") ? .success(.smeemUnauthorized) : nil
        }
        #expect(await bench.errorOfCall() == .sessionEnded(.refused))
        #expect(await bench.server.requests.count == 3)
        #expect(try await bench.service.isSignedIn == false)
    }

    @Test(arguments: [404, 500, 503])
    func `survive a refresh that fails for another reason`(status: Int) async throws {
        let bench = try SmeemBench(taking: "A0") { request, _ in
            request.line == "POST /api/v2/auth/token" ? .success(.smeemRefusal(status, "[x] y")) : nil
        }
        #expect(await bench.errorOfCall()?.refusal?.status == status)
        #expect(await bench.store.tokens() == .first)
    }

    @Test(arguments: [
        StubServer.Answer.success(.smeemRefusal(429, "[너무 많은 요청] ")), .failure(.connectionLost), .failure(.timedOut),
    ])
    func `are asked for again when the server was busy or its answer was lost`(first: StubServer.Answer) async throws {
        let bench = try SmeemBench(taking: "A0") { request, count in
            request.line == "POST /api/v2/auth/token" && count == 1 ? first : nil
        }
        #expect(try await bench.service.performance().badgeCount == 4)
        #expect(await bench.server.count(renewal) == 2)
        #expect(bench.clock.pauses == [0.3])
    }

    @Test func `are asked for four times at most while the server is busy`() async throws {
        let bench = try SmeemBench { _, _ in .success(.smeemRefusal(429, "[너무 많은 요청] ")) }
        let error = await bench.error(of: bench.service.refreshSession)
        #expect(error?.refusal?.rule == "너무 많은 요청")
        #expect(await bench.server.count(renewal) == 4)
        #expect(try await bench.service.isSignedIn)
    }
}
