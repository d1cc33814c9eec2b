import ScenarioFormat
import Testing

@Suite
struct `Rates as text` {
    @Test(arguments: [
        ("1B/s", 1), ("16kB/s", 16_000), ("2MB/s", 2_000_000), ("1GB/s", 1_000_000_000), ("128kbit/s", 16_000),
        ("8bit/s", 1), ("1Mbit/s", 125_000), ("1.5kB/s", 1_500), ("16 kB/s", 16_000),
    ])
    func `are read`(text: String, bytes: Int) {
        #expect(RateText.parse(text) == bytes)
    }

    @Test(arguments: [
        "", "16", "kB/s", "16KB/s", "16kb/s", "16kB", "-1kB/s", "+1kB/s", "1e3B/s", "0B/s", "0.00kB/s", ".kB/s",
        "1.2.3kB/s", "16kB/s ", " 16kB/s", "16kB/s\n", "９kB/s", "99999999999999999999GB/s", "16  kB/ s",
    ])
    func `are refused when they are none`(text: String) {
        #expect(RateText.parse(text) == nil)
    }
}
