import Testing

@testable import Reports

@Suite
struct `A token that was handed out` {
    @Test(arguments: [
        (7_200, "+ a-1, lives 2 h"), (7_199.4, "+ a-1, lives 2 h"), (7_198.9, "+ a-1, lives 1 h 59 min"),
        (0.25, "+ a-1, lives 250 ms"), (0, "+ a-1, expired immediately"),
    ])
    func `lives for as long as was said`(left: Double, words: String) {
        #expect(StoryDiagram.Chip(id: "a-1", timeLeft: left).wordsWhenGranted == words)
    }

    @Test func `and is an old one is told by what is left of it`() {
        let chip = StoryDiagram.Chip(id: "r-1", state: "valid", timeLeft: 1_123_199.3)
        #expect(chip.wordsWhenGranted == "+ r-1 again, 13 d left")
    }
}
