import ClientServices
import Foundation
import Testing

@Suite struct `RunwithU's session` {
    private let profile = #"{"user_id":"u1","email":"e","nick":"n","followers":[],"following":[],"posts":[]}"#

    /// A server that takes `A2` and calls `A1` expired.
    private func expiring(_ refresh: @escaping @Sendable (Int) -> StubServer.Answer) throws -> RunwithUBench {
        try RunwithUBench { [profile] request, number in
            switch request.line {
            case "GET /v1/auth/refresh": refresh(number)
            case "POST /v1/users/login": nil
            case _ where request.access != "A2": .refusal(419)
            default: .response(200, request.line.contains("uploads") ? "" : profile)
            }
        }
    }

    @Test func `is renewed once for six calls, pictures among them`() async throws {
        let bench = try expiring { _ in .response(200, #"{"accessToken":"A2"}"#) }
        await bench.server.hold(6)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 1...3 {
                group.addTask { _ = try await bench.service.myProfile() }
                group.addTask { _ = try await bench.service.file(at: "uploads/posts/\(index).png") }
            }
            try await group.waitForAll()
        }
        #expect(await bench.server.count("GET /v1/auth/refresh") == 1)
        #expect(await bench.server.count(beginning: "GET /v1/u") == 12)
        #expect(await bench.store.tokens() == Tokens(access: "A2", refresh: "R1"))
    }

    @Test func `asks for a new token with the key and both old ones, raw`() async throws {
        let bench = try expiring { _ in .response(200, #"{"accessToken":"A2"}"#) }
        _ = try await bench.service.myProfile()
        let requests = await bench.server.requests
        #expect(requests.map { $0.fields["SesacKey"] } == ["key", "key", "key"])
        #expect(requests.map { $0.access } == ["A1", "A1", "A2"])
        #expect(requests.map { $0.fields["Refresh"] } == [nil, "R1", nil])
    }

    @Test func `sends a call again once, and ends when the new token is refused as well`() async throws {
        let bench = try RunwithUBench { request, number in
            request.line.hasSuffix("refresh") ? .response(200, #"{"accessToken":"A\#(number + 1)"}"#) : .refusal(419)
        }
        await #expect(throws: RunwithUError.sessionEnded(.refused)) { try await bench.service.myProfile() }
        #expect(
            await bench.server.lines == [
                "GET /v1/users/me/profile", "GET /v1/auth/refresh", "GET /v1/users/me/profile",
            ]
        )
        #expect(await bench.store.tokens() == nil)
    }

    @Test func `goes on with its token when the server calls it fresh`() async throws {
        let bench = try RunwithUBench { [profile] request, number in
            if request.line.hasSuffix("refresh") { return .refusal(409) }
            return number == 1 ? .refusal(419) : .response(200, profile)
        }
        #expect(try await bench.service.myProfile().id == "u1")
        #expect(await bench.store.tokens() == .first)
    }

    @Test(arguments: [401, 403, 418])
    func `ends when the refresh is refused, tells so once, and stores nothing`(status: Int) async throws {
        let bench = try expiring { _ in .refusal(status) }
        await bench.server.hold(6)
        let told = try await bench.events {
            await withTaskGroup(of: Void.self) { group in
                for _ in 1...6 {
                    group.addTask {
                        await #expect(throws: RunwithUError.sessionEnded(.expired)) {
                            try await bench.service.myProfile()
                        }
                    }
                }
            }
            await #expect(throws: RunwithUError.signedOut) { try await bench.service.myProfile() }
            #expect(await bench.server.count("GET /v1/auth/refresh") == 1)
            #expect(await bench.server.count(beginning: "POST") == 0)
            #expect(await bench.store.tokens() == nil)
        }
        #expect(told == [.ended(.expired)])
    }

    @Test(arguments: [420, 444, 500, 503])
    func `outlives a refresh that fails`(status: Int) async throws {
        let bench = try expiring { _ in .refusal(status) }
        await #expect(throws: RunwithUError.self) { try await bench.service.myProfile() }
        #expect(await bench.store.tokens() == .first)
        #expect(try await bench.service.isSignedIn)
    }

    @Test func `outlives being offline`() async throws {
        let bench = try RunwithUBench { _, _ in .failure(.unreachable) }
        await #expect(throws: RunwithUError.transport(.unreachable)) { try await bench.service.myProfile() }
        #expect(await bench.store.tokens() != nil)
    }

    @Test func `asks again for a new token when there were too many calls, or the answer was lost`() async throws {
        let bench = try expiring { number in
            switch number {
            case 1: .refusal(429)
            case 2: .failure(.connectionLost)
            default: .response(200, #"{"accessToken":"A2"}"#)
            }
        }
        #expect(try await bench.service.myProfile().id == "u1")
        #expect(bench.clock.pauses.count == 2)
        #expect(await bench.store.tokens() == Tokens(access: "A2", refresh: "R1"))
    }

    @Test func `renews a token that the server cannot place`() async throws {
        let bench = try RunwithUBench { [profile] request, number in
            if request.line.hasSuffix("refresh") { return .response(200, #"{"accessToken":"A2"}"#) }
            return number == 1 ? .refusal(401) : .response(200, profile)
        }
        #expect(try await bench.service.myProfile().id == "u1")
    }

    @Test func `takes no empty token`() async throws {
        let bench = try expiring { _ in .response(200, #"{"accessToken":""}"#) }
        await #expect(throws: RunwithUError.self) { try await bench.service.myProfile() }
        #expect(await bench.store.tokens() == .first)
    }

    @Test func `is over at once when the user says so, and sends nothing more`() async throws {
        let bench = try expiring { _ in .response(200, #"{"accessToken":"A2"}"#) }
        try await bench.service.signOut()
        try await bench.service.signOut()
        await #expect(throws: RunwithUError.signedOut) { try await bench.service.myProfile() }
        await #expect(throws: RunwithUError.signedOut) { try await bench.service.file(at: "uploads/posts/a.png") }
        #expect(await bench.server.requests.isEmpty)
        #expect(await bench.store.tokens() == nil)
    }

    @Test func `begins with a login, and survives one that fails`() async throws {
        let bench = try RunwithUBench { request, _ in
            request.text.contains("run1234") ? nil : .refusal(401, "계정을 확인해주세요.")
        }
        await #expect(throws: RunwithUError.refused(.wrongCredentials(message: "계정을 확인해주세요."))) {
            try await bench.service.signIn(email: "e", password: "other")
        }
        #expect(await bench.store.tokens() == .first)
        #expect(try await bench.service.signIn(email: "e", password: "run1234").id == "u1")
        #expect(await bench.store.tokens() == Tokens(access: "A9", refresh: "R9"))
        #expect(await bench.server.requests.allSatisfy { $0.access == nil })
    }

    @Test func `ends with the account`() async throws {
        let bench = try RunwithUBench { _, _ in
            .response(200, #"{"user_id":"u1","email":"e","nick":"n"}"#)
        }
        try await bench.service.withdraw()
        #expect(await bench.server.lines == ["GET /v1/users/withdraw"])
        #expect(await bench.store.tokens() == nil)
    }
}
