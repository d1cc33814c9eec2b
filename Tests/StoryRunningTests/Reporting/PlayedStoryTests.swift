import Basics
import Reports
import Rules
import StoryRunning
import TestSupport
import Testing

@Suite
struct `A story that was played` {
    @Test func `is drawn in the guide as the tool draws it`() throws {
        let story = PlayedStory(try ReturningUser.recording())
        let guide = try Golden.text(of: Project.folder + "/Sources/Guides/Guides.docc/getting-started.md")
        let picture = "```mermaid\n\(MermaidDiagram(story).text)```\n"
        let hasPicture = guide.contains(picture)
        #expect(hasPicture, "getting-started.md requires this picture:\n\(picture)")
        let bug = try #require(story.rules.first { $0.status == .failed })
        #expect(bug.id == "B20 token-of-wrong-kind")
        let hasSentence = guide.contains("**\(bug.id)**: \(bug.sentence).\n")
        #expect(hasSentence, "getting-started.md requires this sentence: \(bug.sentence)")
    }

    @Test func `tells who came, with which tokens, and what was wrong`() throws {
        let story = PlayedStory(try ReturningUser.recording())
        #expect(story.id == "SM-03")
        #expect(story.outcome == .failed)
        #expect(story.file == "Scenarios/smeem/splash-refresh-expired.json")
        let diagram = story.diagram
        #expect(diagram.lifelines == [.init(name: "phone", account: "minji")])
        #expect(diagram.exchanges.map(\.status) == [200, 401])
        #expect(diagram.exchanges.map(\.moment) == [0, 300])
        let chip = try #require(diagram.exchanges[1].brought.first)
        #expect(chip.id == "access-1" && chip.state == "expired" && chip.wanted == "refresh")
        #expect(chip.timeLeft == -1_288_800.3)
        #expect(diagram.lifetimes.map(\.id) == ["access-1", "refresh-1"])
        #expect(diagram.lifetimes.map(\.expires) == [-1_288_800, -86_400])
        #expect(diagram.marks.map(\.words) == ["screen = \"splash\""])
    }

    @Test func `is the same once it was saved and read again`() throws {
        let recording = try ReturningUser.recording()
        let again = PlayedStory(try Recording(recording.json))
        let report = { (story: PlayedStory) in
            var report = Report(title: "report")
            report.stories = [story]
            report.checks = story.checks
            return ReportFormat.html.text(of: report)
        }
        #expect(report(again) == report(PlayedStory(recording)))
    }
}
