import ClientServices
import Foundation
import Testing

private let profile =
    #"{"posts": [], "followers": [], "following": [], "_id": "656f1c0ac91bb39798f0a002", "nick": "n"}"#

@Suite struct `WhipIt's refresh` {
    @Test func `carries the key and both tokens, and its new token goes with what is sent again`() async throws {
        let bench = try WhipItBench()
        await bench.expire("GET /profile/u", body: profile)
        _ = try await bench.service.profile(of: "u")
        let requests = await bench.server.requests
        #expect(requests.map(\.line) == ["GET /profile/u", "GET /refresh", "GET /profile/u"])
        #expect(requests.map(\.access) == ["A1", "A1", "A2"])
        #expect(requests.map { $0.fields["Refresh"] } == [nil, "R1", nil])
        #expect(requests.allSatisfy { $0.fields["SesacKey"] == "key" })
        #expect(await bench.store.tokens() == Tokens(access: "A2", refresh: "R1"))
    }

    @Test func `is one for six calls that expire together`() async throws {
        let bench = try WhipItBench()
        await bench.expire("GET /profile/u", body: profile)
        await bench.server.hold(6)
        try await withThrowingTaskGroup { group in
            for _ in 1...6 { group.addTask { _ = try await bench.service.profile(of: "u") } }
            try await group.waitForAll()
        }
        #expect(await bench.server.count("GET /refresh") == 1)
        #expect(await bench.server.requests("GET /profile/u").filter { $0.access == "A2" }.count == 6)
    }

    @Test(arguments: [401, 403, 418])
    func `ends the session once for six calls when it is refused`(status: Int) async throws {
        let bench = try WhipItBench()
        await bench.server.on("GET /profile/u", .refusal(419))
        await bench.server.on("GET /refresh", .refusal(status))
        await bench.server.hold(6)
        let told = try await bench.events {
            await withTaskGroup { group in
                for _ in 1...6 {
                    group.addTask {
                        await #expect(throws: WhipItError.sessionEnded(.expired)) {
                            try await bench.service.profile(of: "u")
                        }
                    }
                }
            }
            #expect(await bench.server.count("GET /refresh") == 1)
            #expect(await bench.store.tokens() == nil)
        }
        #expect(told == [.ended(.expired)])
    }

    @Test func `is not needed when the server says that the token is still good`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("GET /refresh", .refusal(409))
        try await bench.service.refreshSession()
        #expect(await bench.store.tokens() == .first)
    }

    @Test func `is tried again after a pause when the server is busy or its answer was lost`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("GET /refresh") { _, count in
            switch count {
            case 1: .failure(.connectionLost)
            case 2: .refusal(429)
            case 3: .refusal(500)
            default: .response(200, #"{"token": "A2"}"#)
            }
        }
        try await bench.service.refreshSession()
        #expect(bench.clock.pauses == [0.3, 0.6, 1])
        #expect(await bench.store.tokens()?.access == "A2")
    }

    static let passing: [(StubServer.Answer, WhipItError)] = [
        (.failure(.unreachable), .transport(.unreachable)),
        (.failure(.timedOut), .transport(.timedOut)),
        (.refusal(419), .refused(.status(.accessTokenExpired, message: "no"))),
        (.refusal(420), .refused(.status(.invalidAppKey, message: "no"))),
        (.refusal(429), .refused(.status(.tooManyCalls, message: "no"))),
        (.refusal(500), .refused(.status(.serverError, message: "no"))),
        (.response(503, ""), .refused(.unknownStatus(503, message: nil))),
    ]

    @Test(arguments: passing)
    func `keeps the tokens whatever else it fails with`(_ answer: StubServer.Answer, error: WhipItError) async throws {
        let bench = try WhipItBench()
        await bench.server.on("GET /refresh", answer)
        let told = try await bench.events {
            await #expect(throws: error) { try await bench.service.refreshSession() }
            #expect(await bench.store.tokens() == .first)
            #expect(await bench.server.count("GET /refresh") <= 4)
        }
        #expect(told.isEmpty)
    }

    @Test(arguments: [#"{"token": ""}"#, "{}", "", "<html>"])
    func `stores nothing that is no token`(body: String) async throws {
        let bench = try WhipItBench()
        await bench.server.on("GET /refresh", .response(200, body))
        await #expect(throws: WhipItError.self) { try await bench.service.refreshSession() }
        #expect(await bench.store.tokens() == .first)
    }

    @Test func `ends the session when its token is refused as well`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("GET /profile/u", .refusal(419))
        await bench.server.on("GET /refresh") { _, _ in .response(200, #"{"token": "A2"}"#) }
        let told = try await bench.events {
            await #expect(throws: WhipItError.sessionEnded(.refused)) { try await bench.service.profile(of: "u") }
            #expect(await bench.server.requests.count == 3)
        }
        #expect(told == [.ended(.refused)])
    }

    @Test func `is not asked for after 401, 418, 403 or 420`() async throws {
        for (status, isOver) in [(401, true), (418, true), (403, false), (420, false)] {
            let bench = try WhipItBench()
            await bench.server.on("GET /profile/u", .refusal(status))
            await #expect(throws: WhipItError.self) { try await bench.service.profile(of: "u") }
            #expect(await bench.server.requests.count == 1)
            #expect(await (bench.store.tokens() == nil) == isOver)
        }
    }
}

@Suite struct `WhipIt's session` {
    @Test func `begins with a login that carries no token of the one before`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("POST /login") { _, _ in
            .response(200, #"{"_id": "656f1c0ac91bb39798f0a001", "token": "A7", "refreshToken": "R7"}"#)
        }
        let session = try await bench.service.signIn(email: "mina@example.com", password: "whip1234")
        #expect(session.userID == "656f1c0ac91bb39798f0a001")
        let login = try #require(await bench.server.requests.first)
        #expect(login.access == nil)
        #expect(login.fields["Refresh"] == nil)
        #expect(login.text == #"{"email":"mina@example.com","password":"whip1234"}"#)
        #expect(await bench.store.tokens() == Tokens(access: "A7", refresh: "R7"))
    }

    @Test func `survives a wrong password`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("POST /login", .refusal(401))
        await #expect(throws: WhipItError.refused(.status(.unauthorized, message: "no"))) {
            try await bench.service.signIn(email: "mina@example.com", password: "x")
        }
        #expect(try await bench.service.isSignedIn)
    }

    @Test func `ends once, however often its user signs out`() async throws {
        let bench = try WhipItBench()
        let told = try await bench.events {
            try await bench.service.signOut()
            try await bench.service.signOut()
            let isSignedIn = try await bench.service.isSignedIn
            #expect(!isSignedIn)
        }
        #expect(told == [.ended(.signedOut)])
    }

    @Test func `sends nothing for nobody`() async throws {
        let bench = try WhipItBench(nil)
        await #expect(throws: WhipItError.signedOut) { try await bench.service.myProfile() }
        await #expect(throws: WhipItError.signedOut) { try await bench.service.refreshSession() }
        #expect(await bench.server.requests.isEmpty)
    }

    @Test func `ends with a withdrawal, and only when that has worked`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("GET /withdraw") { _, count in
            count == 1
                ? .refusal(500)
                : .response(200, #"{"_id": "656f1c0ac91bb39798f0a001", "email": "e", "nick": "n"}"#)
        }
        await #expect(throws: WhipItError.self) { try await bench.service.withdraw() }
        #expect(try await bench.service.isSignedIn)
        #expect(try await bench.service.withdraw().nickname == "n")
        #expect(try await bench.service.isSignedIn == false)
    }
}
