package import Basics
package import JSON
package import ScenarioFormat
import Simulation

/// The scenario file that a server plays, and the stories that lie next to it.
package struct ScenarioLibrary: Sendable {
    /// A story or a variant of one, as a list of stories shows it.
    package struct Entry: Sendable, Hashable {
        /// Its name for `--story`: the story's ID, and for a variant a slash and its name.
        package var id: String
        package var title: String
        package var file: String
        /// The variant of the file's story; `nil` for the story itself.
        package var variant: String?
    }

    /// The file that is served: the one that was asked for, or the backend of a folder.
    package let path: String
    /// The folder of its stories.
    private let folder: String
    /// A Boolean value that indicates whether that is an OpenAPI file, which is played without a scenario.
    package let isContract: Bool
    /// A Boolean value that indicates whether the file exists in memory only, so that no stories lie next to it.
    private var isMade = false
    private let loader: ScenarioLoader
    private let project: ProjectRoot
    let files: any FileReading

    /// Finds the file to play.
    ///
    /// - Parameters:
    ///   - path: a scenario file, an OpenAPI file, a folder with a `backend.json` (or `.yaml`), or a folder of stories that
    ///     all extend one backend, wherever it is.
    ///   - root: the folder that scenarios may not leave; found from the path when `nil`.
    /// - Throws: ``ScenarioError`` when there is no such file, folder or root, and for a folder whose stories extend
    ///   several backends.
    package init(
        _ path: String,
        root: String? = nil,
        files: any FileReading = DiskFiles()
    ) throws(ScenarioError) {
        self.files = files
        if files.isFolder(path) {
            self.path = try Self.backend(ofFolder: path, files) ?? FilePath.join(path, "backend.json")
            folder = path
        } else {
            self.path = path
            folder = FilePath.folder(of: path)
        }
        guard files.resolve(self.path) != nil, let found = ProjectRoot(enclosing: self.path, files: files) else {
            throw .missingFile(path, files)
        }
        var project = found
        if let root {
            guard let named = ProjectRoot(root, files: files) else {
                throw ScenarioError(
                    "scenario/missing-root",
                    "the project root \"\(root)\" is not a folder",
                    advice: "set an existing folder with --root"
                )
            }
            project = named
        }
        loader = ScenarioLoader(files: files, project: project)
        self.project = project
        let bytes = (try? files.read(self.path)) ?? []
        isContract = DocumentKind.isContract(bytes, at: self.path)
    }

    /// The name of a folder's backend file; `nil` if missing.
    fileprivate static func backend(in folder: String, _ files: any FileReading) -> String? {
        let names = files.entries(of: folder)
        return TextFormat.endings.map { "backend.\($0)" }.first { name in
            names.contains { $0.exact == name.exact }
        }
    }

    /// The file that a folder means: its backend, or the one that all of its stories extend.
    ///
    /// - Returns: `nil` when the folder has neither a backend nor a story.
    private static func backend(ofFolder folder: String, _ files: any FileReading) throws(ScenarioError) -> String? {
        if let name = backend(in: folder, files) { return FilePath.join(folder, name) }
        let stories = headings(in: folder, files)
        guard let first = stories.first else { return nil }
        var backends: [String] = []
        for story in stories {
            if let found = backend(extendedBy: story, files), !backends.contains(found.exact) {
                backends.append(found)
            }
        }
        guard backends.count < 2 else { throw .severalBackends(backends, of: folder, first.file) }
        if let backend = backends.first { return backend }
        guard let project = ProjectRoot(enclosing: first.file, files: files) else { return nil }
        // Says what is wrong with what it extends.
        return try ScenarioLoader(files: files, project: project).load(first.file).path
    }

    /// The last file of the chain that a story extends; `nil` where a file of it is missing.
    private static func backend(extendedBy story: StoryHeading, _ files: any FileReading) -> String? {
        var (next, seen) = (story, [story.file])
        while true {
            guard let resolved = files.resolve(next.base), !seen.contains(resolved) else { return nil }
            seen.append(resolved)
            let path = files.shown(resolved)
            guard let heading = StoryHeading(path, files: files) else { return path }
            next = heading
        }
    }

    /// Loads the file that was asked for, or a story by its id.
    ///
    /// - Parameter foresee: called early with the scenario's contract.
    package func load(
        story id: String? = nil,
        foreseeing foresee: ((_ contract: String) -> Void)? = nil
    ) throws(ScenarioError) -> LoadedScenario {
        guard let id else { return try load(path: path, foreseeing: foresee) }
        guard !isContract else {
            throw ScenarioError(
                "scenario/unknown-story",
                "there is no story \"\(id)\", because \(path) is an OpenAPI file",
                advice: "specify the story's folder or backend file"
            )
        }
        let stories = stories()
        guard let entry = stories.first(where: { $0.id == id }) else {
            throw ScenarioError(
                "scenario/unknown-story",
                "unknown story \"\(id)\" in \(path)",
                advice: Suggestion.advice(for: id, among: stories.map(\.id))
            )
        }
        return try load(path: entry.file, variant: entry.variant, foreseeing: foresee)
    }

    package func load(
        path: String,
        variant: String? = nil,
        foreseeing foresee: ((_ contract: String) -> Void)? = nil
    ) throws(ScenarioError) -> LoadedScenario {
        guard isContract else { return try loader.load(path, variant: variant, foreseeing: foresee) }
        return LoadedScenario(playing: path, watched: [files.resolve(path) ?? path])
    }

    /// Loads the file that was asked for and each of its variants, the story itself first.
    ///
    /// - Parameter memory: what other stories have left; a backend that is there is not read again.
    package func loadRuns(remembering memory: inout ParseCache) throws(ScenarioError) -> [LoadedScenario] {
        guard isContract else { return try loader.loadRuns(path, remembering: &memory) }
        return [try load(path: path)]
    }

    /// A library whose only file is a backend that was made and not written, as if it lay in the current folder.
    package static func made(_ backend: JSONValue, named name: String) throws(ScenarioError) -> ScenarioLibrary {
        let file = MadeFile(path: "\(name).json", bytes: backend.utf8(.compact), others: DiskFiles())
        var library = try ScenarioLibrary(file.path, files: file)
        library.isMade = true
        return library
    }

    /// Loads a backend that was made and not written, as if it lay next to a file.
    func load(_ backend: JSONValue, nextTo path: String) throws(ScenarioError) -> LoadedScenario {
        let made = MadeFile(
            path: FilePath.join(FilePath.folder(of: path), "issuer-of-\(FilePath.name(of: path)).json"),
            bytes: backend.utf8(.compact),
            others: files
        )
        guard let project = ProjectRoot(enclosing: path, files: files) else { throw .missingFile(path, files) }
        return try ScenarioLoader(files: made, project: project).load(made.path)
    }

    /// Reads a contract and everything that it refers to.
    func contract(
        at path: String,
        by reader: any ContractReader,
        overlays: [String]
    ) throws(ScenarioError) -> any ServedContract {
        try reader.contract(at: path, files: files, project: project, overlays: overlays)
    }

    /// The stories next to the file that is served; see ``stories(in:files:)``.
    package func stories() -> [Entry] { isContract || isMade ? [] : Self.stories(in: folder, files: files) }

    /// The stories in a folder, in the natural order of their ids, each followed by its variants; other files are left
    /// out.
    package static func stories(in folder: String, files: any FileReading) -> [Entry] {
        headings(in: folder, files)
            .flatMap { story in
                [Entry(id: story.id, title: story.title, file: story.file)]
                    + story.variants.map { variant in
                        Entry(
                            id: "\(story.id)/\(variant.name)",
                            title: variant.title,
                            file: story.file,
                            variant: variant.name
                        )
                    }
            }
    }
}

