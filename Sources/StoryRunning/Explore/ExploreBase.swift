package import Basics
import JSON
package import ScenarioFormat
package import StubServing

/// The backend or the story that is explored, and where the stories lie that extend it.
package struct ExploreBase: Sendable {
    /// The file as the user would write it.
    package let file: String
    /// The story's id; `nil` for a backend.
    package let story: String?
    /// The folder of the stories that are made.
    package let folder: String
    /// The path from there to the file.
    let reference: String
    /// The timeline of the story without perturbations.
    let timeline: [JSONValue]
    /// The route that a story names which expects nothing of any.
    var firstRoute: String
    package let scenario: Scenario
    /// Every file that it was read from.
    let sources: [String]
    private let files: any FileReading
    let configuration: StubServer.Configuration

    /// Reads a backend or a story.
    ///
    /// - Parameters:
    ///   - path: a scenario file, or a folder with a backend.
    ///   - folder: where the stories are to lie; next to the file when `nil`. It must be there.
    /// - Throws: ``ExploreProblem`` when the file cannot be played, or stories in that folder could not extend it.
    package init(
        _ path: String,
        storiesIn folder: String? = nil,
        files: any FileReading = DiskFiles(),
        configuration: StubServer.Configuration = .readingContracts
    ) throws(ExploreProblem) {
        self.files = files
        self.configuration = configuration
        let loaded: LoadedScenario
        let isContract: Bool
        do throws(ScenarioError) {
            let library = try ScenarioLibrary(path, files: files)
            (file, isContract) = (library.path, library.isContract)
            loaded = try library.load()
        } catch {
            throw ExploreProblem(error.findings)
        }
        guard !isContract else {
            throw ExploreProblem(
                "\(path) is an OpenAPI file and defines no tokens to explore; create a scenario from the file with "
                    + "backlot init"
            )
        }
        scenario = loaded.scenario
        story = scenario.story?.id
        timeline = DraftScenario(loaded.root.object ?? [:])[.timeline]?.array ?? []
        sources = loaded.watched
        guard let route = scenario.routes.first else { throw ExploreProblem("\(file) defines no routes to explore") }
        firstRoute = route.key.text
        self.folder = folder ?? FilePath.folder(of: file)
        guard let resolved = files.resolve(file), let place = files.resolve(self.folder),
            let project = ProjectRoot(enclosing: file, files: files)
        else { throw ExploreProblem("there is no folder \"\(folder ?? file)\"") }
        guard FilePath.contains(project.path, place) else {
            throw ExploreProblem(
                "the stories would be saved in \(place), outside the project \(project.path), and could not extend "
                    + "\(file); set a folder in the project with --output"
            )
        }
        reference = FilePath.relative(resolved, to: place)
    }

    /// The name in reports: the story's id, or the name of the backend's file.
    var title: String { story ?? FilePath.name(of: file) }

    /// The path of a story that is made, as it would be written.
    package func path(_ name: String) -> String { FilePath.join(folder, name + ".json") }

    /// A number of everything that its files say, and of more texts (FNV-1a, 64 bits).
    package func fingerprint(_ more: [String]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let contents = sources.map { (try? files.read($0)) ?? [] } + more.map { Array($0.utf8) }
        for bytes in contents {
            for byte in bytes + [0] { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
        return String(hash, radix: 16)
    }

    /// Reads stories that are made, which need not be on the disk.
    ///
    /// - Parameter texts: their names and texts.
    /// - Throws: ``ExploreProblem`` when one of them cannot be played.
    func stories(_ texts: [(name: String, text: String)]) throws(ExploreProblem) -> [RunnableStory] {
        guard !texts.isEmpty else { return [] }
        let made = MadeFiles(texts.map { (path($0.name), $0.text) }, over: files)
        let selection = StorySelection(texts.map { path($0.name) }, files: made, configuration: configuration)
        guard selection.problems.isEmpty else { throw ExploreProblem(selection.problems) }
        guard selection.stories.count == texts.count else {
            throw ExploreProblem("\(texts.count - selection.stories.count) of the stories cannot be played")
        }
        return selection.stories
    }
}

/// The reason that nothing can be explored.
package struct ExploreProblem: Error {
    package let findings: [Finding]

    package init(_ findings: [Finding]) {
        self.findings = findings
    }

    package init(_ sentence: String) {
        findings = [Finding(.error, id: "explore/problem", sentence)]
    }

    /// All of it, a line for each finding.
    package var text: String { findings.map(\.description).joined(separator: "\n") }
}

/// Files that are only made up, over those that there are.
private struct MadeFiles: FileReading {
    private let base: any FileReading
    /// By resolved path.
    private var texts: [String: [UInt8]] = [:]

    init(_ texts: [(path: String, text: String)], over base: any FileReading) {
        self.base = base
        for (path, text) in texts {
            if let path = Self.place(of: path, base) { self.texts[path] = Array(text.utf8) }
        }
    }

    private static func place(of path: String, _ base: any FileReading) -> String? {
        base.resolve(FilePath.folder(of: path)).map { FilePath.join($0, FilePath.name(of: path)) }
    }

    func resolve(_ path: String) -> String? {
        if let place = Self.place(of: path, base), texts[place] != nil { return place }
        return base.resolve(path)
    }

    func read(_ path: String) throws(FileProblem) -> [UInt8] {
        if let place = Self.place(of: path, base), let text = texts[place] { return text }
        return try base.read(path)
    }

    func entries(of folder: String) -> [String] { base.entries(of: folder) }

    func isFolder(_ path: String) -> Bool { base.isFolder(path) }
}
