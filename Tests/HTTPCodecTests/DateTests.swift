import Basics
import HTTPCodec
import Testing

struct DateTests {
    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
        ] as [(Int64, String)]
    )
    func `A date is written as HTTP has it`(seconds: Int64, text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds) == text)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `All three forms are read`(text: String) {
        #expect(HTTPDate.parse(text) == 784_111_777)
    }

    @Test(arguments: [
        "", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 06 Nov +994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Xyz, 06 Nov 1994 08:49:37 GMT",
    ])
    func `Other dates are not read`(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test(arguments: [("94", 1994), ("69", 2069), ("70", 1970)])
    func `A two-digit year without a now is of 1970 to 2069`(digits: String, year: Int) throws {
        let seconds = try #require(HTTPDate.parse("Sunday, 06-Nov-\(digits) 08:49:37 GMT"))
        #expect(CalendarDate(secondsSince1970: seconds).year == year)
    }

    @Test(arguments: [("76", 2076), ("77", 1977), ("26", 2026), ("00", 2000)])
    func `A two-digit year is at most 50 years ahead of now`(digits: String, year: Int) throws {
        let now = try #require(CalendarDate(year: 2026, month: 1, day: 1)).secondsSince1970
        let seconds = try #require(HTTPDate.parse("Sunday, 06-Nov-\(digits) 08:49:37 GMT", now: now))
        #expect(CalendarDate(secondsSince1970: seconds).year == year)
    }

    @Test func `Every day of 800 years goes there and back, with the right day of the week`() throws {
        var day: Int64 = -719_528
        var weekday = 6
        for year in 0..<800 {
            for month in 1...12 {
                for number in 1...CalendarDate.days(inMonth: month, of: year) {
                    let date = CalendarDate(secondsSince1970: day * 86_400 + 86_399)
                    guard date.year == year, date.month == month, date.day == number, date.weekday == weekday,
                        date.secondsSince1970 == day * 86_400 + 86_399
                    else {
                        Issue.record("wrong at \(year)-\(month)-\(number)")
                        return
                    }
                    day += 1
                    weekday = (weekday + 1) % 7
                }
            }
        }
    }

    @Test(arguments: [.min, .min + 1, .min + 86_400, -1, 0, .max - 1, .max] as [Int64])
    func `The ends of time go there and back`(seconds: Int64) {
        #expect(CalendarDate(secondsSince1970: seconds).secondsSince1970 == seconds)
    }

    @Test(arguments: [
        (2023, 2, 29, 0, 0, 0), (2024, 13, 1, 0, 0, 0), (2024, 0, 1, 0, 0, 0), (2024, 4, 31, 0, 0, 0),
        (2024, 1, 0, 0, 0, 0),
        (2024, 1, 1, 24, 0, 0), (2024, 1, 1, 0, 60, 0), (2024, 1, 1, 0, 0, 61), (2024, 1, 1, -1, 0, 0),
        (.max, 1, 1, 0, 0, 0),
        (1900, 2, 29, 0, 0, 0), (.min, 1, 1, 0, 0, 0),
    ])
    func `There is no such moment`(parts: (Int, Int, Int, Int, Int, Int)) {
        #expect(
            CalendarDate(
                year: parts.0,
                month: parts.1,
                day: parts.2,
                hour: parts.3,
                minute: parts.4,
                second: parts.5
            ) == nil
        )
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0, 0, 0, 0), ("1994-11-06t08:49:37.5z", 784_111_777, 500_000_000, 0, 1),
            ("1994-11-06T17:49:37.000000001+09:00", 784_111_777, 1, 540, 9),
            ("1994-11-06T08:49:37.0000000019-00:00", 784_111_777, 1, 0, 10),
            ("1990-12-31T15:59:60-08:00", 662_688_000, 0, -480, 0),
            ("0000-01-01T00:00:00+23:59", -62_167_305_540, 0, 1_439, 0),
        ] as [(String, Int64, Int, Int, Int)]
    )
    func `Timestamps are read`(text: String, seconds: Int64, nanoseconds: Int, offset: Int, digits: Int) throws {
        let stamp = try #require(RFC3339.parse(text))
        #expect(stamp.secondsSince1970 == seconds)
        #expect(stamp.nanoseconds == nanoseconds)
        #expect(stamp.offsetMinutes == offset)
        #expect(stamp.fractionDigits == digits)
    }

    @Test(arguments: [
        "", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01 00:00:00Z", "1970-01-01T00:00:00.Z",
        "1970-01-01T00:00:00+0900",
        "1970-01-01T00:00:00+24:00", "1970-01-01T00:00:00+09:60", "1970-02-30T00:00:00Z", "1970-01-01T24:00:00Z",
        "1970-01-01T22:59:60Z", "1990-12-31T23:59:60-08:00", "1970-1-01T00:00:00Z", "1970-01-01T00:00:00Zx",
        "+970-01-01T00:00:00Z", "1970-01-01T00:00:61Z",
    ])
    func `Other texts are no timestamps`(text: String) {
        #expect(RFC3339.parse(text) == nil)
    }

    @Test(
        arguments: [
            (0, 0, 0, 0, "1970-01-01T00:00:00Z"), (784_111_777, 123_456_789, 3, 540, "1994-11-06T17:49:37.123+09:00"),
            (784_111_777, 5, 9, -90, "1994-11-06T07:19:37.000000005-01:30"), (-1, 0, 1, 0, "1969-12-31T23:59:59.0Z"),
            (.max, 0, 0, 0, "9999-12-31T23:59:59Z"), (.min, 0, 0, 0, "0000-01-01T00:00:00Z"),
        ] as [(Int64, Int, Int, Int, String)]
    )
    func `Timestamps are written`(seconds: Int64, nanoseconds: Int, digits: Int, offset: Int, text: String) {
        let written = RFC3339.format(
            secondsSince1970: seconds,
            nanoseconds: nanoseconds,
            fractionDigits: digits,
            offsetMinutes: offset
        )
        #expect(written == text)
        #expect(RFC3339.parse(written) != nil)
    }
}
