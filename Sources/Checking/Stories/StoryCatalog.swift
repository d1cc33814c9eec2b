package import Basics
import JSON
package import Reports
import ScenarioFormat

/// Every story below some paths, by the backend that it is about.
package struct StoryCatalog: Sendable {
    /// One for each backend, in the order of their files, the stories in the natural order of their ids.
    package private(set) var tables: [StoryTable] = []
    /// The findings of stories that cannot be loaded, and of files that are not valid JSON.
    package private(set) var findings: [Finding] = []

    private let files: any FileReading
    /// The absolute path of the folder that links start from; `nil` for each story's project.
    private let folder: String?

    /// Reads every story.
    ///
    /// - Parameters:
    ///   - paths: files and folders; the `Scenarios` folder of the project when empty.
    ///   - readme: the file that shows the tables, so that their links start from its folder.
    /// - Throws: ``CheckProblem`` for a path that does not exist, and when there is no story.
    package init(
        _ paths: [String] = [],
        shownIn readme: String? = nil,
        files: any FileReading
    ) throws(CheckProblem) {
        self.files = files
        folder = readme.flatMap(files.resolve).map(FilePath.folder)
        var memory = ParseCache()
        for file in try CheckedFiles(files, in: ["Scenarios"]).find(paths) {
            switch file.kind {
            case .story: add(file.path, remembering: &memory)
            case nil: if let finding = file.finding { findings.append(finding) }
            case .contract, .backend, .other: break
            }
        }
        findings = findings.unique
        guard !tables.isEmpty || !findings.isEmpty else {
            let places = paths.isEmpty ? "Scenarios" : paths.joined(separator: ", ")
            throw CheckProblem(sentence: "there is no story in \(places.printable), so there is nothing to list")
        }
        for index in tables.indices {
            tables[index].rows.sort { (NaturalOrder($0.id), $0.link) < (NaturalOrder($1.id), $1.link) }
        }
    }

    /// All of the tables as Markdown.
    package var markdown: String { tables.map(\.markdown).joined(separator: "\n") }

    private mutating func add(_ path: String, remembering memory: inout ParseCache) {
        guard let project = ProjectRoot(enclosing: path, files: files), let resolved = files.resolve(path) else {
            return
        }
        let loader = ScenarioLoader(files: files, project: project)
        do {
            let runs = try loader.loadRuns(path, remembering: &memory)
            guard let scenario = runs.first?.scenario, let story = scenario.story else { return }
            var row = StoryTable.Row(story, link: FilePath.relative(resolved, to: folder ?? project.path))
            for variant in runs.dropFirst().compactMap(\.scenario.story) { row.add(variant, of: story) }
            for expectation in runs.flatMap(\.scenario.expectations) { row.addFacts(of: expectation) }
            enter(row, of: scenario.backend)
        } catch {
            findings += error.findings
        }
    }

    private mutating func enter(_ row: StoryTable.Row, of backend: String) {
        if let index = tables.firstIndex(where: { $0.backend.exact == backend.exact }) {
            tables[index].rows.append(row)
        } else {
            tables.append(StoryTable(backend: backend, rows: [row]))
        }
    }
}

extension StoryTable.Row {
    fileprivate init(_ story: Story, link: String) {
        self.init(
            id: story.id,
            title: story.title,
            link: link,
            reproduces: story.reproduces,
            bugClasses: story.bugClasses.map(\.rawValue),
            isUIOnly: story.isUIOnly
        )
    }

    /// Adds the parts that only a variant of the story has.
    fileprivate mutating func add(_ variant: Story, of story: Story) {
        let hasOwnTitle = variant.title.exact != story.title.exact
        variants.append(StoryTable.Variant(id: variant.id, title: hasOwnTitle ? variant.title : nil))
        reproduces += variant.reproduces.filter { !reproduces.contains($0.exact) }
        bugClasses += variant.bugClasses.map(\.rawValue).filter { !bugClasses.contains($0.exact) }
        isUIOnly = isUIOnly || variant.isUIOnly
    }

    /// Adds what an expectation of one of the runs asks the client to report.
    fileprivate mutating func addFacts(of expectation: Expectation) {
        for fact in expectation.facts {
            let value = fact.value.text()
            let isRequired = expectation.requiresFacts
            guard let index = facts.firstIndex(where: { $0.name == fact.name }) else {
                facts.append(StoryTable.Fact(name: fact.name, values: [value], isRequired: isRequired))
                continue
            }
            if !facts[index].values.contains(value.exact) { facts[index].values.append(value) }
            facts[index].isRequired = facts[index].isRequired || isRequired
        }
    }
}
