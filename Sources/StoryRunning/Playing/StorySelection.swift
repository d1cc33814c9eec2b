package import Basics
import JSON
import ScenarioFormat
package import StubServing

/// The stories that a command line names, all of them loaded before any is run.
package struct StorySelection: Sendable {
    /// In the order of the arguments; each once.
    package private(set) var stories: [RunnableStory] = []
    /// Files that were named and are not stories, each with what it is.
    package private(set) var skipped: [Finding] = []
    /// What keeps stories from being run; with any of these, none is.
    package private(set) var problems: [Finding] = []
    /// Warnings and notes about the stories that can be run.
    package private(set) var remarks: [Finding] = []

    private let files: any FileReading
    private let configuration: StubServer.Configuration
    /// The only stories that are selected; all when empty.
    private var wanted: [String]
    /// Stories of folders that were not even loaded, because others are selected.
    private var unwanted: [String] = []
    private var seen: Set<ExactText> = []
    /// Stories of one backend share its contract.
    private var contracts = ReadContracts()

    /// Loads what paths name.
    ///
    /// - Parameters:
    ///   - paths: stories, folders whose stories are all meant, and backends, which are passed over.
    ///   - ids: the only stories that are selected; all when empty. The id of a story means all of its variants.
    ///   - configuration: what they will be run with, because a contract that cannot be read is a problem, too.
    package init(
        _ paths: [String],
        only ids: [String] = [],
        files: any FileReading = DiskFiles(),
        configuration: StubServer.Configuration = .readingContracts
    ) {
        self.files = files
        self.configuration = configuration
        wanted = ids
        // Stories of one backend share what was read of it.
        var memory = ParseCache()
        for path in paths { add(path, &memory) }
        choose()
    }

    /// The same stories, fewer of them.
    ///
    /// - Parameter ids: the only stories that are selected; all when empty. The id of a story means all of its
    ///   variants.
    package func only(_ ids: [String]) -> StorySelection {
        var selection = self
        selection.wanted = ids
        selection.choose()
        return selection
    }

    private mutating func add(_ path: String, _ memory: inout ParseCache) {
        do throws(ScenarioError) {
            guard files.isFolder(path) else { return try add(ScenarioLibrary(path, files: files), path, &memory) }
            let entries = ScenarioLibrary.stories(in: path, files: files)
            if entries.isEmpty, ExploreResult.isRecord(FilePath.join(path, ExploreResult.recordName), files) {
                return skip(path, "is the folder of an exploration that found nothing")
            }
            if entries.isEmpty {
                // Without a backend either, the folder is another one than was meant.
                _ = try ScenarioLibrary(path, files: files)
                problems.append(
                    Finding(
                        .error,
                        id: "run/no-story",
                        "the folder \"\(path)\" has no story",
                        at: Place(file: path),
                        advice: "a story is a JSON file with \"extends\" and \"id\" beside the backend"
                    )
                )
            }
            var listed: Set<String> = []
            for entry in entries {
                guard isWanted(entry.id) else {
                    unwanted.append(entry.id)
                    continue
                }
                guard listed.insert(entry.file).inserted else { continue }
                let story = try ScenarioLibrary(entry.file, files: files)
                try add(story, entry.file, &memory)
            }
        } catch {
            problems += error.findings
        }
    }

    private mutating func add(
        _ library: ScenarioLibrary,
        _ path: String,
        _ memory: inout ParseCache
    ) throws(ScenarioError) {
        guard seen.insert(ExactText(files.resolve(path) ?? path)).inserted else { return }
        guard !library.isContract else { return skip(path, "is an OpenAPI file, not a story") }
        let runs = try library.loadRuns(remembering: &memory)
        guard let story = runs.first?.scenario.story else { return skip(path, "is a backend, not a story") }
        for run in runs {
            // A file with variants stands for each of them, and for itself where it has something to say.
            guard run.variant != nil || runs.count == 1 || !run.scenario.expectations.isEmpty else { continue }
            let variant = run.variant.map { "\(story.id)/\($0)" }
            try add(library, run, id: variant ?? story.id, variant: variant)
        }
    }

    private mutating func add(
        _ library: ScenarioLibrary,
        _ run: LoadedScenario,
        id: String,
        variant: String?
    ) throws(ScenarioError) {
        var configuration = configuration
        configuration.story = variant
        let loaded = try PreparedScenario.complete(run, of: library, configuration, contracts: &contracts)
        guard let story = loaded.scenario.story else { return }
        remarks += loaded.findings.filter { !remarks.contains($0) }
        guard !loaded.scenario.expectations.isEmpty || story.isSilent else {
            let position = loaded.root["id"]?.position
            problems.append(
                Finding(
                    .error,
                    id: "run/nothing-expected",
                    "the story \(id) expects nothing, so it cannot judge a client",
                    at: position.map(loaded.sources.place) ?? Place(file: loaded.path),
                    advice: "describe in \"expect\" what a correct client does"
                )
            )
            return
        }
        stories.append(RunnableStory(run, story, id: id, variant: variant, library, contracts, from: files))
    }

    private mutating func skip(_ path: String, _ what: String) {
        skipped.append(Finding(.note, id: "run/no-story", "it \(what), so it is ignored", at: Place(file: path)))
    }

    /// Whether the user has asked for a story.
    private func isWanted(_ story: String) -> Bool {
        wanted.isEmpty || wanted.contains { Self.isMeant(story, by: $0) }
    }

    private static func isMeant(_ story: String, by id: String) -> Bool {
        story.utf8.elementsEqual(id.utf8) || story.utf8.starts(with: "\(id)/".utf8)
    }

    /// Leaves out what was not asked for.
    private mutating func choose() {
        let known = stories.map(\.id) + unwanted
        for id in wanted where problems.isEmpty && !known.contains(where: { Self.isMeant($0, by: id) }) {
            let meant = Suggestion.nearest(to: id, among: known)
            problems.append(
                Finding(
                    .error,
                    id: "run/unknown-story",
                    "no story \"\(id)\" is among the given files",
                    advice: meant.map { "did you mean \($0)?" }
                        ?? (known.isEmpty ? nil : "there are \(known.joined(separator: ", "))")
                )
            )
        }
        stories = stories.filter { isWanted($0.id) }
    }
}

extension ServerLog {
    /// No observer: the journal has it all.
    static var silent: ServerLog { ServerLog(isColoured: false) { $0.count } }
}
