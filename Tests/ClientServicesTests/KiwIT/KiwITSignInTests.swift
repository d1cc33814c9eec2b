import ClientServices
import Foundation
import Testing

@Suite struct `Signing in to kiwIT, and out` {
    private let pair = #"{"accessToken":"A1","refreshToken":"R1"}"#

    @Test func `keeps the tokens before anything else is asked`() async throws {
        let bench = try KiwITBench(nil)
        await bench.server.on("POST /api/v1/user/sign-in", .response(200, pair))
        await bench.server.on("GET /api/v1/user", .response(500))
        #expect(try await bench.service.signIn(with: "from-kakao", from: .kakao) == .signedIn)
        await #expect(throws: KiwITError.refused(.invalidContent)) { try await bench.service.profile() }
        #expect(await bench.store.tokens() == .first)
        let request = try #require(await bench.server.requests.first)
        #expect(request.body == Data(#"{"provider":"KAKAO","token":"from-kakao"}"#.utf8))
        #expect(request.access == nil)
    }

    @Test func `tells what a sign-up is short of`() async throws {
        let bench = try KiwITBench(nil)
        await bench.server.on(
            "POST /api/v1/user/sign-in",
            .response(202, #"{"email":null,"nickname":"키위","provider":"KAKAO"}"#)
        )
        guard case .signUpRequired(let draft) = try await bench.service.signIn(with: "t", from: .kakao) else {
            Issue.record("nobody is signed in")
            return
        }
        #expect(draft.email == nil)
        #expect(draft.nickname == "키위")
        #expect(try await bench.service.isSignedIn == false)
    }

    @Test(arguments: [(400, KiwIT.Reason.invalidRequestBody), (500, .invalidContent), (503, .unexpectedStatus(503))])
    func `brings no session when it is refused`(_ status: Int, _ reason: KiwIT.Reason) async throws {
        let bench = try KiwITBench(nil)
        await bench.server.on("POST /api/v1/user/sign-up", .response(status))
        let signUp = KiwIT.SignUp(email: "a@example.com", nickname: "새싹", provider: .apple)
        await #expect(throws: KiwITError.refused(reason)) { try await bench.service.signUp(signUp) }
        #expect(try await bench.service.isSignedIn == false)
    }

    @Test func `signs out with new tokens where the old ones have expired`() async throws {
        let bench = try KiwITBench()
        bench.taken.expireAccess()
        let told = try await bench.events {
            try await bench.service.signOut()
            let out = "PATCH /api/v1/user/sign-out"
            #expect(await bench.server.lines == [out, "PATCH /api/v1/user/refresh", out])
            #expect(await bench.store.tokens() == nil)
        }
        #expect(told == [.ended(.signedOut)])
    }

    @Test(arguments: [StubServer.Answer.response(401), .response(500), .failure(.unreachable), .failure(.timedOut)])
    func `signs out here whatever becomes of the tokens`(_ answer: StubServer.Answer) async throws {
        let bench = try KiwITBench()
        bench.taken.expireAccess()
        await bench.server.on("PATCH /api/v1/user/refresh", answer)
        await #expect(throws: KiwITError.self) { try await bench.service.signOut() }
        #expect(await bench.store.tokens() == nil)
        #expect(await bench.server.count("PATCH /api/v1/user/sign-out") == 1)
    }

    @Test func `signs out once, however often it is tapped`() async throws {
        let bench = try KiwITBench()
        let told = try await bench.events {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...3 { group.addTask { try await bench.service.signOut() } }
                try await group.waitForAll()
            }
            try await bench.service.signOut()
            #expect(await bench.server.lines == ["PATCH /api/v1/user/sign-out"])
        }
        #expect(told == [.ended(.signedOut)])
    }

    @Test func `ends the session with the account, and not without`() async throws {
        let bench = try KiwITBench()
        await bench.server.on("DELETE /api/v1/user", .response(500), .response(200))
        await #expect(throws: KiwITError.refused(.invalidContent)) { try await bench.service.withdraw() }
        #expect(try await bench.service.isSignedIn)
        try await bench.service.withdraw()
        #expect(try await bench.service.isSignedIn == false)
    }

    @Test func `takes the address that the profile shows for a confirmation`() throws {
        let profile = try JSONDecoder().decode(
            KiwIT.Profile.self,
            from: Data(
                #"""
                {"id":42,"email":"runner.kim@example.com","nickname":"키위새싹","point":120,"plan":"GOLD","status":"BANNED"}
                """#.utf8
            )
        )
        #expect(profile.isConfirmed(by: " Runner.Kim@example.com "))
        #expect(!profile.isConfirmed(by: "42"))
        #expect(profile.plan == KiwIT.Plan(rawValue: "GOLD"))
        #expect(profile.status == .banned)
    }
}
