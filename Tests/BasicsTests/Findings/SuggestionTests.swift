import Basics
import Testing

struct SuggestionTests {
    @Test(arguments: [
        ("fixtrue", "fixture"),
        ("latecy", "latency"),
        ("Status", "status"),
        ("route", "routes"),
    ])
    func `A slip of the fingers finds the word that was meant`(slip: String, meant: String) {
        #expect(Suggestion.nearest(to: slip, among: ["fixture", "latency", "status", "routes", "tokens"]) == meant)
    }

    @Test(arguments: ["zebra", "", "q"])
    func `A word that resembles nothing gets no suggestion`(word: String) {
        #expect(Suggestion.nearest(to: word, among: ["fixture", "latency", "status"]) == nil)
    }

    @Test func `Among equally near candidates the first one wins`() {
        #expect(Suggestion.nearest(to: "bat", among: ["cat", "hat"]) == "cat")
    }

    @Test func `Among equally near candidates one with the same first letter wins`() {
        #expect(Suggestion.nearest(to: "fsh", among: ["bash", "zsh", "fish"]) == "fish")
    }
}
