import Foundation
import TestSupport
import Testing

/// Files that somebody wrote, and everything that the loader says to them.
///
/// Kept in `Diagnostics/*.txt`: a title after `===`, each file after `---` and its name, the file that is loaded
/// first, and after `--- says` the lines. `BACKLOT_UPDATE=1 swift test` writes what is said now.
struct DiagnosticExample: Sendable, CustomTestStringConvertible {
    var title: String
    var files: [(name: String, text: String)] = []
    var lines: [String] = []

    var testDescription: String { title }

    static let folder = Project.folder + "/Tests/ScenarioFormatTests/Diagnostics"

    static let sheets: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted()
    }()

    static func all(in sheet: String) throws -> [DiagnosticExample] {
        var examples: [DiagnosticExample] = []
        var says = false
        for line in try Golden.text(of: "\(folder)/\(sheet)").split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("=== ") {
                examples.append(DiagnosticExample(title: String(line.dropFirst(4))))
                says = false
            } else if line == "--- says" {
                says = true
            } else if line.hasPrefix("--- ") {
                examples[examples.count - 1].files.append((String(line.dropFirst(4)), ""))
            } else if says {
                if !line.isEmpty { examples[examples.count - 1].lines.append(String(line)) }
            } else if let last = examples.last, !last.files.isEmpty {
                examples[examples.count - 1].files[last.files.count - 1].text += line + "\n"
            }
        }
        return examples
    }

    var sheetText: String {
        let written = files.map { "--- \($0.name)\n\($0.text)" }.joined()
        return "=== \(title)\n\(written)--- says\n" + lines.map { "\($0)\n" }.joined()
    }

    /// What the loader says now.
    var outcome: Outcome {
        load(files.first?.name ?? "", of: MemoryFiles(Dictionary(files.map { ($0.name, $0.text) }) { $1 }))
    }
}
