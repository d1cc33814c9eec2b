import Basics
import CommandLineInterface
import Reports
import Testing

@Suite struct `The report on a test that a client has ended` {
    private func messages(_ latest: [String]) -> [String] {
        Report(ofTestEndedBy: "a client crashed", latest: latest, advice: "in a debugger")
            .findings.map(\.message)
    }

    @Test func `names what was under way, the latest first`() {
        #expect(messages([]) == ["a client crashed, before the first call"])
        #expect(messages(["pets getPet 200"]) == ["a client crashed, at or shortly after pets getPet 200"])
        let several = "a client crashed, at or shortly after c; under way may also have been b, a"
        #expect(messages(["c", "b", "a"]) == [several])
    }
}
