import ClientServices
import Foundation
import Testing

@Suite struct `A server that says when to come back` {
    /// How long a service pauses before it asks for new tokens again; `nil` when it gives up.
    private func pause(_ fields: HeaderFields, at now: Date = StubClock().now) async throws -> TimeInterval? {
        let bench = try KiwITBench()
        bench.clock.pass(now.timeIntervalSince(bench.clock.now))
        await bench.server.on("PATCH /api/v1/user/refresh", .response(429, fields: fields), .response(500))
        await #expect(throws: KiwITError.self) { try await bench.service.refreshSession() }
        return bench.clock.pauses.first
    }

    /// The clock of the bench stands at this moment.
    private static let now = "Wed, 20 Nov 2024 10:40:00 GMT"

    @Test(arguments: [
        "Wed, 20 Nov 2024 10:40:07 GMT", "Wednesday, 20-Nov-24 10:40:07 GMT", "Wed Nov 20 10:40:07 2024",
    ])
    func `is obeyed in each form of a date`(text: String) async throws {
        #expect(try await pause(["Retry-After": text]) == 7)
    }

    @Test func `is obeyed in the form that pads the day with a space`() async throws {
        // Six days into the month: 1,730,883,600 is 6 November 2024, 09:00:00.
        let now = Date(timeIntervalSince1970: 1_730_883_600)
        #expect(try await pause(["Retry-After": "Wed Nov  6 09:00:09 2024"], at: now) == 9)
    }

    @Test func `is obeyed by its own clock, which may be wrong`() async throws {
        let fields: HeaderFields = [
            "Date": "Tue, 01 Jan 2030 00:00:00 GMT", "Retry-After": "Tue, 01 Jan 2030 00:00:09 GMT",
        ]
        #expect(try await pause(fields) == 9)
    }

    @Test func `is not waited for when the moment is over`() async throws {
        #expect(try await pause(["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"]) == 0.3)
        #expect(try await pause(["Retry-After": "Sunday, 06-Nov-94 08:49:37 GMT"]) == 0.3)
    }

    @Test func `means this century or the last one, whichever is near`() async throws {
        // The last seconds of 2099, and the last of 2024, of which 75 is 49 years ago and not 51 years ahead.
        let endOfCentury = Date(timeIntervalSince1970: 4_102_444_795)
        #expect(try await pause(["Retry-After": "Friday, 01-Jan-00 00:00:00 GMT"], at: endOfCentury) == 5)
        #expect(try await pause(["Retry-After": "Wednesday, 01-Jan-75 00:00:00 GMT"]) == 0.3)
        // 50 years ahead, which is too long to wait.
        #expect(try await pause(["Retry-After": "Wednesday, 01-Jan-74 00:00:00 GMT"]) == nil)
    }

    @Test(arguments: ["61", "Wed, 20 Nov 2024 10:41:01 GMT", "99999999999999999999999"])
    func `is an error when it asks for more than a minute`(text: String) async throws {
        #expect(try await pause(["Retry-After": text]) == nil)
    }

    @Test(arguments: [
        "", "soon", "-5", "0x10", "1e1", "inf", "nan", "7.5", "Wed, 20 Nov 2024 10:40:07",
        "Wed, 20 Noc 2024 10:40:07 GMT",
        "Wed, 31 Feb 2024 10:40:07 GMT", "Wed, 20 Nov 2024 25:40:07 GMT", "20 Nov 2024",
        "Wednesday, 20-Nov-2024 10:40:07 GMT",
        "Wed, 20 Nov 2024 10:40:07 CET", "Wednesday, 20-Nov 10:40:07 GMT",
    ])
    func `is not understood where it says neither seconds nor a date`(text: String) async throws {
        #expect(try await pause(["Retry-After": text]) == 0.3)
    }

    @Test func `is obeyed by every service`() async throws {
        let fields: HeaderFields = ["Retry-After": Self.now.replacingOccurrences(of: "10:40:00", with: "10:40:07")]
        let busy = StubServer.Answer.response(429, #"{"message":"no"}"#, fields: fields)
        let whipIt = try WhipItBench()
        await whipIt.server.on("GET /refresh", busy, .response(200, #"{"token": "A2"}"#))
        try await whipIt.service.refreshSession()
        #expect(whipIt.clock.pauses == [7])
        let runwithU = try RunwithUBench { request, count in
            guard request.line == "GET /v1/auth/refresh" else { return nil }
            return count == 1 ? busy : .response(200, #"{"accessToken":"A2"}"#)
        }
        try await runwithU.service.refreshSession()
        #expect(runwithU.clock.pauses == [7])
        let smeem = try SmeemBench { request, count in
            request.line == "POST /api/v2/auth/token" && count == 1 ? busy : nil
        }
        try await smeem.service.refreshSession()
        #expect(smeem.clock.pauses == [7])
    }

    @Test func `is obeyed by a call that is sent again`() async throws {
        let fields: HeaderFields = ["Retry-After": "Wednesday, 20-Nov-24 10:40:07 GMT"]
        let bench = try SmeemBench { request, count in
            request.line == "POST /api/v2/diaries" && count == 1 ? .response(429, fields: fields) : nil
        }
        _ = try await bench.service.write(Smeem.DiaryDraft("I baked bread with my sister."))
        #expect(bench.clock.pauses == [7])
    }
}

@Suite struct `The device's clock` {
    @Test(arguments: [Double.infinity, .greatestFiniteMagnitude, 1e12])
    func `waits longer than anybody lives, until the task is cancelled`(seconds: Double) async {
        let waiting = Task { try await SystemServiceClock().sleep(seconds: seconds) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test(arguments: [0, -1, -Double.infinity, .nan])
    func `does not wait for what is no time`(seconds: Double) async throws {
        try await SystemServiceClock().sleep(seconds: seconds)
    }
}
