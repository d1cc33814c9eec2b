import ClientServices
import Foundation
import Testing

@Suite struct `A diary at Smeem` {
    @Test func `is written once when the button is tapped twice`() async throws {
        let bench = try SmeemBench()
        let draft = Smeem.DiaryDraft("I baked bread with my sister.")
        async let first = bench.service.write(draft)
        async let second = bench.service.write(draft)
        let ids = try await [first.id, second.id]
        #expect(ids == [345, 345])
        #expect(await bench.server.count("POST /api/v2/diaries") == 1)
    }

    @Test func `is sent again when the server was busy with somebody else's`() async throws {
        let bench = try SmeemBench { $1 == 1 ? .success(.smeemRefusal(429, "[너무 많은 요청] ")) : nil }
        #expect(try await bench.service.write(Smeem.DiaryDraft("x")).id == 345)
        #expect(await bench.server.count("POST /api/v2/diaries") == 2)
    }

    @Test func `is not sent when it is too long`() async throws {
        let bench = try SmeemBench()
        let draft = Smeem.DiaryDraft(String(repeating: "가", count: 6001))
        let error = await bench.error { () async throws(SmeemError) in _ = try await bench.service.write(draft) }
        #expect(error == .unsendable("a diary can have at most 6000 characters"))
        #expect(await bench.server.requests.isEmpty)
    }

    @Test func `is deleted when the answer is lost and the repetition finds nothing`() async throws {
        let bench = try SmeemBench {
            $1 == 1 ? .failure(.connectionLost) : .success(.smeemRefusal(404, "[존재하지 않음 ] (7)"))
        }
        try await bench.service.deleteDiary(7)
        #expect(await bench.server.count("DELETE /api/v2/diaries/7") == 2)
    }

    @Test func `that is not there cannot be deleted`() async throws {
        let bench = try SmeemBench { _, _ in .success(.smeemRefusal(404, "[존재하지 않음 ] (7)")) }
        let error = await bench.error { () async throws(SmeemError) in try await bench.service.deleteDiary(7) }
        #expect(error?.refusal?.rule == "존재하지 않음")
        #expect(await bench.server.requests.count == 1)
    }

    @Test func `is changed by an answer without data`() async throws {
        let bench = try SmeemBench()
        try await bench.service.changeDiary(345, to: "I ran.")
        #expect(await bench.firstBody == #"{"content":"I ran."}"#)
    }

    @Test func `is listed by days of the Gregorian calendar in Korea`() async throws {
        // 1 March 2024, 00:30 in Korea: still February in Greenwich.
        let span = Smeem.DaySpan.month(of: Date(timeIntervalSince1970: 1_709_220_600))
        #expect(span.first.description == "2024-02-23")
        #expect(span.last.description == "2024-04-07")
        let bench = try SmeemBench { _, _ in .success(.smeem(#"{"diaries": [], "has30Past": false}"#)) }
        _ = try await bench.service.diaries(in: span)
        #expect(await bench.server.requests.first?.url.query == "start=2024-02-23&end=2024-04-07")
    }
}

@Suite struct `A time of Smeem's` {
    @Test(arguments: [
        ("2024-09-10 21:34", 1_725_971_640), ("2025-07-16T00:34:49.396436", 1_752_593_689),
        ("2025-07-16T00:34", 1_752_593_640),
    ])
    func `is a moment in Korea`(text: String, seconds: Int) {
        #expect(Smeem.KoreanTime(rawValue: text).date == Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    @Test(arguments: ["", "2024-02-31 10:00", "2024-13-01 10:00", "2024-01-01", "2024-01-01 24:00", "２０２４-01-01 10:00"])
    func `that cannot be is no moment`(text: String) {
        #expect(Smeem.KoreanTime(rawValue: text).date == nil)
    }
}
