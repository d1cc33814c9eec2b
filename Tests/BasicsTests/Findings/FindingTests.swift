import Basics
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

    @Test func `A place far to the right has its pointer, as in a document of one line`() {
        func text(_ column: Int) -> String {
            "\(Place(file: "a.json", position: TextPosition(line: 1, column: column), pointer: "/a/0", operation: "GET /b"))"
        }
        #expect(text(200) == "a.json:1:200: GET /b")
        #expect(text(201) == "a.json:1:201: /a/0: GET /b")
    }

    @Test(arguments: [
        (true, "exchange 3 sent refresh-1 again", "s.json: error: exchange 3 sent refresh-1 again [B4]"),
        (false, "\"id\" is null", "s.json: exchange 3: error: \"id\" is null [B4]"),
    ])
    func `The exchange is said once`(isNamed: Bool, message: String, line: String) {
        var finding = Finding(.error, id: "B4", message, at: Place(file: "s.json", exchange: 3))
        finding.namesExchange = isNamed
        #expect("\(finding)" == line)
        #expect(Judgement(finding).finding == finding)
        finding.place?.file = nil
        #expect((finding.shownPlace == nil) == isNamed)
    }

    @Test func `A related place has a line of its own, and the finding's line stays one`() {
        let contract = Place(file: "contract.json", position: TextPosition(line: 12, column: 5))
        let related = RelatedPlace(contract, "this is the requirement in the contract")
        let finding = Finding(.error, id: "contract/response-body", "\"id\" is null", related: [related])
        #expect("\(finding)" == "error: \"id\" is null [contract/response-body]")
        #expect("\(related)" == "contract.json:12:5: note: this is the requirement in the contract")
        #expect(finding != Finding(.error, id: "contract/response-body", "\"id\" is null"))
    }

    @Test func `Severities are ordered by weight`() {
        #expect(Finding.Severity.allCases.max() == .error)
    }

    @Test(arguments: [
        Place(file: "story.json"),
        Place(file: "story.json", position: TextPosition(line: 12, column: 5)),
        Place(file: "c:/story.json", position: TextPosition(line: 1, column: 1), operation: "GET /pets"),
        Place(file: "openapi.json", operation: "GET /pets"),
        Place(
            file: "a.json",
            position: TextPosition(line: 1, column: 999),
            pointer: "/a b/~1c",
            operation: "GET /pets"
        ),
        Place(file: "a.json", position: TextPosition(line: 1, column: 999), pointer: "/a"),
    ]) func `A place can be read again from how it is printed`(place: Place) {
        #expect(Place(reading: "\(place)") == place)
    }
}
