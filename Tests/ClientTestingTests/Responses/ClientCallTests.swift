import ClientTesting
import HTTPCodec
import HTTPServing
import OpenAPI
import TestSupport
import Testing

/// A client that is nothing but its setting, so that a test says itself what is sent.
private struct BareClient: ClientAdapter {
    let name = "bare"
    let contract = ShelterContract.path
    let operations: [ClientOperation<ClientSetting>] = []

    func makeClient(_ setting: ClientSetting) -> ClientSetting { setting }

    func session(of client: ClientSetting) -> ObservedSession { ObservedSession(isSignedIn: false, tokens: [:]) }
}

extension ClientSetting {
    fileprivate func send(_ method: HTTPMethod, _ target: String) async throws(HTTPClientFailure) -> HTTPResponse {
        guard case .raw(let network) = network else { throw .malformed("no raw network") }
        return try await network.send(HTTPRequest(method: method, target: target), to: url, timeout: 30)
    }
}

@Suite struct `A call in a world` {
    /// Runs a body as a client's call.
    private func call(
        _ script: ResponsePlan = ResponsePlan(),
        isOffline: Bool = false,
        _ body: @escaping @Sendable (ClientSetting) async throws -> Void
    ) async throws -> MadeCall {
        let operation = ClientOperation<ClientSetting>("getPets") { setting in
            try await body(setting)
            return .nothing
        }
        var call = ClientCall(operation, of: BareClient(), answered: script)
        call.isOffline = isOffline
        call.quietTime = .milliseconds(20)
        return try await call.made(with: RespondingServer(try ShelterContract.loaded()))
    }

    private static let refusal = PlannedResponse.response(HTTPResponse(status: .unauthorized))
    private static let success = PlannedResponse.response(HTTPResponse(status: .noContent))

    @Test func `answers one operation as told, in turn, and every other one with its success`() async throws {
        let statuses = Shared<[Int]>([])
        let made = try await call(ResponsePlan("getPets", Self.refusal, Self.success)) { setting in
            for target in ["/pets?limit=1", "/pets?limit=2", "/pets?limit=3"] {
                let status = try await setting.send(.get, target).status.code
                statuses.withLock { $0.append(status) }
            }
            let status = try await setting.send(.post, "/session/refresh").status.code
            statuses.withLock { $0.append(status) }
        }
        #expect(made.outcome.isValue)
        #expect(statuses.withLock { $0 } == [401, 204, 204, 200])
        #expect(made.requests.map { $0.operation?.operationID } == ["getPets", "getPets", "getPets", "refresh"])
        #expect(made.requests.map(\.answer.status) == [401, 204, 204, 200])
    }

    @Test func `judges every request by the contract`() async throws {
        let made = try await call { setting in
            _ = try await setting.send(.get, "/pets?limit=many")
            _ = try await setting.send(.get, "/dogs")
        }
        #expect(made.requests.map { $0.violations.map(\.part.description) } == [["query limit", "security"], []])
        #expect(made.requests.map { $0.operation == nil } == [false, true])
    }

    @Test(arguments: ConnectionFault.allCases)
    func `fails as a connection does`(fault: ConnectionFault) async throws {
        let response = HTTPResponse(status: .ok, contentType: "text/plain", body: "twelve bytes")
        let failure = Shared<HTTPClientFailure?>(nil)
        let times = Shared<[Double]>([])
        let script = ResponsePlan("getPets", .fault(fault, response))
        let made = try await call(script, isOffline: fault == .refused) { setting in
            times.withLock { $0.append(setting.time.now()) }
            do throws(HTTPClientFailure) {
                _ = try await setting.send(.get, "/pets?limit=1")
            } catch {
                failure.withLock { $0 = error }
            }
            times.withLock { $0.append(setting.time.now()) }
        }
        #expect(made.outcome.isValue)
        let found = failure.withLock { $0 }
        switch fault {
        case .refused: #expect(found == .refused)
        case .reset: #expect(found == .reset)
        case .empty: #expect(found == .closedWithoutResponse)
        case .cut: #expect(found == .truncated(received: 6, announced: 12))
        case .malformed: #expect(found.map { "\($0)".hasPrefix("the response is not valid HTTP") } == true)
        case .never: #expect(found == .timedOut)
        }
        let moments = times.withLock { $0 }
        try #require(moments.count == 2)
        let passed = moments[1] - moments[0]
        #expect(fault == .never ? 30..<31 ~= passed : passed < 1, "half a minute of the client's time, none of ours")
    }

    @Test func `lets pauses overlap, and takes no time for them`() async throws {
        let passed = Shared<Double>(0)
        let made = try await call { setting in
            let start = setting.time.now()
            async let long: Void = setting.time.sleep(seconds: 3600)
            async let short: Void = setting.time.sleep(seconds: 60)
            try await short
            try await long
            passed.withLock { $0 = setting.time.now() - start }
        }
        #expect(made.outcome.isValue)
        #expect(3600..<3601 ~= passed.withLock { $0 })
    }

    @Test func `sees that nothing is under way, or that it never ends`() async throws {
        let hung = try await call { _ in await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        #expect("\(hung.outcome)" == "hang")
        let looping = try await call(ResponsePlan(requestLimit: 5)) { setting in
            while true { _ = try? await setting.send(.get, "/pets?limit=1") }
        }
        #expect("\(looping.outcome)" == "loop")
        #expect(looping.requests.count == 6)
    }
}
