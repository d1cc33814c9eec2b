import ClientServices
import Foundation
import Synchronization
import Testing

@Suite struct `RunwithU's session` {
    private let profile = #"{"user_id":"u1","email":"e","nick":"n","followers":[],"following":[],"posts":[]}"#

    private let login = #"{"user_id":"u1","email":"e","nick":"n","accessToken":"a9","refreshToken":"r9"}"#

    /// A server that takes `a2` and calls `a1` expired, once so many calls with it have come.
    private func expiring(
        together count: Int = 1,
        _ refresh: @escaping @Sendable (Int) throws(TransportFailure) -> TransportReply
    ) throws -> RunwithUBench {
        let handle = StubServerHandle()
        let bench = try RunwithUBench { [profile, login] request, number throws(TransportFailure) in
            if request.line == "GET /v1/auth/refresh" { return try refresh(number) }
            if request.line == "POST /v1/users/login" { return .json(login) }
            guard request.fields["Authorization"] == "a2" else {
                await handle.server?.wait(for: count, "GET /v1/u")
                return .refusal(419)
            }
            return request.line.contains("uploads") ? TransportReply(status: 200) : .json(profile)
        }
        handle.set(bench.server)
        return bench
    }

    @Test func `is renewed once for six calls, pictures among them`() async throws {
        let bench = try expiring(together: 6) { _ throws(TransportFailure) in .json(#"{"accessToken":"a2"}"#) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 1...3 {
                group.addTask { _ = try await bench.service.myProfile() }
                group.addTask { _ = try await bench.service.file(at: "uploads/posts/\(index).png") }
            }
            try await group.waitForAll()
        }
        #expect(await bench.server.count("GET /v1/auth/refresh") == 1)
        #expect(await bench.server.count("GET /v1/u") == 12)
        #expect(await bench.store.tokens() == Tokens(access: "a2", refresh: "r1"))
    }

