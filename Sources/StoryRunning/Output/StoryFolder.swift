import Basics
import JSON
import Reports
import Rules

/// The folder of one story, and what could not be written into it.
struct StoryFolder: Sendable {
    /// `nil` where it could not be made.
    private(set) var folder: String?
    /// Each as a sentence without a closing full stop.
    private(set) var lost: [String] = []

    private let files = DiskFiles()

    init(_ path: String) {
        do {
            try files.makeFolder(path)
            folder = path
        } catch {
            lost.append("the folder \"\(path)\" cannot be made: \(error.reason)")
        }
    }

    /// Writes what is kept of a story; a file that cannot be written keeps none of the others back.
    mutating func write(_ result: StoryResult) {
        write("checks.json", CheckDocument(result).json.text(.pretty) + "\n")
        write("journal.json", result.recording.json.text(.pretty) + "\n")
        write("page.html", ReportFormat.html.text(of: Report(of: [result])))
    }

    private mutating func write(_ name: String, _ text: String) {
        guard let folder else { return }
        let path = FilePath.join(folder, name)
        do {
            try files.write(Array(text.utf8), to: path)
        } catch {
            lost.append("\"\(path)\" cannot be written: \(error.reason)")
        }
    }
}
