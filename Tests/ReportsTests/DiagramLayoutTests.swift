import Basics
import TestSupport
import Testing

@testable import Reports

@Suite
struct `The layout of a diagram` {
    @Test(arguments: 0..<200)
    func `puts no text over another, and none outside`(seed: Int) {
        var chance = SeededGenerator(seed: UInt64(seed))
        let story = RandomStory.make(&chance)
        let layout = DiagramComposer.layout(of: story.diagram, StoryFindings(story))
        let boxes = layout.allTexts.sorted { $0.box.y < $1.box.y }
        for (index, text) in boxes.enumerated() {
            #expect(text.box.x >= 0 && text.box.right <= DiagramLayout.width, "\(text)")
            #expect(text.box.y >= 0 && text.box.bottom <= layout.height, "\(text)")
            for other in boxes[(index + 1)...].prefix(while: { $0.box.y < text.box.bottom })
            where text.box.intersects(other.box) {
                Issue.record("\(text) and \(other) overlap")
            }
        }
        for bar in layout.bars { #expect(bar.top <= bar.bottom && bar.bottom <= layout.height) }
    }

    @Test func `draws a storm as one`() throws {
        let story = SampleStory.storm
        let steps = story.diagram.steps(findings: StoryFindings(story))
        let first = try #require(steps.firstIndex(of: .request(3)))
        #expect(Array(steps[first..<first + 4]) == [.request(3), .request(4), .response(3), .response(4)])
    }

    @Test func `folds what would be too much`() {
        var story = SampleStory.storm
        let pattern = story.diagram.exchanges[0]
        story.diagram.exchanges = (1...1_000).map { number in
            var exchange = pattern
            exchange.number = number
            exchange.moment = Double(number) * 10
            return exchange
        }
        story.rules[0].exchanges = [500]
        let steps = story.diagram.steps(findings: StoryFindings(story))
        #expect(steps.count { if case .request = $0 { true } else { false } } == StoryDiagram.drawnExchanges)
        #expect(steps.contains(.request(499)))
        let folded = steps.reduce(0) { if case .fold(let count) = $1 { $0 + count } else { $0 } }
        #expect(folded == 700)
    }
}
