import ClientServices
import Foundation
import Testing

@Suite struct `A session at Smeem` {
    @Test func `begins with the social token in the common header`() async throws {
        let bench = try SmeemBench(nil)
        try await bench.service.signInAsBefore()
        #expect(await bench.server.requests.first?.access == "Bearer kakao-1")
        #expect(await bench.firstBody == #"{"fcmToken":"","social":"KAKAO"}"#)
        #expect(await bench.store.tokens() == .first)
    }

    @Test(arguments: [401, 503]) func `does not begin with a social token that is refused`(status: Int) async throws {
        let bench = try SmeemBench(nil) { _, _ in .success(.smeemRefusal(status, "카카오")) }
        let error = await bench.error(of: bench.service.signInAsBefore)
        #expect(error == .refused(.socialTokenRefused(Smeem.Refusal(status: status, message: "카카오"))))
        #expect(await bench.server.requests.count == 1)
        #expect(try await bench.service.isSignedIn == false)
    }

    @Test(arguments: [
        TransportResponse.smeem(#"{"accessToken": "A1", "isRegistered": true, "hasPlan": true}"#, status: 201),
        .smeem(#"{"accessToken": "A1", "refreshToken": "R1", "isRegistered": true}"#, status: 201),
        .smeem("null"),
        TransportResponse(status: 200, body: Data("<!doctype html><p>Welcome".utf8)),
        TransportResponse(status: 204),
        .smeemRefusal(200, "로그인 실패"),
    ])
    func `does not begin with an answer that cannot be read`(response: TransportResponse) async throws {
        let bench = try SmeemBench(nil) { _, _ in .success(response) }
        guard case .unreadable(let unreadable) = await bench.error(of: bench.service.signInAsBefore) else {
            Issue.record("the answer was read")
            return
        }
        #expect(unreadable.body == response.body)
        #expect(try await bench.service.isSignedIn == false)
    }

    @Test func `ends once when its user signs out twice at a time`() async throws {
        let bench = try SmeemBench()
        let told = try await bench.events {
            async let first: Void = bench.service.signOut()
            async let second: Void = bench.service.signOut()
            _ = try? await (first, second)
            #expect(await bench.server.count("POST /api/v2/auth/sign-out") == 1)
            #expect(await bench.store.tokens() == nil)
        }
        #expect(told == [.ended(.signedOut)])
    }

    @Test func `is over for a user who signs out of a session that is over`() async throws {
        let bench = try SmeemBench { _, _ in .success(.smeemUnauthorized) }
        try await bench.service.signOut()
        #expect(try await bench.service.isSignedIn == false)
    }

    @Test func `is over for a user who deletes the account in a session that is over, and the account is not`()
        async throws
    {
        let bench = try SmeemBench { _, _ in .success(.smeemUnauthorized) }
        let error = await bench.error(of: { () async throws(SmeemError) in
            try await bench.service.withdraw(because: .other)
        })
        guard case .sessionEnded = error else {
            Issue.record("wanted sessionEnded, but got \(String(describing: error))")
            return
        }
        #expect(try await bench.service.isSignedIn == false)
    }

    @Test(arguments: [TransportResponse(status: 204), .smeem("null")])
    func `ends with a body and without one`(response: TransportResponse) async throws {
        let bench = try SmeemBench { _, _ in .success(response) }
        try await bench.service.withdraw(because: .other)
        #expect(try await bench.service.isSignedIn == false)
        #expect(await bench.firstBody == #"{"reason":"","withdrawType":"ETC"}"#)
    }

    @Test func `goes on when signing out fails`() async throws {
        let bench = try SmeemBench { _, _ in .failure(.unreachable) }
        #expect(await bench.error(of: bench.service.signOut) == .transport(.unreachable))
        #expect(try await bench.service.isSignedIn)
    }

    @Test func `is needed for what is a member's own, and nothing is sent without one`() async throws {
        let bench = try SmeemBench(nil)
        #expect(await bench.error(of: bench.service.visit) == .signedOut)
        #expect(await bench.server.requests.isEmpty)
    }

    @Test func `is not needed for what newcomers see, and brings no token there`() async throws {
        let bench = try SmeemBench { _, _ in .success(.smeem(#"{"plans": [{"id": 5, "content": "주 5회"}]}"#)) }
        #expect(try await bench.service.plans().map(\.id) == [5])
        #expect(await bench.server.requests.first?.access == nil)
    }
}
