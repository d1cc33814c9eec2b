import Reports
import Testing

@Suite struct `Skipped checks in a text report` {
    private func lines(_ names: [(group: String, name: String)]) -> [Substring] {
        let checks = names.map { Report.Check(group: $0.group, name: $0.name, skipped: "nothing to do") }
        return TextReport(Report(title: "autopsy", checks: checks)).text.split(separator: "\n").filter {
            $0.hasPrefix("skipped")
        }
    }

    @Test func `have one line for each reason, where a group is named once`() {
        let names = [("a.har", "B2"), ("b.har", "B2"), ("a.har", "B4")]
        #expect(lines(names) == ["skipped (nothing to do): a.har: B2, B4; b.har: B2"])
    }

    @Test func `are counted where there are many`() {
        let rules = (1...14).map { (group: "a.har", name: "B\($0)") }
        let named = (1...12).map { "B\($0)" }.joined(separator: ", ")
        #expect(lines(rules) == ["skipped (nothing to do): a.har: \(named) and 2 more checks"])
        let files = (1...5).map { (group: "\($0).json", name: "responses") }
        #expect(
            lines(files) == [
                "skipped (nothing to do): 1.json: responses; 2.json: responses; 3.json: responses and 2 more checks"
            ]
        )
    }
}
