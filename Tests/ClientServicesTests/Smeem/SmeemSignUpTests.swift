import ClientServices
import Foundation
import Testing

@Suite struct `A sign-up at Smeem` {
    private func newcomer(
        _ answer: @escaping @Sendable (TransportRequest, Int) -> StubServer.Answer? = { _, _ in nil }
    ) async throws -> (SmeemBench, Smeem.SignUp) {
        let bench = try SmeemBench(nil) { request, count in
            if request.url.path == "/api/v2/auth" {
                let data = #"{"accessToken": "S1", "refreshToken": "R1", "isRegistered": false, "hasPlan": false}"#
                return .success(.smeem(data, status: 201))
            }
            if let answer = answer(request, count) { return answer }
            return request.url.path == "/api/v2/members" ? .success(.smeem(#"{"badges": []}"#)) : nil
        }
        guard case .unfinished(let signUp) = try await bench.service.signIn(with: .apple("apple-1")) else {
            throw SmeemError.signedOut
        }
        return (bench, signUp)
    }

    @Test func `holds its tokens apart until there is a nickname`() async throws {
        let (bench, signUp) = try await newcomer()
        #expect(signUp.needsGoal && signUp.needsNickname)
        #expect(await bench.store.tokens() == nil)
        try await signUp.choose(.develop, remindedAt: .usual, plan: 5)
        #expect(await bench.store.tokens() == nil)
        try await signUp.finish(as: try #require(Smeem.Nickname("밈밈")))
        #expect(await bench.store.tokens() == Tokens(access: "S1", refresh: "R1"))
        let sent = await bench.server.requests.dropFirst().map { $0.access }
        #expect(sent == ["Bearer S1", "Bearer S1"])
    }

    @Test func `renews its tokens without storing them`() async throws {
        let (bench, signUp) = try await newcomer { request, count in
            request.url.path == "/api/v2/members/plan" && count == 1 ? .success(.smeemUnauthorized) : nil
        }
        try await signUp.choose(.hobby, remindedAt: nil, plan: 1)
        #expect(await bench.store.tokens() == nil)
        try await signUp.finish(as: try #require(Smeem.Nickname("밈밈")))
        #expect(await bench.store.tokens()?.access == bench.taken.good.access)
    }

    @Test(arguments: [(500, "could not execute statement"), (400, "이미 존재하는 닉네임입니다.")])
    func `says that a nickname is taken, whatever the server's words`(status: Int, words: String) async throws {
        let (bench, signUp) = try await newcomer { request, count in
            switch request.url.lastPathComponent {
            case "members" where count == 1: .success(.smeemRefusal(status, words))
            case "check": .success(.smeem(#"{"isExist": true}"#))
            default: nil
            }
        }
        let taken = try #require(Smeem.Nickname("밈밈"))
        let error = await bench.error { () async throws(SmeemError) in try await signUp.finish(as: taken) }
        #expect(error == .refused(.nicknameTaken(taken)))
        #expect(try await bench.service.isSignedIn == false)
        try await signUp.finish(as: try #require(Smeem.Nickname("밈밈이")))
        #expect(try await bench.service.isSignedIn)
        #expect(await bench.server.count("POST /api/v2/auth") == 1)
    }

    @Test func `tells another failure as what it is`() async throws {
        let (bench, signUp) = try await newcomer { request, _ in
            switch request.url.lastPathComponent {
            case "members": .success(.smeemRefusal(500, "out of memory"))
            case "check": .success(.smeem(#"{"isExist": false}"#))
            default: nil
            }
        }
        let nickname = try #require(Smeem.Nickname("밈밈"))
        let error = await bench.error { () async throws(SmeemError) in try await signUp.finish(as: nickname) }
        #expect(error == .refused(.serverError(Smeem.Refusal(status: 500, message: "out of memory"))))
    }

    @Test(arguments: ["", " 밈", "밈밈밈밈밈밈밈밈밈밈밈"])
    func `sends no nickname that cannot be one`(text: String) {
        #expect(Smeem.Nickname(text) == nil)
    }
}
