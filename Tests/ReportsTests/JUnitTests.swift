import Basics
import Testing

@testable import Reports

@Suite
struct `A JUnit report` {
    private func story(_ names: [String], lasting duration: Duration? = nil) -> Report {
        var report = Report(title: "run")
        var story = PlayedStory(id: "PT-1", title: "", outcome: .passed, summary: "")
        story.duration = duration
        report.stories = [story]
        let place = Place(file: "a.json", position: TextPosition(line: 3, column: 1))
        report.checks = names.map { Report.Check(group: "PT-1", name: $0, place: place) }
        return report
    }

    @Test func `has a name of its own for each case`() {
        let text = ReportFormat.junit.text(of: story(["a", "a (2)", "a", "b", "a"]))
        let names = text.matches(of: /<testcase name="([^"]*)"/).map { String($0.1) }
        #expect(names == ["a", "a (2)", "a (3)", "b", "a (4)"] || Set(names).count == 5, "\(names)")
    }

    /// The attributes that both schemas know: junit-10.xsd of Jenkins and surefire-test-report.xsd.
    @Test func `has no attribute that a schema refuses, and places in system-out`() {
        let text = ReportFormat.junit.text(of: story(["a"]))
        let root = text.firstMatch(of: /<testsuites ([^>]*)>/).map { String($0.1) } ?? ""
        #expect(root.matches(of: /(\w+)="/).map { String($0.1) } == ["name", "tests", "failures", "errors", "time"])
        let suite = text.firstMatch(of: /<testsuite ([^>]*)>/).map { String($0.1) } ?? ""
        #expect(
            suite.matches(of: /(\w+)="/).map { String($0.1) } == [
                "name", "tests", "failures", "errors", "skipped", "time",
            ]
        )
        let one = text.firstMatch(of: /<testcase ([^>]*)>/).map { String($0.1) } ?? ""
        #expect(one.matches(of: /(\w+)="/).map { String($0.1) } == ["name", "classname", "time"])
        #expect(text.contains("<system-out>a.json:3:1</system-out>"))
    }

    @Test func `says how long a story was played`() {
        let text = ReportFormat.junit.text(of: story(["a"], lasting: .milliseconds(1_467)))
        #expect(text.contains("<testsuite name=\"PT-1\"") && text.matches(of: /time="1\.467"/).count == 2)
        #expect(ReportFormat.junit.text(of: story(["a"], lasting: .milliseconds(7))).contains("time=\"0.007\""))
        #expect(ReportFormat.junit.text(of: story(["a"])).contains("time=\"0\""))
    }

    @Test func `says how long each check took, and all of a suite`() {
        var report = Report(title: "verify")
        report.checks = [1, 20].map { milliseconds in
            var check = Report.Check(group: "api.json", name: "GET /\(milliseconds)")
            check.duration = .milliseconds(milliseconds)
            return check
        }
        let text = ReportFormat.junit.text(of: report)
        let times = text.matches(of: /<(\w+) [^>]*time="([^"]*)"/).map { "\($0.1) \($0.2)" }
        #expect(times == ["testsuites 0.021", "testsuite 0.021", "testcase 0.001", "testcase 0.020"])
    }
}

@Suite
struct `A text for a terminal` {
    @Test(arguments: ["می‌خواهم", "👩‍👩‍👧", "ക്‍ഷ"])
    func `keeps the joiners of words and emoji`(_ text: String) {
        #expect(text.printable.utf8.elementsEqual(text.utf8))
    }

    @Test(arguments: ["\u{202E}", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{1B}", "\u{2028}"])
    func `has no mark that hides or turns text`(_ mark: String) {
        #expect(!"a\(mark)b".printable.unicodeScalars.contains { String($0) == mark })
        #expect("a\(mark)b".printable.hasPrefix("a\\u{"))
    }
}