    @Test func `asks for a new token with the key and both old ones, raw`() async throws {
        let bench = try expiring { _ throws(TransportFailure) in .json(#"{"accessToken":"a2"}"#) }
        _ = try await bench.service.myProfile()
        let requests = await bench.server.requests
        #expect(requests.map { $0.fields["SesacKey"] } == ["key", "key", "key"])
        #expect(requests.map { $0.fields["Authorization"] } == ["a1", "a1", "a2"])
        #expect(requests.map { $0.fields["Refresh"] } == [nil, "r1", nil])
    }

    @Test func `sends a call again once, and ends when the new token is refused as well`() async throws {
        let bench = try RunwithUBench { request, number throws(TransportFailure) in
            request.line.hasSuffix("refresh") ? .json(#"{"accessToken":"a\#(number + 1)"}"#) : .refusal(419)
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
        let bench = try RunwithUBench { [profile] request, number throws(TransportFailure) in
            if request.line.hasSuffix("refresh") { return .refusal(409) }
            return number == 1 ? .refusal(419) : .json(profile)
        }
        #expect(try await bench.service.myProfile().id == "u1")
        #expect(await bench.store.tokens() == Tokens(access: "a1", refresh: "r1"))
    }

    @Test(arguments: [401, 403, 418])
    func `ends when the refresh is refused, tells so once, and stores nothing`(status: Int) async throws {
        let bench = try expiring(together: 6) { _ throws(TransportFailure) in .refusal(status) }
        let events = await bench.service.events()
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
        #expect(await bench.server.count("POST") == 0)
        #expect(await bench.store.tokens() == nil)
        // What is told first after the one end is the next session's beginning.
        var iterator = events.makeAsyncIterator()
        try await bench.service.logIn(email: "e", password: "run1234")
        #expect(await iterator.next() == .ended(.expired))
        #expect(await iterator.next() == .signedIn)
    }

    @Test(arguments: [420, 444, 500, 503])
    func `outlives a refresh that fails`(status: Int) async throws {
        let bench = try expiring { _ throws(TransportFailure) in .refusal(status) }
        await #expect(throws: RunwithUError.self) { try await bench.service.myProfile() }
        #expect(await bench.store.tokens() == Tokens(access: "a1", refresh: "r1"))
        #expect(try await bench.service.isSignedIn)
    }

    @Test func `outlives being offline`() async throws {
        let bench = try RunwithUBench { _, _ throws(TransportFailure) in throw .unreachable }
        await #expect(throws: RunwithUError.transport(.unreachable)) { try await bench.service.myProfile() }
        #expect(await bench.store.tokens() != nil)
    }

    @Test func `asks again for a new token when there were too many calls, or the answer was lost`() async throws {
        let bench = try expiring { number throws(TransportFailure) in
            switch number {
            case 1: return .refusal(429)
            case 2: throw .connectionLost
            default: return .json(#"{"accessToken":"a2"}"#)
            }
        }
        #expect(try await bench.service.myProfile().id == "u1")
        #expect(await bench.clock.pauses.count == 2)
        #expect(await bench.store.tokens() == Tokens(access: "a2", refresh: "r1"))
    }

    @Test func `renews a token that the server cannot place`() async throws {
        let bench = try RunwithUBench { [profile] request, number throws(TransportFailure) in
            if request.line.hasSuffix("refresh") { return .json(#"{"accessToken":"a2"}"#) }
            return number == 1 ? .refusal(401) : .json(profile)
        }
        #expect(try await bench.service.myProfile().id == "u1")
    }

    @Test func `takes no empty token`() async throws {
        let bench = try expiring { _ throws(TransportFailure) in .json(#"{"accessToken":""}"#) }
        await #expect(throws: RunwithUError.self) { try await bench.service.myProfile() }
        #expect(await bench.store.tokens() == Tokens(access: "a1", refresh: "r1"))
    }

    @Test func `is over at once when the user says so, and sends nothing more`() async throws {
        let bench = try expiring { _ throws(TransportFailure) in .json(#"{"accessToken":"a2"}"#) }
        await bench.service.signOut()
        await bench.service.signOut()
        await #expect(throws: RunwithUError.signedOut) { try await bench.service.myProfile() }
        await #expect(throws: RunwithUError.signedOut) { try await bench.service.file(at: "uploads/posts/a.png") }
        #expect(await bench.server.requests.isEmpty)
        #expect(await bench.store.tokens() == nil)
    }

    @Test func `begins with a login, and survives one that fails`() async throws {
        let bench = try RunwithUBench { request, _ throws(TransportFailure) in
            request.text.contains("run1234")
                ? .json(#"{"user_id":"u1","email":"e","nick":"n","accessToken":"a9","refreshToken":"r9"}"#)
                : .refusal(401, "계정을 확인해주세요.")
        }
        await #expect(throws: RunwithUError.wrongCredentials(message: "계정을 확인해주세요.")) {
            try await bench.service.logIn(email: "e", password: "other")
        }
        #expect(await bench.store.tokens() == Tokens(access: "a1", refresh: "r1"))
        #expect(try await bench.service.logIn(email: "e", password: "run1234").id == "u1")
        #expect(await bench.store.tokens() == Tokens(access: "a9", refresh: "r9"))
        #expect(await bench.server.requests.allSatisfy { $0.fields["Authorization"] == nil })
    }

    @Test func `ends with the account`() async throws {
        let bench = try RunwithUBench { _, _ throws(TransportFailure) in
            .json(#"{"user_id":"u1","email":"e","nick":"n"}"#)
        }
        try await bench.service.withdraw()
        #expect(await bench.server.lines == ["GET /v1/users/withdraw"])
        #expect(await bench.store.tokens() == nil)
    }
}

/// Lets an answer wait for what its own server has seen.
private final class StubServerHandle: Sendable {
    private let kept = Mutex<RunwithUStubServer?>(nil)

    var server: RunwithUStubServer? { kept.withLock { $0 } }

    func set(_ server: RunwithUStubServer) { kept.withLock { $0 = server } }
}
