import Basics
import JSON
import Testing

@testable import Reports

/// How reports show a mistake and what follows from it.
@Suite struct `A consequence in a report` {
    private static let report: Report = {
        var cause = Judgement(.failed, id: "B4 rotated-token-reused", "exchange 4 sent refresh-1 again")
        (cause.exchanges, cause.why, cause.advice) = ([4, 2], "the session ends", "replace the stored token")
        var storm = Judgement(.failed, id: "B2 refresh-storm", "exchanges 2 and 4 refreshed")
        (storm.exchanges, storm.why, storm.advice) = ([2, 4], "the session ends", "share one refresh")
        var count = Judgement(.failed, id: "expect/count", "expected POST /refresh once, but it arrived twice")
        count.place = Place(file: "story.json", position: TextPosition(line: 7, column: 5))
        let effects = [storm, count].map { $0.explained(by: cause) }
        var story = PlayedStory(id: "S-1", title: "A story", outcome: .failed, summary: "found B4")
        story.rules = [effects[0], cause.listingConsequences(among: effects)]
        story.expectations = [effects[1]]
        var report = Report(title: "run")
        report.stories = [story]
        report.checks = story.checks
        return report
    }()

    @Test(arguments: ReportFormat.allCases)
    func `stands below its cause, without advice`(format: ReportFormat) throws {
        let text = format.text(of: Self.report)
        let cause = try #require(text.firstRange(of: "exchange 4 sent refresh-1 again"))
        let storm = try #require(text.firstRange(of: "follows from it: B2 refresh"))
        #expect(cause.lowerBound < storm.lowerBound || format == .json || format == .junit)
        #expect(text.contains("follows from it: expected POST /refresh once"))
        #expect(text.contains("replace the stored token"))
        #expect(!text.contains("share one refresh"))
    }

    @Test func `is no failure of its own`() {
        #expect(Self.report.counts.failed == 1 && Self.report.counts.skipped == 2)
        #expect(Self.report.counts.errors == 1)
    }

    @Test func `names its cause in JSON`() throws {
        let document = try JSONParser().parse(ReportFormat.json.text(of: Self.report)).root
        let rule = document["stories"]?[0]?["rules"]?[0]
        #expect(rule?["explainedBy"] == ["rule": "B4 rotated-token-reused", "exchange": 4])
        #expect(rule?["advice"] == nil)
    }
}
