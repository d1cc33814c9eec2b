import ClientServices
import Foundation
import Testing

@Suite struct `kiwIT's session` {
    @Test func `is renewed by PATCH, with JSON and without an access token`() async throws {
        let bench = try KiwITBench()
        try await bench.service.refreshSession()
        let request = try #require(await bench.server.requests.first)
        #expect(request.method == .patch)
        #expect(request.url.absoluteString == "https://kiwit.example/api/v1/user/refresh")
        #expect(request.fields["Content-Type"] == "application/json")
        #expect(request.access == nil)
        #expect(request.body == Data(#"{"refreshToken":"R1"}"#.utf8))
    }

    @Test func `ends when new tokens are refused as well`() async throws {
        let bench = try KiwITBench()
        await bench.server.on("GET /api/v1/user", .response(401))
        let told = try await bench.events {
            await #expect(throws: KiwITError.sessionEnded(.refused)) { try await bench.service.profile() }
            #expect(await bench.server.lines == ["GET /api/v1/user", "PATCH /api/v1/user/refresh", "GET /api/v1/user"])
            #expect(await bench.store.tokens() == nil)
        }
        #expect(told == [.ended(.refused)])
    }

    @Test func `ends when the server breaks over a refresh token that has expired`() async throws {
        let bench = try KiwITBench(.expiring(at: StubClock().now - 86_400))
        bench.taken.expireAccess()
        await bench.server.on("PATCH /api/v1/user/refresh", .response(500))
        await #expect(throws: KiwITError.sessionEnded(.expired)) { try await bench.service.levels() }
        #expect(await bench.store.tokens() == nil)
        #expect(await bench.server.count("PATCH /api/v1/user/refresh") == 1)
    }

    @Test func `outlives a server that breaks over a refresh token whose time has not come`() async throws {
        let bench = try KiwITBench(.expiring(at: StubClock().now + 86_400))
        bench.taken.expireAccess()
        await bench.server.on("PATCH /api/v1/user/refresh", .response(500))
        await #expect(throws: KiwITError.refused(.invalidContent)) { try await bench.service.levels() }
        #expect(try await bench.service.isSignedIn)
    }

    @Test(arguments: [400, 403, 404, 409, 500, 502, 503])
    func `outlives faults of the renewal`(_ status: Int) async throws {
        let bench = try KiwITBench()
        bench.taken.expireAccess()
        await bench.server.on("PATCH /api/v1/user/refresh", .response(status))
        await #expect(throws: KiwITError.self) { try await bench.service.levels() }
        #expect(await bench.store.tokens() == .first)
    }

    @Test func `waits as long as a busy server asks for`() async throws {
        let bench = try KiwITBench()
        bench.taken.expireAccess()
        let busy = StubServer.Answer.response(429, fields: ["Retry-After": "7"])
        await bench.server.on("PATCH /api/v1/user/refresh", busy, .failure(.timedOut))
        await #expect(throws: KiwITError.transport(.timedOut)) { try await bench.service.levels() }
        #expect(bench.clock.pauses.first == 7)
        #expect(try await bench.service.isSignedIn)
    }

    @Test func `asks again with the same token when the new ones are lost, and ends when they were given`() async throws
    {
        let bench = try KiwITBench()
        bench.taken.expireAccess()
        await bench.server.on("PATCH /api/v1/user/refresh", .failure(.connectionLost), .response(401))
        await #expect(throws: KiwITError.sessionEnded(.expired)) { try await bench.service.levels() }
        let bodies = await bench.server.requests("PATCH /api/v1/user/refresh").map(\.body)
        #expect(bodies == Array(repeating: Data(#"{"refreshToken":"R1"}"#.utf8), count: 2))
    }
}
