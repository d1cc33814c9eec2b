import ClientServices
import Foundation
import Testing

@Suite struct `Studying a lecture of kiwIT` {
    private static let study =
        #"{"userId":42,"contentId":31,"myAnswer":null,"kept":false,"createdAt":"2024-09-22T20:26:11.123456","#
        + #""updatedAt":"2024-09-22T20:27:00"}"#
    private static let lecture =
        #"{"id":31,"title":"배열이란","point":10,"exercise":"…","answer":true,"levelNum":null,"#
        + #""categoryChapterId":7,"payloadUrl":"https://content.example.com/31","contentStudied":"#

    @Test(arguments: [
        StubServer.Answer.failure(.connectionLost), .failure(.timedOut), .response(500), .response(502, "<html>"),
    ])
    func `looks the lecture up when it is in doubt`(_ answer: StubServer.Answer) async throws {
        let bench = try KiwITBench()
        await bench.server.on("POST /api/v1/content/31", answer)
        await bench.server.on("GET /api/v1/content/31", .response(200, Self.lecture + Self.study + "}"))
        let result = try await bench.service.study(31)
        #expect(result.study.contentId == 31)
        #expect(result.trophies.isEmpty)
        #expect(await bench.server.lines == ["POST /api/v1/content/31", "GET /api/v1/content/31"])
    }

    @Test func `says what went wrong when the lecture was not noted`() async throws {
        let bench = try KiwITBench()
        await bench.server.on("POST /api/v1/content/31", .response(500))
        await bench.server.on("GET /api/v1/content/31", .response(200, Self.lecture + "null}"))
        await #expect(throws: KiwITError.refused(.invalidContent)) { try await bench.service.study(31) }
    }

    @Test func `looks nothing up when nothing was sent`() async throws {
        let bench = try KiwITBench()
        await bench.server.on("POST /api/v1/content/31", .failure(.unreachable))
        await #expect(throws: KiwITError.transport(.unreachable)) { try await bench.service.study(31) }
        #expect(await bench.server.lines == ["POST /api/v1/content/31"])
    }

    @Test func `takes missing trophies for none`() async throws {
        let bench = try KiwITBench()
        await bench.server.on("POST /api/v1/content/31", .response(200, Self.study))
        #expect(try await bench.service.study(31).trophies.isEmpty)
    }

    @Test func `can be bookmarked before the exercise is answered`() async throws {
        let bench = try KiwITBench()
        let kept = Self.study.replacingOccurrences(of: #""kept":false"#, with: #""kept":true"#)
        await bench.server.on("PATCH /api/v1/content/31/kept", .response(200, kept))
        let study = try await bench.service.toggleBookmark(ofLecture: 31)
        #expect(study.isBookmarked)
        #expect(study.myAnswer == nil)
        let request = try #require(await bench.server.requests.first)
        #expect(request.body == nil)
        #expect(request.fields["Content-Type"] == nil)
    }

    @Test func `does not turn a bookmark over twice when the answer is lost`() async throws {
        let bench = try KiwITBench()
        await bench.server.on("PATCH /api/v1/content/31/kept", .failure(.connectionLost))
        await #expect(throws: KiwITError.transport(.connectionLost)) {
            try await bench.service.toggleBookmark(ofLecture: 31)
        }
        #expect(await bench.server.requests.count == 1)
        #expect(KiwITError.transport(.connectionLost).leavesDoubt)
    }

    @Test func `sends the answer to the exercise as a boolean`() async throws {
        let bench = try KiwITBench()
        await bench.server.on("PATCH /api/v1/content/31/exercise", .response(200, Self.study))
        _ = try await bench.service.answerExercise(of: 31, isRight: true)
        #expect(await bench.server.requests.first?.body == Data(#"{"answer":true}"#.utf8))
    }

    @Test func `has nothing to show for a new user`() async throws {
        let bench = try KiwITBench()
        await bench.server.on("GET /api/v1/content/latest", .response(400))
        await bench.server.on("GET /api/v1/quiz/group/latest-solved", .response(204))
        await bench.server.on("GET /api/v1/trophy/my/latest", .response(204))
        #expect(try await bench.service.latestLecture() == nil)
        #expect(try await bench.service.latestSolvedQuizGroup() == nil)
        #expect(try await bench.service.latestTrophy() == nil)
        #expect(await bench.server.requests.count == 3)
    }

    @Test func `is an error when a good answer is empty`() async throws {
        let bench = try KiwITBench()
        await bench.server.on("GET /api/v1/content/31", .response(200))
        let error = await #expect(throws: KiwITError.self) { try await bench.service.lecture(31) }
        guard case .unreadable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
