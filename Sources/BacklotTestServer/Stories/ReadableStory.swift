import Basics
import JSON
import ScenarioFormat
import Simulation
import StubServing

/// A story that was found: a file on disk, or a text next to the files of a folder.
struct ReadableStory: Sendable {
    /// A file as the user would write it, or the name that a text has in messages.
    var path: String
    /// The text, where the story is not a file.
    var text: String?
    /// The names of its parts in messages, where it was made in code.
    var names: PartNames?
    /// The folder that a text counts as lying in.
    var folder = "."
    var variant: String?

    /// The story of the session that no test sees.
    static let idle = ReadableStory(
        path: "idle.json",
        text: JSONValue.scenario([.backend: "Idle", .routes: [:]]).text()
    )

    /// The assumed path of a text; `nil` for a file.
    var virtualPath: String? { text == nil ? nil : FilePath.join(folder, path) }

    /// Reads the story, its backend, its fixtures and, where the test asks for it, its contract.
    ///
    /// - Throws: ``StoryProblem`` with everything that is wrong.
    func prepare(
        for base: StubServer.Configuration,
        _ contracts: BacklotServer.Contracts? = nil,
        forwarder: (any RequestForwarder)? = nil
    ) throws -> PreparedScenario {
        var configuration = base
        configuration.contractReader = contracts?.reader
        configuration.forwarder = forwarder
        if let contracts, contracts.reader == nil { configuration.contract = .off }
        do throws(ScenarioError) {
            let (library, loaded) = try load()
            let same = text == nil ? library.findingsOnID(of: loaded) : []
            guard same.isEmpty else { throw ScenarioError(same, watched: loaded.watched) }
            var read = ReadContracts()
            return try PreparedScenario(library, loaded, configuration, contracts: &read)
        } catch {
            throw StoryProblem(error, text: text)
        }
    }

    /// The files among which the story is.
    var files: any FileReading {
        guard let text else { return DiskFiles() }
        return TextBesideFiles(name: path, text: Array(text.utf8), names: names, folder: folder)
    }

    private func load() throws(ScenarioError) -> (ScenarioLibrary, LoadedScenario) {
        let library = try ScenarioLibrary(path, files: files)
        // A folder means the backend in it.
        return (library, try library.load(path: library.path, variant: variant))
    }

    /// The story, which is not served.
    func loaded() throws -> LoadedScenario {
        do {
            return try load().1
        } catch {
            throw StoryProblem(error, text: text)
        }
    }

    /// The scenario file that the path means: its own, or the backend of the folder.
    func file() throws -> String {
        do {
            return try ScenarioLibrary(path).path
        } catch {
            throw StoryProblem(error)
        }
    }
}

extension ReadableStory: Hashable {
    // The names follow from the parts that the text was made of.
    static func == (left: ReadableStory, right: ReadableStory) -> Bool { left.key == right.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private var key: [String?] { [path, text, folder, variant] }
}

extension ReadableStory {
    /// A story that was made in code.
    init(_ built: BuiltStory, in folder: String) {
        self.init(path: "story.json", text: built.text, names: built.names, folder: folder)
    }
}

/// The files on disk, and one text that counts as a file of a folder.
private struct TextBesideFiles: FileReading {
    let name: String
    let text: [UInt8]
    let names: PartNames?
    let folder: String
    private let disk = DiskFiles()

    init(name: String, text: [UInt8], names: PartNames?, folder: String) {
        self.name = name
        self.text = text
        self.names = names
        self.folder = disk.resolve(folder) ?? folder
    }

    private func isText(_ path: String) -> Bool { path == name || path == FilePath.join(folder, name) }

    /// Relative paths start from the folder.
    private func absolute(_ path: String) -> String { FilePath.join(folder, path == "." ? "" : path) }

    func resolve(_ path: String) -> String? {
        isText(path) ? FilePath.join(folder, name) : disk.resolve(absolute(path))
    }

    func read(_ path: String) throws(FileProblem) -> [UInt8] {
        isText(path) ? text : try disk.read(absolute(path))
    }

    func entries(of folder: String) -> [String] { disk.entries(of: absolute(folder)) }

    func isFolder(_ path: String) -> Bool { !isText(path) && disk.isFolder(absolute(path)) }

    func names(in path: String) -> PartNames? { isText(path) ? names : nil }
}
