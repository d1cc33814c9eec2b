import ClientServices
import Foundation
import Testing

@Suite struct `What kiwIT sends` {
    @Test(arguments: [
        ("2024-09-22T20:26:11", 0.0), ("2024-09-22T20:26:11.2", 0.2), ("2024-09-22T20:26:11.123", 0.123),
        ("2024-09-22T20:26:11.123456", 0.123456), ("2024-09-22T20:26:11.123456789", 0.123456789),
    ])
    func `is a moment in Korea, with any number of digits`(_ text: String, _ fraction: Double) throws {
        let date = try #require(KiwIT.LocalDateTime(rawValue: text).date)
        // 11:26:11 in Greenwich.
        #expect(abs(date.timeIntervalSince1970 - (1_727_004_371 + fraction)) < 0.000_001)
    }

    @Test(arguments: [
        "", "2024-09-22", "2024-09-22 20:26:11", "2024-02-30T00:00:00", "2024-09-22T20:26:11.", "2024-09-22T20:26:11Z",
        "2024-09-22T20:26:11.1234567890", "2024-09-22T20:26:11.1e3", "2024-13-01T00:00:00",
    ])
    func `is kept as text where it is no moment`(_ text: String) throws {
        #expect(KiwIT.LocalDateTime(rawValue: text).date == nil)
        #expect(KiwIT.LocalDateTime(rawValue: text).rawValue == text)
    }

    @Test func `has results that are right or wrong, and not text`() throws {
        let answer = #"{"userId":42,"quizId":53,"correct":true,"myAnswer":"BFS"}"#
        #expect(try JSONDecoder().decode(KiwIT.QuizAnswer.self, from: Data(answer.utf8)).correct)
    }

    @Test func `may have trophies of another kind, without a picture`() throws {
        let trophy = #"{"id":1,"title":"첫 걸음","imageUrl":null,"type":"STREAK","threshold":7}"#
        let read = try JSONDecoder().decode(KiwIT.Trophy.self, from: Data(trophy.utf8))
        #expect(read.type == KiwIT.TrophyKind(rawValue: "STREAK"))
        #expect(read.imageUrl == nil)
    }

    @Test(arguments: [#"{"num":1}"#, #"{"title":"1단계"}"#, #"{"num":"1","title":null}"#])
    func `is refused where a member is missing`(_ level: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(KiwIT.Level.self, from: Data(level.utf8)) }
    }

    @Test func `is written as it was read`() throws {
        let text =
            #"{"answer":true,"categoryChapterId":null,"contentStudied":null,"exercise":"…","id":9007199254740993,"#
            + #""levelNum":null,"payloadUrl":"","point":-1,"title":"𝕊"}"#
        let read = try JSONDecoder().decode(KiwIT.LectureRecord.self, from: Data(text.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(String(decoding: try encoder.encode(read), as: UTF8.self) == text)
    }
}
