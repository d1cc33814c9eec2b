import Basics
import Testing

@testable import Reports

@Suite
struct `A page` {
    /// U+FDD0 and U+1FFFE, which a literal may not contain.
    private static let noncharacters = String(decoding: [0xFDD0, 0xD83F, 0xDFFE] as [UInt16], as: UTF16.self)
    private static let hostile =
        "</script><svg onload=\"x\">'&\u{1B}[31m\u{202E}evil\u{0}\(noncharacters)\n\r`;end#%%{"

    private static let page: String = {
        var story = SampleStory.storm
        story.id = hostile
        story.title = hostile
        story.about = hostile
        story.summary = hostile
        story.reproduces = [hostile]
        story.file = hostile
        story.command = hostile
        story.notes = [hostile]
        for index in story.rules.indices {
            story.rules[index].sentence = hostile
            story.rules[index].id = hostile
            story.rules[index].advice = hostile
            story.rules[index].source = hostile
        }
        story.diagram.lifelines = [.init(name: hostile, account: hostile)]
        story.diagram.marks[0].words = hostile
        for index in story.diagram.exchanges.indices {
            story.diagram.exchanges[index].method = hostile
            story.diagram.exchanges[index].target = hostile
            story.diagram.exchanges[index].origin = hostile
            story.diagram.exchanges[index].fault = hostile
            story.diagram.exchanges[index].request = .init(fields: [(hostile, hostile)], body: hostile)
            story.diagram.exchanges[index].brought = [.init(id: hostile, state: hostile)]
        }
        var report = SampleReport.full
        report.title = hostile
        report.stories = [story]
        return ReportFormat.html.text(of: report)
    }()

    @Test func `holds nothing of what it shows as its own markup`() {
        let page = Self.page
        let (starts, ends) = (page.components(of: "<script>"), page.components(of: "</script>"))
        #expect(starts == 2 && ends == 2)
        let drawings = page.components(of: "<svg")
        #expect(drawings == 2)
        for scalar in "\u{1B}\u{202E}\0\r\(Self.noncharacters)".unicodeScalars {
            let isThere = page.unicodeScalars.contains(scalar)
            #expect(!isThere, "\(scalar.value)")
        }
    }

    @Test(arguments: SampleReport.named.map(\.name))
    func `fetches nothing`(name: String) throws {
        let report = try #require(SampleReport.named.first { $0.name == name }).report
        let page = ReportFormat.html.text(of: report)
        for word in ["src=", "@import", "url(", "http://", "https://", "<link rel=\"stylesheet"] {
            let isThere = page.contains(word)
            #expect(!isThere, "\(word)")
        }
    }

    @Test func `shortens every secret`() {
        let page = ReportFormat.html.text(of: SampleStory.report)
        let (head, body) = ("Authorization: Bearer eyJhbG…Fubg", "\"accessToken\": \"eyJhbG…Fubg\"")
        let (hasHead, hasBody, hasWhole) = (
            page.contains(head), page.contains(body), page.contains("eyJhbGciOiJIUzI1NiJ9")
        )
        #expect(hasHead && hasBody && !hasWhole)
    }

    @Test(arguments: [
        ("Authorization", "Bearer abcdefghijklmnopqrstuvwxyz", "Bearer abcdef…wxyz"),
        ("authorization", "abcdefghijklmnopqrstuvwxyz", "abcdef…wxyz"),
        ("Cookie", "a=abcdefghijklmnopqrstuvwxyz; b=short", "a=abcdef…wxyz; b=…"),
        ("Set-Cookie", "sid=abcdefghijklmnopqrstuvwxyz; Path=/", "sid=abcdef…wxyz; Path=/"),
        ("X-Refresh-Token", "abcdefghijklmnopqrstuvwxyz", "abcdef…wxyz"),
        ("X-Other", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbg", "eyJhbG…lnbg"),
        ("Content-Type", "application/json", "application/json"),
    ])
    func `keeps a little of a field's secret`(name: String, value: String, shown: String) {
        #expect(Secrets.field(name, value) == shown)
    }

    @Test(arguments: [
        (
            "{\"refresh_token\":\"abcdefghijklmnopqrstuvwxyz\",\"tokenType\":\"Bearer\"}",
            "{\n  \"refresh_token\": \"abcdef…wxyz\",\n  \"tokenType\": \"Bearer\"\n}"
        ),
        (
            "grant_type=refresh_token&refresh_token=abcdefghijklmnopqrstuvwxyz",
            "grant_type=refresh_token&refresh_token=abcdef…wxyz"
        ),
        ("plain text", "plain text"), ("{broken", "{\n  broken"),
    ])
    func `keeps a little of a body's secret`(body: String, shown: String) {
        #expect(Secrets.body(body).text == shown)
    }

    @Test func `keeps a little of a target's secret`() {
        #expect(Secrets.target("/a?access_token=abcdefghijklmnopqrstuvwxyz&b=1") == "/a?access_token=abcdef…wxyz&b=1")
    }
}

@Suite
struct `A Mermaid diagram` {
    @Test func `has no line that a text could have made`() {
        var story = SampleStory.storm
        story.diagram.exchanges[0].target = "/a;b#c:d\ne%%{init}%%<br>"
        story.diagram.lifelines[0].name = "end"
        let lines = MermaidDiagram(story).text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.contains("    c0->>s0: 1 GET /a#59;b#35;c#58;d#92;ne#37;#37;#123;init#125;#37;#37;#60;br#62;"))
        let starts = [
            "sequenceDiagram", "    participant ", "    Note over ", "    c0->>s", "    c1->>s", "    s0--", "    s1--",
        ]
        for line in lines where !line.isEmpty {
            #expect(starts.contains { line.hasPrefix($0) }, "\(line)")
        }
    }

    @Test func `stops at a hundred arrows`() {
        var story = SampleStory.storm
        let pattern = story.diagram.exchanges[0]
        story.diagram.exchanges = (1...200).map { number in
            var exchange = pattern
            exchange.number = number
            exchange.moment = Double(number) * 10
            return exchange
        }
        let lines = MermaidDiagram(story).text.split(separator: "\n")
        #expect(lines.count { $0.contains(">>") } == 100)
        #expect(lines.last == "    Note over c0,s0: …")
    }
}

extension String {
    fileprivate func components(of separator: String) -> Int {
        split(separator: separator, omittingEmptySubsequences: false).count
    }
}
