import Basics
import Testing

@testable import Reports

@Suite
struct `The stories of a page` {
    private func page(_ outcomes: (id: String, outcome: Judgement.Outcome)...) -> String {
        var report = Report(title: "run")
        report.stories = outcomes.map { id, outcome in
            PlayedStory(id: id, title: "A title", outcome: outcome, summary: "a summary")
        }
        return ReportFormat.html.text(of: report)
    }

    @Test func `come failed first, then incomplete, then passed, and otherwise as they were played`() throws {
        let page = page(("P-1", .passed), ("F-1", .failed), ("I-1", .incomplete), ("F-2", .failed), ("P-2", .passed))
        let titles = page.split(separator: "<h2>").dropFirst().compactMap { $0.split(separator: ":").first }
        #expect(titles == ["F-1", "F-2", "I-1", "P-1", "P-2"])
        for (index, id) in titles.enumerated() { #expect(page.contains("<a href=\"#s\(index + 1)\">\(id):")) }
    }

    @Test func `are folded where they have passed among others`() {
        let page = page(("P-1", .passed), ("F-1", .failed), ("I-1", .incomplete))
        #expect(page.contains("<section class=\"card story\" id=\"s1\">\n<h2>F-1: A title</h2>\n"))
        #expect(page.contains("<section class=\"card story\" id=\"s2\">\n<h2>I-1: A title</h2>\n"))
        #expect(page.contains("<details class=\"card story\" id=\"s3\">\n<summary><h2>P-1: A title</h2></summary>\n"))
        #expect(page.split(separator: "</section>").count == 3 && page.split(separator: "</details>").count == 2)
    }

    @Test func `are not folded where there is one only`() {
        #expect(
            self.page(("P-1", .passed)).contains("<section class=\"card story\" id=\"s1\">\n<h2>P-1: A title</h2>\n")
        )
    }
}
