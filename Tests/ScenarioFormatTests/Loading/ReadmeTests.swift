import Basics
import Foundation
import TestSupport
import Testing

@Suite
struct `The documentation` {
    /// The texts between ```` ```json ```` and ```` ``` ````.
    private func examples(in document: String) throws -> [String] {
        let text = try Golden.text(of: Project.folder + "/" + document)
        return text.components(separatedBy: "```json\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test(arguments: ["your-own-backend.md", "collections.md", "recipes.md"])
    func `shows scenarios that load without a finding`(document: String) throws {
        var backend: String?
        var count = 0
        for example in try examples(in: "Sources/Guides/Guides.docc/\(document)").filter({ !$0.contains("givn") }) {
            if example.contains("\"backend\":") {
                backend = example
                #expect(load(example).lines == [])
            } else if example.contains("\"extends\":") {
                let files = ["backend.json": backend ?? "", "s.json": example]
                #expect(load("s.json", of: MemoryFiles(files)).lines == [])
            } else {
                continue
            }
            count += 1
        }
        #expect(count >= (document.hasPrefix("Scenarios") ? 1 : 2))
    }
}
