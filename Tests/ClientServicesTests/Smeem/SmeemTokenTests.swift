import ClientServices
import Foundation
import Testing

@Suite struct `Smeem's tokens` {
    let summary = "GET /api/v2/members/performance/summary"
    let renewal = "POST /api/v2/auth/token"

    @Test func `are renewed once for six calls at a time, and each is sent again`() async throws {
        let bench = try SmeemBench(taking: "A0")
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...6 { group.addTask { try await bench.service.performance().diaryCount } }
            return try await group.reduce(0, +)
        }
        #expect(counts == 12)
        #expect(await bench.server.count(renewal) == 1)
        #expect(await bench.server.count(summary) <= 12)
        #expect(await bench.store.tokens()?.refresh == "R1")
        #expect(await bench.store.tokens()?.access == bench.taken.good.access)
    }

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

    @Test func `are forgotten once when the refresh token is refused, however many calls it costs`() async throws {
        let bench = try SmeemBench(taking: "A0") { request, _ in
            request.line == "POST /api/v2/auth/token" ? .success(.smeemUnauthorized) : nil
        }
        await bench.server.hold(6)
        let told = try await bench.events {
            let errors = await withTaskGroup(of: SmeemError?.self) { group in
                for _ in 1...6 { group.addTask { await bench.errorOfCall() } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.allSatisfy { $0 == .sessionEnded(.expired) })
            #expect(await bench.server.count(renewal) == 1)
            #expect(await bench.store.tokens() == nil)
        }
        #expect(told == [.ended(.expired)])
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

    @Test func `survive a refresh without a connection`() async throws {
        let bench = try SmeemBench(taking: "A0") { request, _ in
            request.line == "POST /api/v2/auth/token" ? .failure(.unreachable) : nil
        }
        #expect(await bench.errorOfCall() == .transport(.unreachable))
        #expect(try await bench.service.isSignedIn)
        #expect(await bench.server.count(renewal) == 1)
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
