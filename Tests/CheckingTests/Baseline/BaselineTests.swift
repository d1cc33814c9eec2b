import Basics
import Checking
import TestSupport
import Testing

@Suite
struct `A baseline` {
    private func baseline(_ text: String) throws(BaselineProblem) -> Baseline {
        try Baseline(file: "known", files: MemoryFiles(["known": text]))
    }

    @Test(arguments: [
        #"{"S-1": ["B1", "expect/count"], "S-2": []}"#, "S-1 B1\n\n# a remark\n  S-1 expect/count\r\n",
    ])
    func `is JSON or lines`(text: String) throws {
        let entries = try baseline(text).entries.filter { !$0.rules.isEmpty }
        #expect(entries.flatMap(\.rules) == ["B1", "expect/count"])
        #expect(entries.allSatisfy { $0.subject == "S-1" })
    }

    @Test(arguments: [
        (#"{"S-1": "B1"}"#, "known:1:9: the story S-1 requires a list of rules, such as [\"B1\", \"expect/count\"]"),
        ("S-1\n", "known:1: expected a story and a rule, such as SM-04 B1, not \"S-1\""),
    ])
    func `that is neither is told with its place`(text: String, sentence: String) {
        #expect(throws: BaselineProblem(sentence)) { try baseline(text) }
    }

    @Test func `that is not there is told`() {
        #expect(throws: BaselineProblem("the baseline \"no\" cannot be read: there is no such file")) {
            try Baseline(file: "no", files: MemoryFiles(["known": ""]))
        }
    }
}
