import Basics
import Rules
import TestSupport
import Testing

/// Every kind of expectation, with a client that meets it and with others that do not.
@Suite struct `An expectation` {
    /// Expectations of `Sheets/expectations.txt`, with the steps of a client, the verdict and the exchanges that it names.
    @Test func `is judged by what a client did`() throws {
        let sheet = FilePath.join(FilePath.folder(of: #filePath), "Sheets/expectations.txt")
        let differences = try SheetExample.differences(from: sheet, count: 54) { example in
            var play = try Play(expecting: example.files[0].text)
            try play.perform(example.files[1].text.split(separator: "\n").map(String.init))
            let judged = try #require(play.verdict.expectations.first)
            let exchanges = judged.exchanges.map { " \($0)" }.joined()
            return ["\(judged.status): \(judged.sentence)"] + (exchanges.isEmpty ? [] : ["exchanges\(exchanges)"])
        }
        #expect(differences == [])
    }

    @Test(arguments: [#"{"matches": "(.*)*\\1$"}"#, #"{"not": {"matches": "(.*)*\\1$"}}"#])
    func `is incomplete where an expression takes too many steps`(_ matcher: String) throws {
        let text = String(repeating: "a", count: 14) + "!"
        var play = try Play(expecting: #"{"request": "POST /notes", "query": {"q": \#(matcher)}}"#)
        try play.perform(["POST /notes?q=\(text)"])
        #expect(play.verdict.expectations.map(\.status) == [.incomplete])
        #expect(play.verdict.findings.map(\.id) == ["expect/undecided-pattern"])
    }

    @Test func `needs no expression where another part of the request decides`() throws {
        let expected = #"{"request": "POST /notes", "status": 404, "query": {"q": {"matches": "(.*)*\\1$"}}}"#
        var play = try Play(expecting: expected)
        try play.perform(["POST /notes?q=\(String(repeating: "a", count: 14))!"])
        #expect(play.verdict.expectations.map(\.status) == [.failed])
    }
}
