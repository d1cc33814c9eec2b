import Basics
import Foundation
import JSON
import TestSupport
import Testing

/// A scenario file of this project: one of `Scenarios`, of the tests, or of the guides.
struct ScenarioText: Sendable, CustomTestStringConvertible {
    /// Its name for a person.
    var title: String
    var path: String
    var root: JSONValue
    /// The files to which it belongs.
    var files: any FileReading
    var project: String

    /// A Boolean value that indicates whether a guide shows it.
    ///
    /// Files of different guides have the same paths.
    var isGuide: Bool { files is MemoryFiles }

    var testDescription: String { title }

    /// All of them, the guides' last.
    static let all: [ScenarioText] = files + guides

    /// The files of the project.
    static let files: [ScenarioText] = {
        let folders = DiskFiles().entries(of: Project.scenarios).map { "Scenarios/\($0)" }
        return (folders + ["Tests/ScenarioFormatTests/Everything"]).flatMap { folder in
            DiskFiles().entries(of: "\(Project.folder)/\(folder)").compactMap { name in
                let path = "\(Project.folder)/\(folder)/\(name)"
                guard name.hasSuffix(".json"), let text = try? Golden.text(of: path), let root = scenario(in: text)
                else {
                    return nil
                }
                return ScenarioText(
                    title: "\(folder)/\(name)",
                    path: path,
                    root: root,
                    files: DiskFiles(),
                    project: Project.folder
                )
            }
        }
    }()

    /// The blocks of all guides but those that are wrong on purpose.
    static let guides: [ScenarioText] = {
        let folder = Project.folder + "/Sources/Guides/Guides.docc"
        return DiskFiles().entries(of: folder).filter { $0.hasSuffix(".md") }.flatMap { page -> [ScenarioText] in
            let blocks = ((try? Golden.text(of: "\(folder)/\(page)")).map(blocks) ?? [])
            var files: [String: String] = [:]
            for (path, text) in blocks { if let path { files[path] = text } }
            // A block that is no file of the page stands beside the first backend.
            let base = files.keys.filter { $0.hasSuffix("backend.json") }.min()?.dropLast("backend.json".count) ?? ""
            return blocks.enumerated().compactMap { number, block -> ScenarioText? in
                guard let root = scenario(in: block.text) else { return nil }
                let path = block.path ?? "\(base)example.json"
                return ScenarioText(
                    title: "\(page), block \(number + 1)",
                    path: path,
                    root: root,
                    files: MemoryFiles(files.merging([path: block.text]) { $1 }),
                    project: "/project"
                )
            }
        }
    }()

    /// The texts between ```` ```json ```` and ```` ``` ````, with the path of the file that the page makes of one.
    static func blocks(of page: String) -> [(path: String?, text: String)] {
        let parts = page.components(separatedBy: "```json\n")
        return zip(parts, parts.dropFirst()).compactMap { before, after in
            let marks = before.components(separatedBy: "\n").suffix(4)
            guard !marks.contains("<!-- wrong -->") else { return nil }
            let mark = marks.last { $0.hasPrefix("<!-- file: ") }
            let path = mark.map { String($0.dropFirst("<!-- file: ".count).prefix { $0 != " " }) }
            return after.components(separatedBy: "\n```").first.map { (path, $0) }
        }
    }

    private static func scenario(in text: String) -> JSONValue? {
        let root = try? JSONParser().parse(text).root
        return root?["backend"] != nil || root?["extends"] != nil ? root : nil
    }
}
