import Findings
import Testing

struct FindingTests {
    @Test func `A finding reads like a compiler's line`() {
        let place = Place(file: "backend.json", position: TextPosition(line: 3, column: 5))
        let finding = Finding(
            .error,
            id: "scenario/unknown-key",
            "unknown key \"fixtrue\"",
            at: place,
            advice: "did you mean \"fixture\"?"
        )
        #expect(
            "\(finding)"
                == "backend.json:3:5: error: unknown key \"fixtrue\"; did you mean \"fixture\"? [scenario/unknown-key]"
        )
    }

    @Test func `A place without a file falls back to its pointer`() {
        #expect("\(Place(pointer: "/data/0", exchange: 7))" == "/data/0: exchange 7")
        #expect("\(Place(pointer: ""))" == "the whole document")
    }

    @Test func `Severities are ordered by weight`() {
        #expect(Finding.Severity.allCases.max() == .error)
    }
}
