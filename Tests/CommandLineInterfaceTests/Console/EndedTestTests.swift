import Basics
import CommandLineInterface
import Reports
import Testing

@Suite struct `The report on a test that a client has ended` {
    private func messages(_ latest: [String]) -> [String] {
        [EndedTest("a client crashed", advice: "in a debugger", latest: latest).finding.message]
    }

    @Test func `names what was under way, the latest first`() {
        #expect(messages([]) == ["a client crashed, before the first call"])
        #expect(messages(["pets getPet 200"]) == ["a client crashed, at or shortly after pets getPet 200"])
        let several = "a client crashed, at or shortly after c; also in progress: b, a"
        #expect(messages(["c", "b", "a"]) == [several])
    }

    @Test func `is told to the process that goes on, and names its client`() {
        let tests = [
            EndedTest("a client crashed", advice: "in a debugger", latest: ["pets getPet 200", "pets getPets 200"]),
            EndedTest("a client ended the whole process with exit(0)", advice: "", latest: []),
        ]
        #expect(EndedTest.list(EndedTest.text(tests)) == tests)
        #expect(EndedTest.list(nil).isEmpty && EndedTest.list("").isEmpty)
        #expect(tests[0].isTest(of: "pets") && !tests[0].isTest(of: "pet") && !tests[1].isTest(of: "pets"))
    }
}
