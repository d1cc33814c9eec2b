import ClientServices
import Foundation
import Testing

@Suite struct `A session at Smeem` {
    @Test func `begins with the social token in the common header`() async throws {
        let setting = try SmeemSetting(tokens: nil)
        try await setting.service.signInAgain()
        #expect(await setting.stub.requests.first?.fields["Authorization"] == "Bearer kakao-1")
        #expect(await setting.firstBody == #"{"fcmToken":"","social":"KAKAO"}"#)
        #expect(await setting.store.tokens() == Tokens(access: "A1", refresh: "R1"))
    }

    @Test(arguments: [401, 503]) func `does not begin with a social token that is refused`(status: Int) async throws {
        let setting = try SmeemSetting(SmeemStub { _, _ in .success(.smeemRefusal(status, "카카오")) }, tokens: nil)
        let error = await setting.error(of: setting.service.signInAgain)
        #expect(error == .socialTokenRefused(Smeem.Refusal(status: status, message: "카카오")))
        #expect(await setting.stub.requests.count == 1)
        #expect(await setting.service.isSignedIn == false)
    }

    @Test(arguments: [
        TransportReply.smeem(#"{"accessToken": "A1", "isRegistered": true, "hasPlan": true}"#, status: 201),
        .smeem(#"{"accessToken": "A1", "refreshToken": "R1", "isRegistered": true}"#, status: 201),
        .smeem("null"),
        TransportReply(status: 200, body: Data("<!doctype html><p>Welcome".utf8)),
        TransportReply(status: 204),
        .smeemRefusal(200, "로그인 실패"),
    ])
    func `does not begin with an answer that cannot be read`(reply: TransportReply) async throws {
        let setting = try SmeemSetting(SmeemStub { _, _ in .success(reply) }, tokens: nil)
        guard case .unreadable(let unreadable) = await setting.error(of: setting.service.signInAgain) else {
            Issue.record("the answer was read")
            return
        }
        #expect(unreadable.body == reply.body)
        #expect(await setting.service.isSignedIn == false)
    }

    @Test func `ends once when its user signs out twice at a time`() async throws {
        let setting = try SmeemSetting()
        let events = await setting.service.events
        async let first: Void = setting.service.signOut()
        async let second: Void = setting.service.signOut()
        _ = try? await (first, second)
        #expect(await setting.stub.count("/api/v2/auth/sign-out") == 1)
        #expect(await setting.store.tokens() == nil)
        try await setting.service.signInAgain()
        #expect(await nextSmeemEvents(2, of: events) == [.ended(.signedOut), .signedIn])
    }

    @Test func `is over for a user who signs out of a session that is over`() async throws {
        let setting = try SmeemSetting(SmeemStub { _, _ in .success(.smeemUnauthorized) })
        try await setting.service.signOut()
        #expect(await setting.service.isSignedIn == false)
    }

    @Test(arguments: [TransportReply(status: 204), .smeem("null")])
    func `ends with a body and without one`(reply: TransportReply) async throws {
        let setting = try SmeemSetting(SmeemStub { _, _ in .success(reply) })
        try await setting.service.withdraw(because: .other)
        #expect(await setting.service.isSignedIn == false)
        #expect(await setting.firstBody == #"{"reason":"","withdrawType":"ETC"}"#)
    }

    @Test func `goes on when signing out fails`() async throws {
        let setting = try SmeemSetting(SmeemStub { _, _ in .failure(.unreachable) })
        #expect(await setting.error(of: setting.service.signOut) == .userError(.unreachable))
        #expect(await setting.service.isSignedIn)
    }

    @Test func `is needed for what is a member's own, and nothing is sent without one`() async throws {
        let setting = try SmeemSetting(tokens: nil)
        #expect(await setting.error(of: setting.service.visit) == .signedOut)
        #expect(await setting.stub.requests.isEmpty)
    }

    @Test func `is not needed for what newcomers see, and brings no token there`() async throws {
        let setting = try SmeemSetting(
            SmeemStub { _, _ in .success(.smeem(#"{"plans": [{"id": 5, "content": "주 5회"}]}"#)) }
        )
        #expect(try await setting.service.plans().map(\.id) == [5])
        #expect(await setting.stub.requests.first?.fields["Authorization"] == nil)
    }
}