extension ScenarioLibrary {
    /// The stories of a folder without their variants, in the natural order of their ids.
    private static func headings(in folder: String, _ files: any FileReading) -> [StoryHeading] {
        files.entries(of: folder)
            .filter(TextFormat.isDocument)
            .compactMap { StoryHeading(FilePath.join(folder, $0), files: files) }
            .sorted { (NaturalOrder($0.id), $0.file) < (NaturalOrder($1.id), $1.file) }
    }
}

extension ScenarioLibrary {
    /// The files of a folder that may be meant to be stories but cannot be listed, because their text is broken or their ID
    /// is missing.
    package static func brokenStories(in folder: String, files: any FileReading) -> [String] {
        files.entries(of: folder).filter(TextFormat.isDocument).map { FilePath.join(folder, $0) }
            .filter { StoryHeading.isMissing(in: $0, files: files) }
    }

    /// The findings about IDs that several stories of a folder share, so that reports, baselines and `--story` cannot
    /// distinguish them.
    package static func findingsOnIDs(ofStoriesIn folder: String, files: any FileReading) -> [Finding] {
        var names = StoryNames()
        for heading in headings(in: folder, files) { names.note(heading) }
        return names.findings
    }

    /// The findings about other stories of its folder with the same ID; empty for a backend.
    package func findingsOnID(of loaded: LoadedScenario) -> [Finding] {
        guard loaded.scenario.story != nil else { return [] }
        let own = FilePath.name(of: loaded.path)
        let headings = Self.headings(in: FilePath.folder(of: loaded.path), files)
        var names = StoryNames()
        for heading in headings { names.note(heading) }
        if !headings.contains(where: { FilePath.name(of: $0.file) == own }) { names.note(loaded) }
        return names.findings.filter { $0.place?.file.map(FilePath.name) == own }
    }
}

/// A file that exists in memory alone, among the files that there are.
private struct MadeFile: FileReading {
    let path: String
    let bytes: [UInt8]
    let others: any FileReading

    private func isMade(_ path: String) -> Bool { path.exact == self.path.exact || resolved == path }

    private var resolved: String {
        let folder = FilePath.folder(of: path)
        return FilePath.join(others.resolve(folder) ?? folder, FilePath.name(of: path))
    }

    func resolve(_ path: String) -> String? { isMade(path) ? resolved : others.resolve(path) }

    func read(_ path: String) throws(FileProblem) -> [UInt8] { isMade(path) ? bytes : try others.read(path) }

