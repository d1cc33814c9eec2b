package import Judgements
package import Reports

extension PlayedStory {
    /// Makes a recording ready to be drawn.
    package init(_ recording: Recording) {
        self.init(
            id: recording.heading?.id ?? recording.backend,
            title: recording.heading?.title ?? recording.backend,
            outcome: .incomplete,
            summary: recording.verdict.summary
        )
    }
}
