import ClientServices
import Foundation
import Testing

@Suite struct `RunwithU's account calls` {
    @Test(arguments: [(200, true), (409, false)])
    func `believe an email check of two statuses`(status: Int, isAvailable: Bool) async throws {
        let bench = try RunwithUBench(nil) { _, _ in .refusal(status, "말") }
        let check = try await bench.service.checkEmail("a@example.com")
        #expect(check.isAvailable == isAvailable)
        #expect(check.message == "말")
    }

    @Test(arguments: [201, 204, 400, 420, 429, 500])
    func `believe no other email check, though it looks the same`(status: Int) async throws {
        let bench = try RunwithUBench(nil) { _, _ in .refusal(status) }
        await #expect(throws: RunwithUError.self) { try await bench.service.checkEmail("a@example.com") }
        #expect(await bench.server.requests.count == 1)
    }

    @Test(arguments: [
        (400, RunwithU.Reason.invalidRequest(message: "m")), (401, .wrongCredentials(message: "m")),
        (402, .whitespaceInNickname(message: "m")), (403, .forbidden(message: "m")),
        (409, .alreadyDone(message: "m")), (410, .notFound(message: "m")),
        (420, .appKeyRefused(message: "m")), (429, .tooManyCalls(message: "m")),
        (444, .unknownAddress(message: "m")), (445, .notYours(message: "m")),
        (500, .server(status: 500, message: "m")), (404, .unexpectedStatus(404, message: "m")),
    ])
    func `call each refusal what it is`(status: Int, reason: RunwithU.Reason) async throws {
        let bench = try RunwithUBench(nil) { _, _ in .refusal(status, "m") }
        await #expect(throws: RunwithUError.refused(reason)) {
            try await bench.service.join(NewAccount(email: "e", password: "p", nickname: "달리는 한결"))
        }
    }

    @Test func `leave out what a new account does not say`() async throws {
        let bench = try RunwithUBench(nil) { _, _ in
            .response(200, #"{"user_id":"u1","email":"e","nick":"n"}"#)
        }
        try await bench.service.join(NewAccount(email: "e", password: "p", nickname: "n"))
        #expect(await bench.server.requests.first?.text == #"{"email":"e","nick":"n","password":"p"}"#)
    }

    @Test func `take somebody who is followed already for followed`() async throws {
        let bench = try RunwithUBench { _, _ in .refusal(409) }
        #expect(try await bench.service.follow("u2"))
    }

    @Test func `change a profile in a form, and send no empty one`() async throws {
        let bench = try RunwithUBench { _, _ in .refusal(402) }
        await #expect(throws: RunwithUError.refused(.whitespaceInNickname(message: "no"))) {
            try await bench.service.changeMyProfile(RunwithU.ProfileChanges(nickname: "a b"))
        }
        await #expect(throws: RunwithUError.self) {
            try await bench.service.changeMyProfile(RunwithU.ProfileChanges())
        }
        let requests = await bench.server.requests
        #expect(requests.count == 1)
        #expect(requests.first?.fields["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(requests.first?.text.contains("name=\"nick\"\r\n\r\na b\r\n") == true)
    }
}
