import Basics

@testable import Reports

/// A story in which everything happened that a diagram can show.
enum SampleStory {
    static let storm: PlayedStory = {
        var story = PlayedStory(
            id: "PT-07",
            title: "Three calls after the token has died",
            outcome: .failed,
            summary: "1 of 3 expectations failed; B2 refresh-storm"
        )
        story.about = "The app sends three calls at once. One of them should refresh, and the others should wait."
        story.reproduces = ["pets/B2"]
        story.file = "Scenarios/pets/storm.json"
        story.expectations = [
            expectation(.failed, "expected 1 POST /refresh, but there were 2", [4, 5]),
            expectation(.held, "at most 3 GET /pets with 401", [2, 3]),
            expectation(.incomplete, "the client did not report whether it had signed out", []),
        ]
        var violation = Judgement(
            .failed,
            id: "B2 refresh-storm",
            "exchanges 4 and 5 refreshed with refresh-1 at the same time"
        )
        violation.exchanges = [4, 5]
        violation.why = "under rotation the second refresh kills the session"
        violation.advice = "let all requests wait for one refresh"
        violation.source = "RFC 9700, section 4.14.2"
        story.rules = [
            violation,
            Judgement(.held, id: "B1 no-refresh", "every 401 was followed by a refresh"),
            Judgement(.excused, id: "B17 retry-after-ignored", "the story says that it is not about it"),
        ]
        let contract = Place(file: "Contracts/pets.json", position: TextPosition(line: 40, column: 9))
        let finding = Finding(
            .warning,
            id: "contract/response-body",
            "\"name\" is null, but the contract requires a string",
            at: Place(file: "Scenarios/pets/pets.json", position: TextPosition(line: 3, column: 5), exchange: 8),
            related: [RelatedPlace(contract, "this is the requirement in the contract")]
        )
        story.contract = [Judgement(finding)]
        story.notes = ["the gate burst held 2 requests", "seed 7"]
        story.command = "backlot run Scenarios/pets/storm.json --seed 7 -- ./client {url}"
        story.diagram = diagram
        return story
    }()

    private static func expectation(_ status: Judgement.Status, _ sentence: String, _ exchanges: [Int])
        -> Judgement
    {
        var item = Judgement(status, id: "expect/count", sentence)
        item.exchanges = exchanges
        item.place = Place(file: "Scenarios/pets/storm.json", position: TextPosition(line: 7, column: 5))
        return item
    }

    private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJlLW9mLWFubg"

    private static let diagram: StoryDiagram = {
        var diagram = StoryDiagram()
        diagram.start = "2026-03-16T12:00:00Z"
        diagram.end = 1_209_700
        diagram.lifelines = [.init(name: "phone", account: "ann"), .init(name: "watch", account: "ann")]
        let access = StoryDiagram.Chip(id: "access-1", state: "expired", age: 86_400, timeLeft: -79_200)
        let refresh = StoryDiagram.Chip(id: "refresh-1", state: "valid", age: 86_400, timeLeft: 1_123_200)
        var calls = [
            exchange(1, "GET", "/versions", 200, time: 0, moment: 0, for: 2),
            exchange(2, "GET", "/pets?limit=20", 401, time: 1, moment: 10, for: 40),
            exchange(
                3,
                "GET",
                "/pets/42/pictures/with-a-very-long-name-that-nobody-can-read.jpg",
                401,
                time: 1,
                moment: 11,
                for: 42
            ),
            exchange(4, "POST", "/refresh", 200, time: 1, moment: 55, for: 20),
            exchange(5, "POST", "/refresh", 200, time: 1, moment: 56, for: 30),
            exchange(6, "GET", "/pets?limit=20", 200, time: 2, moment: 90, for: 3),
            exchange(7, "GET", "/cats.png", 200, time: 3, moment: 95, for: 9),
            exchange(8, "GET", "/pets?limit=20", 200, time: 1_209_603, moment: 120, for: nil),
        ]
        calls[1].brought = [access]
        calls[2].brought = [access]
        calls[1].gate = "burst"
        calls[2].gate = "burst"
        calls[3].brought = [refresh]
        calls[3].granted = [.init(id: "access-2", timeLeft: 7_200)]
        calls[4].brought = [refresh]
        calls[4].granted = [.init(id: "access-3", timeLeft: 7_200)]
        calls[4].fault = "reset"
        calls[5].brought = [.init(id: "access-2", state: "valid", age: 1, timeLeft: 7_199)]
        calls[6].lifeline = 1
        calls[6].origin = "images"
        calls[7].brought = [.init(id: "unknown", state: "unknown")]
        diagram.exchanges = calls
        diagram.lifetimes = [
            .init(id: "access-1", kind: "access", lifeline: 0, issued: -86_400, expires: -79_200),
            .init(id: "refresh-1", kind: "refresh", lifeline: 0, issued: -86_400, expires: 1_123_200),
            .init(id: "access-2", kind: "access", lifeline: 0, issued: 1, expires: 7_201),
            .init(id: "access-3", kind: "access", lifeline: 0, issued: 1, expires: 7_201),
        ]
        diagram.lifetimes[2].ended = (1, "superseded")
        diagram.marks = [
            .init(time: 4, afterExchange: 7, words: "client: screen = home"),
            .init(time: 1_209_603, afterExchange: 7, words: "launch 2"),
        ]
        return diagram
    }()

    private static func exchange(
        _ number: Int,
        _ method: String,
        _ target: String,
        _ status: Int,
        time: Double,
        moment: Double,
        for duration: Double?
    ) -> StoryDiagram.Exchange {
        var exchange = StoryDiagram.Exchange(
            number: number,
            lifeline: 0,
            time: time,
            moment: moment,
            method: method,
            target: target,
            status: status,
            request: .init(fields: [("Host", "127.0.0.1:9847"), ("Authorization", "Bearer \(token)")]),
            response: .init(
                fields: [("Content-Type", "application/json")],
                body: "{\"accessToken\":\"\(token)\",\"pets\":[{\"name\":null}]}"
            )
        )
        exchange.duration = duration
        return exchange
    }

    /// A run of two stories.
    static let report: Report = {
        var silent = PlayedStory(
            id: "PT-08",
            title: "Nobody came",
            outcome: .incomplete,
            summary: "no request arrived"
        )
        silent.about = "A client that sends nothing cannot be judged."
        var report = Report(title: "run", summary: ["seed 7"])
        report.version = "0.1.0"
        report.stories = [storm, silent]
        report.checks = report.stories.flatMap(\.checks)
        return report
    }()
}