    func entries(of folder: String) -> [String] { others.entries(of: folder) }

    func isFolder(_ path: String) -> Bool { !isMade(path) && others.isFolder(path) }
}

extension ScenarioLibrary {
    /// The backend that is played when no path is given: the only one of ``usualBackends(files:)``.
    ///
    /// - Throws: ``ScenarioError`` that lists the backends when there are several, and advises what to do without one.
    package static func usualPath(files: any FileReading = DiskFiles()) throws(ScenarioError) -> String {
        let folders = usualBackends(files: files)
        guard let first = folders.first else {
            let contract = contractHere(files: files)
            throw ScenarioError(
                "scenario/missing-file",
                "found no backend.json here or in Scenarios",
                advice: contract.map {
                    "serve the OpenAPI file with backlot serve \($0), or create a scenario from it with backlot init \($0)"
                } ?? "create a scenario with backlot init"
            )
        }
        guard folders.count == 1 else {
            throw ScenarioError(
                "scenario/several-backends",
                "found several backends: \(folders.joined(separator: ", "))",
                advice: "specify a backend: backlot serve \(first)"
            )
        }
        return first
    }

    /// The current folder when it has a backend; otherwise the folders with one among the project's `Scenarios` and the
    /// folders in it.
    package static func usualBackends(files: any FileReading = DiskFiles()) -> [String] {
        if backend(in: ".", files) != nil { return ["."] }
        guard let here = files.resolve("."), let root = ProjectRoot(enclosing: here, files: files) else { return [] }
        let relative = FilePath.relative(FilePath.join(root.path, "Scenarios"), to: here)
        let scenarios = relative.isEmpty ? "." : relative
        let own = backend(in: scenarios, files) == nil ? [] : [scenarios]
        return own + backendFolders(in: scenarios, files).map { FilePath.join(scenarios, $0) }
    }

    /// The names of a folder's folders with a backend, except hidden ones, which may contain an incomplete draft.
    fileprivate static func backendFolders(in folder: String, _ files: any FileReading) -> [String] {
        files.entries(of: folder).filter { name in
            name.utf8.first != UInt8(ascii: ".") && backend(in: FilePath.join(folder, name), files) != nil
        }
    }

    /// The first OpenAPI file of the current folder.
    package static func contractHere(files: any FileReading = DiskFiles()) -> String? {
        files.entries(of: ".").first { name in
            TextFormat.isDocument(name) && DocumentKind.isContract((try? files.read(name)) ?? [], at: name)
        }
    }
}

extension ScenarioError {
    fileprivate init(_ id: String, _ message: String, advice: String?) {
        self.init([Finding(.error, id: id, message, advice: advice)])
    }

    /// A folder of stories that do not share a backend.
    fileprivate static func severalBackends(_ backends: [String], of folder: String, _ story: String) -> ScenarioError {
        ScenarioError(
            "scenario/several-backends",
            "the folder \"\(folder)\" contains no backend.json, and its stories extend"
                + " \(backends.joined(lastBy: "and"))",
            advice: "specify a story, such as \(story), or one of the backends"
        )
    }

    /// There is no such file, or a folder without a backend and without stories; says what is there instead.
    fileprivate static func missingFile(_ path: String, _ files: any FileReading) -> ScenarioError {
        let isFolder = files.isFolder(path)
        let folder = isFolder ? path : FilePath.folder(of: path)
        let scenarios = files.entries(of: folder).filter(TextFormat.isDocument)
        guard isFolder else {
            let folders = ScenarioLibrary.backendFolders(in: folder, files)
            // A broken link is listed under the requested name.
            let name = FilePath.name(of: path)
            let meant = Suggestion.nearest(to: name, among: (scenarios + folders).filter { $0 != name })
            let isPort = UInt16(path) != nil
            return ScenarioError(
                "scenario/missing-file",
                "there is no file or folder \"\(path)\"",
                advice: isPort
                    ? "write a port as --port \(path)"
                    : scenarios.contains(name)
                        ? "the path is a broken symbolic link"
                        : meant.map { "did you mean \"\(FilePath.join(folder, $0))\"?" }
            )
        }
        let backends = ScenarioLibrary.backendFolders(in: folder, files).map { FilePath.join(folder, $0) }
        let unattached = scenarios.first { name in
            let root = try? JSONParser().parse(files.read(FilePath.join(folder, name)), ofFile: name).root
            return root?["id"] != nil && root?["extends"] == nil
        }
        let advice =
            if !backends.isEmpty {
                "specify a folder that contains a backend: \(backends.joined(lastBy: "or"))"
            } else if let unattached {
                "\(unattached) contains an \"id\" but no \"extends\"; a story requires its backend, such as "
                    + "\"extends\": \"../app/backend.json\""
            } else if !scenarios.isEmpty {
                "specify a scenario file: \(scenarios.joined(lastBy: "or"))"
            } else {
                "specify a scenario file, or a folder that contains a scenario file"
            }
        return ScenarioError(
            "scenario/missing-file",
            "the folder \"\(path)\" contains neither a backend.json nor a story",
            advice: advice
        )
    }
}
