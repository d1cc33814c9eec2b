import Basics
import Foundation
import TestSupport
import Testing

@Suite
struct `The documentation` {
    /// The texts between ```` ```json ```` and ```` ``` ````, with the path of the file that the page makes of one.
    private func examples(in document: String) throws -> [(path: String?, text: String)] {
        let text = try Golden.text(of: Project.folder + "/" + document)
        let parts = text.components(separatedBy: "```json\n")
        return zip(parts, parts.dropFirst()).compactMap { before, after in
            let mark = before.components(separatedBy: "\n").suffix(2).first { $0.hasPrefix("<!-- file: ") }
            let path = mark.map { String($0.dropFirst("<!-- file: ".count).prefix { $0 != " " }) }
            return after.components(separatedBy: "\n```").first.map { (path, $0) }
        }
    }

    private static let pages: [String] = {
        let folder = Project.folder + "/Sources/Guides/Guides.docc"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("recipes-") }.sorted() + ["your-own-backend.md", "collections.md"]
    }()

    @Test(arguments: pages)
    func `shows scenarios that load without a finding`(document: String) throws {
        var files: [String: String] = [:]
        var count = 0
        let all = try examples(in: "Sources/Guides/Guides.docc/\(document)").filter { !$0.text.contains("givn") }
        for (path, text) in all { if let path { files[path] = text } }
        for (path, text) in all where text.contains("\"backend\":") || text.contains("\"extends\":") {
            // A block that is no file of the page stands beside the first backend.
            let folder = files.keys.filter { $0.hasSuffix("backend.json") }.min()?.dropLast("backend.json".count) ?? ""
            let name = path ?? "\(folder)example.json"
            #expect(load(name, of: MemoryFiles(files.merging([name: text]) { $1 })).lines == [])
            count += 1
        }
        #expect(count >= 1)
    }
}
