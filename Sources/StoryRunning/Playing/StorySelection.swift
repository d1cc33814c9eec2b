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
    /// The problems that keep all stories from being run.
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
    ///   - paths: The stories, folders of stories, and backends, which are ignored.
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
            let broken = ScenarioLibrary.brokenStories(in: path, files: files)
            if entries.isEmpty, broken.isEmpty {
                // Without a backend either, the folder is another one than was meant.
                _ = try ScenarioLibrary(path, files: files)
                let advice = "a story is a JSON or YAML file with \"extends\" and \"id\", next to the backend"
                problem(
                    "run/no-story",
                    "the folder \"\(path)\" contains no story",
                    at: Place(file: path),
                    advice: advice
                )
            }
            problems += ScenarioLibrary.findingsOnIDs(ofStoriesIn: path, files: files)
            unwanted += entries.map(\.id).filter { !isWanted($0) }
            for file in entries.filter({ isWanted($0.id) }).map(\.file).unique {
                try add(ScenarioLibrary(file, files: files), file, &memory)
            }
            // The story in such a file is unknown, so it may be a wanted one.
            let isEachFound = wanted.allSatisfy { id in entries.contains { Self.isMeant($0.id, by: id) } }
            for file in broken where wanted.isEmpty || !isEachFound { add(file, &memory) }
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
        guard runs.first?.scenario.story != nil else { return skip(path, "is a backend, not a story") }
        for run in runs {
            // A file with variants means each of them, and itself if it contains expectations.
            guard run.variant != nil || runs.count == 1 || !run.scenario.expectations.isEmpty else { continue }
            try add(run, of: library)
        }
    }

    private mutating func add(_ run: LoadedScenario, of library: ScenarioLibrary) throws(ScenarioError) {
        let loaded = try PreparedScenario.complete(run, of: library, configuration, contracts: &contracts)
        guard let heading = loaded.scenario.story else { return }
        remarks += loaded.findings.filter { !remarks.contains($0) }
        if let finding = loaded.findingOnNoExpectation(.error, id: "run/nothing-expected") {
            problems.append(finding)
        } else {
            stories.append(
                RunnableStory(heading: heading, loaded: run, library: library, contracts: contracts, files: files)
            )
        }
    }

    private mutating func problem(_ id: String, _ sentence: String, at place: Place? = nil, advice: String?) {
        problems.append(Finding(.error, id: id, sentence, at: place, advice: advice))
    }

    private mutating func skip(_ path: String, _ what: String) {
        skipped.append(Finding(.note, id: "run/no-story", "it \(what), so it is ignored", at: Place(file: path)))
    }

    /// Returns whether the user has asked for a story.
    private func isWanted(_ story: String) -> Bool {
        wanted.isEmpty || wanted.contains { Self.isMeant(story, by: $0) }
    }

    private static func isMeant(_ story: String, by id: String) -> Bool {
        story.exact == id.exact || story.utf8.starts(with: "\(id)/".utf8)
    }

    /// Leaves out what was not asked for.
    private mutating func choose() {
        let known = stories.map(\.id) + unwanted
        for id in wanted where problems.isEmpty && !known.contains(where: { Self.isMeant($0, by: id) }) {
            let advice =
                Suggestion.nearest(to: id, among: known).map { "did you mean \($0)?" }
                ?? (known.isEmpty ? nil : "the stories are \(known.joined(separator: ", "))")
            problem("run/unknown-story", "the given files do not contain the story \"\(id)\"", advice: advice)
        }
        stories = stories.filter { isWanted($0.id) }
    }
}
