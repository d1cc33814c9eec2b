import Basics

/// The picture of a story alone, as the page of a report has it.
///
/// It has no style: its classes are those of a report's page. A link `#s1-x7` leads to exchange 7.
package struct SequencePicture: Sendable {
    private let story: PlayedStory

    package init(_ story: PlayedStory) {
        self.story = story
    }

    /// The picture as a document of SVG (SVG 2, section 5.1).
    package var svg: String {
        let start = "<svg "
        var text = ""
        DiagramSVG(story.diagram, StoryFindings(story), anchor: "s1").append(to: &text)
        guard let place = text.firstRange(of: start) else { return text }
        return "\(start)xmlns=\"http://www.w3.org/2000/svg\" \(text[place.upperBound...])"
    }
}
