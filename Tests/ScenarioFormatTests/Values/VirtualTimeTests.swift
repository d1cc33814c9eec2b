import ScenarioFormat
import Testing

@Suite
struct `Moments on the virtual clock` {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-03-01T09:00:00Z", 1_772_355_600_000_000),
        ("2026-03-01T18:00:00+09:00", 1_772_355_600_000_000), ("1969-12-31T23:59:59.999999Z", -1),
        ("2026-03-01T09:00:00.25z", 1_772_355_600_250_000),
    ])
    func `are read by RFC 3339`(text: String, microseconds: Int64) {
        #expect(VirtualTime(text) == VirtualTime(microseconds: microseconds))
    }

    @Test(arguments: ["", "now", "2026-03-01", "2026-02-30T00:00:00Z", "2026-03-01 09:00:00Z", "2026-03-01T09:00:00"])
    func `are refused when they are none`(text: String) {
        #expect(VirtualTime(text) == nil)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"), (250_000, "1970-01-01T00:00:00.250Z"),
        (1_000_001, "1970-01-01T00:00:01.000001Z"), (Int64.max, "9999-12-31T23:59:59.775807Z"),
        (Int64.min, "0000-01-01T00:00:00.224192Z"),
    ])
    func `are written by RFC 3339, also those that it has no year for`(microseconds: Int64, text: String) {
        #expect(VirtualTime(microseconds: microseconds).description == text)
    }

    @Test
    func `never leave 64 bits`() {
        let first = VirtualTime(microseconds: .min)
        let last = VirtualTime(microseconds: .max)
        #expect(last + .seconds(1) == last)
        #expect(first - .seconds(1) == first)
        #expect(last - first == .microseconds(Int64.max))
        #expect(first - last == .microseconds(Int64.min))
        #expect(VirtualTime(seconds: .max) == last)
        #expect(VirtualTime(seconds: .min) == first)
        #expect(VirtualTime(microseconds: -1).seconds == -1)
        #expect(first < last)
    }
}
