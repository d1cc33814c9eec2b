import ScenarioFormat
import Testing

@Suite
struct `Date patterns` {
    /// Sunday, 2026-03-01, 09:05:07.123456 in UTC.
    private let moment = VirtualTime(microseconds: 1_772_355_907_123_456)

    @Test(arguments: [
        ("yyyy-MM-dd HH:mm:ss", "2026-03-01 09:05:07"), ("yy/M/d", "26/3/1"), ("H:m:s", "9:5:7"),
        ("S SS SSS SSSSSS SSSSSSSSS", "1 12 123 123456 123456000"), ("E, d MMM y", "Sun, 1 Mar 2026"),
        ("EEEE MMMM", "Sunday March"), ("yyyy-MM-dd'T'HH:mm", "2026-03-01T09:05"), ("HH 'o''clock'", "09 o'clock"),
        ("''yy", "'26"), ("yyyy년 MM월", "2026년 03월"), ("yyyyyy", "002026"), ("h:mm a", "9:05 AM"),
    ])
    func `write a moment`(pattern: String, text: String) throws {
        let pattern = try #require(DatePattern(pattern))
        #expect(pattern.text(of: moment, zone: 0) == text)
    }

    @Test(arguments: [
        ("yyyy-MM-dd EEEE a hh시 mm분", 0, "2026-03-01 일요일 오전 09시 05분"),
        ("E MMM a h", 7 * 3_600, "일 3월 오후 4"), ("a hh", 3 * 3_600, "오후 12"), ("a hh", 15 * 3_600, "오전 12"),
    ])
    func `may use Korean names`(pattern: String, zone: Int, text: String) throws {
        #expect(try #require(DatePattern(pattern, locale: .korean)).text(of: moment, zone: zone) == text)
    }

    @Test(arguments: ["", "YYYY", "hh:mm aa", "Z", "MMMMM", "EEEEE", "'open", "DDD", "yyyyyyyyyy"])
    func `are refused when they hold what has no meaning here`(pattern: String) {
        #expect(DatePattern(pattern) == nil)
    }

    @Test(arguments: [(9 * 3_600, "2026-03-01 18"), (-10 * 3_600, "2026-02-28 23"), (0, "2026-03-01 09")])
    func `are local to a zone`(zone: Int, text: String) throws {
        #expect(try #require(DatePattern("yyyy-MM-dd HH")).text(of: moment, zone: zone) == text)
    }

    @Test(arguments: [
        (Int64.max, "9999 99 12-31"), (.min, "0000 00 01-01"), (253_402_300_800_000_000, "9999 99 12-31"),
    ])
    func `stay within the years that four digits can say`(microseconds: Int64, text: String) throws {
        let pattern = try #require(DatePattern("yyyy yy MM-dd"))
        #expect(pattern.text(of: VirtualTime(microseconds: microseconds), zone: 18 * 3_600) == text)
    }

    @Test(arguments: [Int64.min, Int64.max, -62_167_219_200_000_001])
    func `write any moment at all`(microseconds: Int64) throws {
        let pattern = try #require(DatePattern("yyyy yy MMMM d EEEE HH:mm:ss.SSSSSS"))
        #expect(!pattern.text(of: VirtualTime(microseconds: microseconds), zone: 64_800).isEmpty)
    }
}
