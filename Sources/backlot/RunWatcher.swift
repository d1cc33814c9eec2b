import Basics
import CommandLineInterface
import StoryRunning

/// Tells whoever watches how a run is getting on: a line for each story, and on a terminal one that is rewritten.
struct RunWatcher {
    /// Whether a report has standard output to itself.
    let isOutputTaken: Bool
    /// Whether whoever reads has taken every line so far.
    private(set) var isRead = true
    private let paint: Paint
    private let showsProgress = Terminal.rewritesLines

    init(isOutputTaken: Bool) {
        self.isOutputTaken = isOutputTaken
        paint = Paint(isColoured: isOutputTaken ? Terminal.showsColours : Terminal.showsColoursOnOutput)
    }

    mutating func take(_ progress: StoryRun.Progress) {
        switch progress {
        case .began(let story, let done, let total, let failed):
            guard showsProgress else { return }
            let failures = failed == 0 ? "" : failed == 1 ? ", 1 failure" : ", \(failed) failures"
            let line = "\(done)/\(total)\(failures)  \(story.id)  \(story.title)".printable
            Terminal.complain("\r\u{1B}[K" + String(line.prefix(76)))
        case .ended(let result):
            clear()
            tell(StoryText(result, paint).lines)
        }
    }

    mutating func finish(_ summary: StoryRun.Summary) {
        clear()
        tell([summary.closing])
    }

    private func clear() {
        if showsProgress { Terminal.complain("\r\u{1B}[K") }
    }

    private mutating func tell(_ lines: [String]) {
        let text = lines.map { $0 + "\n" }.joined()
        if isOutputTaken { Terminal.complain(text) } else { isRead = Terminal.output(text) && isRead }
    }
}
