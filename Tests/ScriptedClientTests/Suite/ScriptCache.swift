import Basics
import Foundation
import ScenarioFormat
import TestSupport

/// The scripts and the stories of a project, or those of them that were asked for.
struct ScriptCache: Sendable {
    /// A story's file and the folder that it was found in, such as `whipit`.
    struct StoryFile: Sendable {
        var app: String
        var heading: StoryHeading

        var name: String { "\(app)/\(heading.id)" }
    }

    /// A script's file, read.
    struct ScriptFile: Sendable {
        var name: String
        var script: Result<Script, ScriptError>
    }

    let root: String
    private let names: [String]
    let stories: [StoryFile]
    let scripts: [ScriptFile]
    let runs: RunCache

    /// The project of this test, or the one that `BACKLOT_PROJECT` names; all of it, or what `BACKLOT_SCRIPTS` names.
    static let shared: ScriptCache = {
        let environment = ProcessInfo.processInfo.environment
        let names = (environment["BACKLOT_SCRIPTS"] ?? "").split(separator: ",").map { $0.trimmed }
        return ScriptCache(root: environment["BACKLOT_PROJECT"] ?? Project.folder, names: names.map(String.init))
    }()

    /// - Parameter names: `whipit` or `whipit/WI-03`; everything when empty.
    init(root: String, names: [String], files: any FileReading = DiskFiles()) {
        self.root = root
        self.names = names
        runs = RunCache(files)
        let scenarios = "\(root)/Scenarios"
        stories = files.entries(of: scenarios).flatMap { app in
            Self.paths(in: "\(scenarios)/\(app)", ending: ".json", files: files)
                .compactMap { StoryHeading($0, files: files) }
                .map { StoryFile(app: app, heading: $0) }
        }
        .filter { Self.isMeant($0.name, by: names) }
        let folder = "Tests/ScriptedClientTests/Scripts"
        scripts = files.entries(of: "\(root)/\(folder)").flatMap { app in
            files.entries(of: "\(root)/\(folder)/\(app)").filter { $0.hasSuffix(".script") }.map { file in
                let path = "\(folder)/\(app)/\(file)"
                return ScriptFile(
                    name: "\(app)/\(file.dropLast(".script".count))",
                    script: Self.read("\(root)/\(path)", as: path, files)
                )
            }
        }
        .filter { Self.isMeant($0.name, by: names) }
    }

    private static func read(_ path: String, as name: String, _ files: any FileReading) -> Result<Script, ScriptError> {
        do {
            let bytes = try files.read(path)
            return .success(try ScriptParser.parse(String(decoding: bytes, as: UTF8.self), file: name))
        } catch let error as ScriptError {
            return .failure(error)
        } catch {
            return .failure(ScriptError(file: name, line: 1, sentence: "it cannot be read: \(error)"))
        }
    }

    /// The files of a folder and the folders in it, but for those of fixtures.
    private static func paths(in folder: String, ending: String, files: any FileReading) -> [String] {
        files.entries(of: folder).flatMap { entry in
            let path = "\(folder)/\(entry)"
            if files.isFolder(path) {
                return entry == "fixtures" ? [] : paths(in: path, ending: ending, files: files)
            }
            return entry.hasSuffix(ending) ? [path] : []
        }
    }

    /// Whether a story or its script was asked for.
    func isMeant(_ name: String) -> Bool { Self.isMeant(name, by: names) }

    private static func isMeant(_ name: String, by names: [String]) -> Bool {
        names.isEmpty || names.contains { name == $0 || name.hasPrefix("\($0)/") }
    }

    func story(_ name: String) -> StoryFile? {
        stories.first { $0.name == name }
    }
}
