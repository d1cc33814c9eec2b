package import Basics
import JSON
package import OpenAPI

/// Where a new scenario finds its contract: where the file lies, or a copy of it in the scenario's folder.
///
/// A scenario may not leave its project, so that one that is moved or shared is never half of itself.
package struct ContractPlacement: Sendable {
    /// The value of the scenario's `contract`.
    package let path: String
    /// What the scenario's folder needs besides the draft; none when the contract stays where it is.
    package let copies: [ScenarioDraft.File]

    /// - Parameters:
    ///   - contract: a contract that was read from `files`.
    ///   - folder: the absolute path of the scenario's folder, without symbolic links; it need not exist.
    /// - Throws: ``Problem`` when a file that is to be copied cannot be read.
    package init(of contract: Contract, in folder: String, files: any FileReading) throws(Problem) {
        let root = Self.root(of: folder, files: files)
        let main = files.resolve(contract.path) ?? contract.path
        let paths = contract.sources.paths.map { files.resolve($0) ?? $0 }
        if paths.allSatisfy({ FilePath.contains(root, $0) }) {
            path = FilePath.relative(main, to: folder)
            copies = []
            return
        }
        let common = paths.dropFirst().reduce(FilePath.folder(of: main)) { Self.common($0, $1) }
        let isAlone = paths.count == 1
        let name = { (path: String) in
            isAlone ? "openapi.\(TextFormat(ofFile: path).ending)" : "contract/" + FilePath.relative(path, to: common)
        }
        var copies: [ScenarioDraft.File] = []
        for path in paths {
            do {
                copies.append(ScenarioDraft.File(path: name(path), bytes: try files.read(path)))
            } catch {
                throw Problem(message: "\"\(path)\" cannot be copied: \(error.reason)")
            }
        }
        self.copies = copies
        path = name(main)
    }

    /// Why a contract cannot be placed.
    package struct Problem: Error {
        /// A sentence without a closing full stop.
        package var message: String
    }

    /// The folder that a scenario there may not leave, found as the loader will find it.
    private static func root(of folder: String, files: any FileReading) -> String {
        var path = folder
        var below: String?
        while true {
            let entries = files.entries(of: path) + (below.map { [$0] } ?? [])
            if entries.contains("Scenarios") || entries.contains(".git") { return path }
            let parent = FilePath.folder(of: path)
            guard parent != path else { return folder }
            below = FilePath.name(of: path)
            path = parent
        }
    }

    /// The innermost folder that holds both a folder and a file.
    private static func common(_ folder: String, _ path: String) -> String {
        let shared = zip(folder.split(separator: "/"), path.split(separator: "/")).prefix {
            $0.utf8.elementsEqual($1.utf8)
        }
        return "/" + shared.map { String($0.0) }.joined(separator: "/")
    }
}
