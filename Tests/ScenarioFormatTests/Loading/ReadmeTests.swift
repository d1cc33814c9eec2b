import Basics
import Foundation
import TestSupport
import Testing

@Suite
struct `The documentation` {
    private static let pages: [String] = {
        let folder = Project.folder + "/Sources/Guides/Guides.docc"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("recipes-") }.sorted() + ["your-own-backend.md", "collections.md"]
    }()

    @Test(arguments: pages)
    func `shows scenarios that load without a finding`(document: String) throws {
        var files: [String: String] = [:]
        var count = 0
        let all = ScenarioText.blocks(
            of: try Golden.text(of: Project.folder + "/Sources/Guides/Guides.docc/\(document)")
        )
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
