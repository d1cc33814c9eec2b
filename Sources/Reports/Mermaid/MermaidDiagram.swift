import Basics

/// A story as a sequence diagram in Mermaid's language, which GitHub draws.
package struct MermaidDiagram: Sendable {
    /// A diagram with more arrows than these is not read.
    static let mostArrows = 100

    /// The diagram's lines without a fence; the text ends in a line break.
    package let text: String

    package init(_ story: PlayedStory) {
        var lines = MermaidLines(story.diagram, StoryFindings(story))
        text = lines.written()
    }
}
