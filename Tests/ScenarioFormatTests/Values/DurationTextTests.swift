import ScenarioFormat
import Testing

@Suite
struct `Durations as text` {
    @Test(arguments: [
        ("0", 0), ("0s", 0), ("1us", 1), ("90ms", 90_000), ("1.5s", 1_500_000), ("2h", 7_200_000_000),
        ("14d", 1_209_600_000_000), ("1w", 604_800_000_000), ("1h30m", 5_400_000_000), ("5min", 300_000_000),
        ("0.25ms", 250), ("3650000d", 315_360_000_000_000_000), ("1d2h3m4s5ms6us", 93_784_005_006),
    ])
    func `are read`(text: String, microseconds: Int64) {
        #expect(DurationText.parse(text) == .microseconds(microseconds))
    }

    @Test(arguments: [
        "", " ", "2 hours", "2hours", "2H", "-1s", "+1s", "1", "s", "1.s", ".5s", "1s ", " 1s", "1,5s", "1e3s", "２h",
        "1s\n", "3650001d", "9999999999999999s", "99999999999999w", "1.0000000001s", "1h-1m", "h1", "1..5s", "0x1s",
    ])
    func `are refused when they are none`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(arguments: [("-5m", -300_000_000), ("5m", 300_000_000), ("-0", 0), ("-1.5s", -1_500_000)])
    func `may be negative where that means something`(text: String, microseconds: Int64) {
        #expect(DurationText.parseSigned(text) == .microseconds(microseconds))
        #expect(DurationText.parseSigned("--1s") == nil)
    }

    @Test(arguments: ["0s", "80ms", "1h30m", "14d", "1d2h3m4s5ms6us", "-5m", "3650000d"])
    func `are written as they would be read`(text: String) throws {
        let duration = try #require(DurationText.parseSigned(text))
        #expect(DurationText.text(duration) == text)
    }

    @Test
    func `beyond 64 bits are held at the end`() {
        #expect(Duration.seconds(Int64.max).wholeMicroseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeMicroseconds == .min)
        #expect(DurationText.text(.microseconds(Int64.min)).hasPrefix("-106751991"))
    }
}
