import Basics
import Reports

/// How long a page takes that shows a long story, and how large it gets.
struct PageBenchmark {
    private static let exchanges = 1_000
    private static let rounds = 20
    /// What a page may take at most.
    private static let milliseconds = 200.0
    private static let bytes = 1_000_000

    func run() throws -> Bool {
        say("page: a story of \(Double(Self.exchanges).text()) exchanges, \(Self.rounds) rounds")
        var report = Report(title: "run")
        report.stories = [Self.story]
        report.checks = report.stories.flatMap(\.checks)
        var isGood = true
        var table = Table("form", "ms", "max", "kB")
        for format in [ReportFormat.html, .markdown, .json] {
            var watch = Stopwatch()
            var times: [Double] = []
            var size = 0
            for _ in 0..<Self.rounds {
                _ = watch.lap()
                size = format.text(of: report).utf8.count
                times.append(watch.lap())
            }
            let figures = Figures(times)
            isGood = isGood && figures.median < Self.milliseconds && size < Self.bytes
            table.add(format.rawValue, figures.median.text(1), figures.maximum.text(1), (Double(size) / 1_000).text())
        }
        table.print()
        return isGood
    }

    /// Two devices that read and refresh for a day, with a refresh in every tenth exchange and bodies of 2 kB.
    private static let story: PlayedStory = {
        var story = PlayedStory(id: "LONG", title: "A long day", outcome: .failed, summary: "1 of 1 expectation failed")
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMDQyIiwiaWF0IjoxNzAwMDAwMDAwfQ.c2lnbmF0dXJlLW9mLW1pbmpp"
        let diary =
            "{\"diaryId\":345,\"content\":\"I walked along the <river> today & \\\"rested\\\".\",\"token\":\"\(token)\"}"
        let body = "{\"success\":true,\"data\":[\(repeatElement(diary, count: 10).joined(separator: ","))]}"
        var diagram = StoryDiagram()
        diagram.lifelines = [.init(name: "phone", account: "minji"), .init(name: "tablet", account: "minji")]
        diagram.end = Double(exchanges) * 90
        for number in 1...exchanges {
            let isRefresh = number % 10 == 0
            var exchange = StoryDiagram.Exchange(
                number: number,
                lifeline: number % 2,
                time: Double(number) * 90,
                moment: Double(number) * 3,
                method: isRefresh ? "POST" : "GET",
                target: isRefresh ? "/api/v2/auth/token" : "/api/v2/diaries?start=2026-03-01&end=2026-03-31",
                status: number % 10 == 9 ? 401 : 200,
                request: .init(
                    fields: [
                        ("Host", "127.0.0.1:9847"), ("User-Agent", "Smeem/3.0.1 CFNetwork/1490 Darwin/23.2.0"),
                        ("Accept", "*/*"), ("Authorization", "Bearer \(token)"),
                    ]
                ),
                response: .init(fields: [("Content-Type", "application/json")], body: body)
            )
            exchange.duration = 5
            exchange.brought = [.init(id: "access-\(number / 10)", state: "valid", age: 60, timeLeft: 7_140)]
            if isRefresh {
                exchange.granted = [.init(id: "access-\(number / 10 + 1)", timeLeft: 7_200)]
                let issued = exchange.time
                diagram.lifetimes.append(
                    .init(
                        id: "access-\(number / 10 + 1)",
                        kind: "access",
                        lifeline: 0,
                        issued: issued,
                        expires: issued + 7_200
                    )
                )
            }
            diagram.exchanges.append(exchange)
        }
        story.diagram = diagram
        var item = Judgement(.failed, id: "B3 refresh-loop", "the same call was refused 100 times in a row")
        item.exchanges = (1...100).map { $0 * 10 - 1 }
        story.rules = [item]
        return story
    }()
}
