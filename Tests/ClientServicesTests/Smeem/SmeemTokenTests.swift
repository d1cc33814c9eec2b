import ClientServices
import Foundation
import Testing

@Suite struct `Smeem's tokens` {
    let path = "/api/v2/members/performance/summary"
    let tokenPath = "/api/v2/auth/token"

    @Test func `are renewed once for six calls at a time, and each is sent again`() async throws {
        let setting = try SmeemSetting(SmeemStub(taking: "A0"))
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...6 { group.addTask { try await setting.service.performance().diaryCount } }
            return try await group.reduce(0, +)
        }
        #expect(counts == 12)
        #expect(await setting.stub.count(tokenPath) == 1)
        #expect(await setting.stub.count(path) <= 12)
        #expect(await setting.store.tokens()?.refresh == "R1")
        #expect(await setting.store.tokens()?.access == setting.stub.goodToken)
    }

    @Test func `travel in one header, each kind to its own calls`() async throws {
        let setting = try SmeemSetting(SmeemStub(taking: "A0"))
        _ = try await setting.service.performance()
        let sent = await setting.stub.requests.map { "\($0.url.lastPathComponent) \($0.fields["Authorization"] ?? "")" }
        #expect(sent == ["summary Bearer A1", "token Bearer R1", "summary Bearer A2"])
    }

    @Test(arguments: [("null", "R1"), (#""R2""#, "R2")])
    func `keep the old refresh token when there is no new one`(member: String, kept: String) async throws {
        let setting = try SmeemSetting(
            SmeemStub { _, _ in .success(.smeem(#"{"accessToken": "A2", "refreshToken": \#(member)}"#)) }
        )
        try await setting.service.renewSession()
        #expect(await setting.store.tokens() == Tokens(access: "A2", refresh: kept))
    }

    @Test func `are not taken from an answer without the promised refresh token`() async throws {
        let setting = try SmeemSetting(SmeemStub { _, _ in .success(.smeem(#"{"accessToken": "A2"}"#)) })
        guard case .unreadable = await setting.error(of: setting.service.renewSession) else {
            Issue.record("the answer was read")
            return
        }
        #expect(await setting.store.tokens() == Tokens(access: "A1", refresh: "R1"))
    }

    @Test func `are forgotten once when the refresh token is refused, however many calls it costs`() async throws {
        let setting = try SmeemSetting(
            SmeemStub(taking: "A0") { request, _ in
                request.url.path == "/api/v2/auth/token" ? .success(.smeemUnauthorized) : nil
            }
        )
        let events = await setting.service.events
        let errors = await withTaskGroup(of: SmeemError?.self) { group in
            for _ in 1...6 { group.addTask { await setting.errorOfCall() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // Whoever came late has sent nothing.
        #expect(errors.allSatisfy { $0 == .sessionEnded(.expired) || $0 == .signedOut })
        #expect(errors.contains(.sessionEnded(.expired)))
        #expect(await setting.stub.count(tokenPath) == 1)
        #expect(await setting.store.tokens() == nil)
        try await setting.service.signInAgain()
        #expect(await nextSmeemEvents(2, of: events) == [.ended(.expired), .signedIn])
    }

    @Test func `are given up when new ones are refused as well`() async throws {
        let setting = try SmeemSetting(
            SmeemStub { request, _ in request.url.path.hasSuffix("summary") ? .success(.smeemUnauthorized) : nil }
        )
        #expect(await setting.errorOfCall() == .sessionEnded(.refused))
        #expect(await setting.stub.requests.count == 3)
        #expect(await setting.service.isSignedIn == false)
    }

    @Test(arguments: [404, 500, 503])
    func `survive a refresh that fails for another reason`(status: Int) async throws {
        let setting = try SmeemSetting(
            SmeemStub(taking: "A0") { request, _ in
                request.url.path == "/api/v2/auth/token" ? .success(.smeemRefusal(status, "[x] y")) : nil
            }
        )
        #expect(await setting.errorOfCall()?.refusal?.status == status)
        #expect(await setting.store.tokens() == Tokens(access: "A1", refresh: "R1"))
    }

    @Test func `survive a refresh without a connection`() async throws {
        let setting = try SmeemSetting(
            SmeemStub(taking: "A0") { request, _ in
                request.url.path == "/api/v2/auth/token" ? .failure(.unreachable) : nil
            }
        )
        #expect(await setting.errorOfCall() == .userError(.unreachable))
        #expect(await setting.service.isSignedIn)
        #expect(await setting.stub.count(tokenPath) == 1)
    }

    @Test(arguments: [
        SmeemStub.Answer.success(.smeemRefusal(429, "[너무 많은 요청] ")), .failure(.connectionLost), .failure(.timedOut),
    ])
    func `are asked for again when the server was busy or its answer was lost`(first: SmeemStub.Answer) async throws {
        let setting = try SmeemSetting(
            SmeemStub(taking: "A0") { request, earlier in
                request.url.path == "/api/v2/auth/token" && earlier == 0 ? first : nil
            }
        )
        #expect(try await setting.service.performance().badgeCount == 4)
        #expect(await setting.stub.count(tokenPath) == 2)
        #expect(await setting.clock.pauses == [0.3])
    }

    @Test func `are asked for four times at most while the server is busy`() async throws {
        let setting = try SmeemSetting(SmeemStub { _, _ in .success(.smeemRefusal(429, "[너무 많은 요청] ")) })
        let error = await setting.error(of: setting.service.renewSession)
        #expect(error?.refusal?.rule == "너무 많은 요청")
        #expect(await setting.stub.count(tokenPath) == 4)
        #expect(await setting.service.isSignedIn)
    }
}
