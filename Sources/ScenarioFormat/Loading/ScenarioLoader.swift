package import Basics
package import JSON

/// Reads a scenario file, the files that it extends and the fixtures that it names.
package struct ScenarioLoader: Sendable {
    private let files: any FileReading
    private let project: ProjectRoot

    package init(files: any FileReading, project: ProjectRoot) {
        self.files = files
        self.project = project
    }

    /// Loads a scenario.
    ///
    /// A story is loaded with all of its variants, so that a mistake in one of them is reported with the others.
    ///
    /// - Parameters:
    ///   - path: a backend file or a story.
    ///   - variant: the variant of the story that is wanted; the story itself when `nil`.
    ///   - foresee: called early with the scenario's contract, so that it can be read concurrently.
    /// - Throws: ``ScenarioError`` with everything that is wrong, not only the first thing.
    package func load(
        _ path: String,
        variant: String? = nil,
        foreseeing foresee: ((_ contract: String) -> Void)? = nil
    ) throws(ScenarioError) -> LoadedScenario {
        var memory = ParseCache()
        let runs = try DeepStack.run { () throws(ScenarioError) in try readRuns(path, &memory, foresee) }
        if let wanted = runs.first(where: { $0.variant.map(\.exact) == variant.map(\.exact) }) {
            return wanted
        }
        let unknown = unknown(variant ?? "", of: path, among: runs.compactMap(\.variant))
        throw ScenarioError([unknown], watched: runs.first?.watched ?? [])
    }

    /// Loads a scenario and each of its variants, in the order of the file; the story itself comes first.
    ///
    /// - Throws: ``ScenarioError`` with everything that is wrong in any of them.
    package func loadRuns(_ path: String) throws(ScenarioError) -> [LoadedScenario] {
        var memory = ParseCache()
        return try loadRuns(path, remembering: &memory)
    }

    /// Loads a scenario and each of its variants, without reading again what another one has left.
    ///
    /// - Throws: ``ScenarioError`` with everything that is wrong in any of them.
    package func loadRuns(
        _ path: String,
        remembering memory: inout ParseCache
    ) throws(ScenarioError) -> [LoadedScenario] {
        try DeepStack.run { () throws(ScenarioError) in try readRuns(path, &memory) }
    }

    private func readRuns(
        _ path: String,
        _ memory: inout ParseCache,
        _ foresee: ((_ contract: String) -> Void)? = nil
    ) throws(ScenarioError) -> [LoadedScenario] {
        var reader = ChainReader(files: files, project: project, known: memory.documents)
        let chain: ChainReader.Chain
        do {
            chain = try reader.read(path)
        } catch {
            let findings = [error.finding] + findings(in: reader.documents, of: reader.sources)
            throw ScenarioError(findings.inOrder(of: reader.sources), watched: reader.watched)
        }
        if let foresee, let tree = chain.documents.reversed().compactMap({ $0["contract"] }).first,
            let name = tree.string, FilePath.isPath(name)
        {
            var assets = AssetReader(files: files, folder: chain.backendFolder, project: project.path)
            if let path = try? assets.locate(name, from: chain.sources.path(of: tree.position) ?? "") { foresee(path) }
        }
        var entry = memory.entry(for: chain)
        let (backend, ownLeading, issuerFindings) = IssuerExpansion.expanded(
            chain.documents.map(VariantMerger.story),
            sources: chain.sources
        )
        let (root, shapeFindings, storyLeading) = merge(chain, over: backend, &entry)
        let leading = storyLeading.union(ownLeading)
        var merger = VariantMerger(sources: chain.sources)
        let variants = merger.merge(
            variantsOf: chain.documents[chain.documents.count - 1],
            over: root,
            known: shapeFindings
        )
        var findings = issuerFindings + shapeFindings + merger.findings
        var assets = entry.assets ?? AssetReader(files: files, folder: chain.backendFolder, project: project.path)
        var runs: [LoadedScenario] = []
        for (name, root) in [(nil, root)] + variants.map({ (Optional($0.name), $0.root) }) {
            var builder = ScenarioBuilder(root: root, base: backend, sources: entry.sources, assets: assets)
            builder.leading = leading.union(merger.leading)
            builder.fixtures = entry.fixtures
            builder.parts = entry[builder.context]
            var scenario = builder.build()
            entry[builder.context] = builder.parts
            entry.fixtures = builder.fixtures
            entry.sources = builder.sources
            assets = builder.assets
            findings += name.map { merger.naming($0, in: builder.findings, besides: findings) } ?? builder.findings
            scenario.parts = builder.storyParts(of: scenario, variant: name.flatMap { merger.patch(of: $0) })
            scenario.story?.become(variant: name, of: variants.map(\.name))
            var run = LoadedScenario(scenario: scenario, root: root, path: path, sources: builder.sources)
            run.variant = name
            runs.append(run)
        }
        let watched = chain.watched + assets.watched
        guard !findings.contains(where: { $0.severity == .error }) else {
            let ordered = findings.inOrder(of: runs.first?.sources ?? chain.sources)
            throw ScenarioError(ordered.groupedByUnknownName, watched: watched)
        }
        entry.assets = assets
        memory.keep(entry, for: chain)
        for index in runs.indices {
            runs[index].findings = findings.inOrder(of: runs[index].sources)
            runs[index].watched = watched
        }
        return runs
    }

    private func unknown(_ variant: String, of path: String, among names: [String]) -> Finding {
        Finding(
            .error,
            id: "scenario/unknown-variant",
            "the story does not define the variant \"\(variant.shortened)\"".printable,
            at: Place(file: path),
            advice: (Suggestion.advice(for: variant, among: names) ?? "the story defines no variants").printable
        )
    }

    /// Lays the stories over their backend, and finds what has the wrong shape in either.
    private func merge(
        _ chain: ChainReader.Chain,
        over backend: JSONValue,
        _ entry: inout ParseCache.Entry
    ) -> (root: JSONValue, findings: [Finding], leading: Set<LeadingResponses>) {
        let documents = chain.documents.map(VariantMerger.story)
        let known = entry.shapeFindings ?? shapeFindings(of: backend, in: chain.sources)
        entry.shapeFindings = known
        guard documents.count > 1 else { return (backend, known, []) }

        var merger = ShapeMerger(sources: chain.sources)
        let root = documents.dropFirst().reduce(backend) { base, story in
            merger.merge(story, over: base, along: .object(Scenario.self))
        }
        var whole = ShapeChecker(sources: chain.sources)
        whole.check(root.withoutRoutes(of: backend), against: .object(Scenario.self))
        // Mistakes of the backend are reported at their place there.
        let gists = Set(known.map(\.gist))
        let added = whole.findings.filter { !gists.contains($0.gist) }
        return (root, known + merger.findings + added, merger.leading)
    }

    private func shapeFindings(of document: JSONValue, in sources: SourceMap) -> [Finding] {
        var checker = ShapeChecker(sources: sources)
        checker.check(document, against: .object(Scenario.self))
        return checker.findings
    }

    /// The findings about stories whose backend could not be read.
    private func findings(in stories: [JSONValue], of sources: SourceMap) -> [Finding] {
        var checker = ShapeChecker(sources: sources, isPatch: true)
        for story in stories { checker.check(story, against: .object(Scenario.self)) }
        return checker.findings
    }
}

/// A scenario as it was loaded, with the files that it came from.
package struct LoadedScenario: Sendable {
    package var scenario: Scenario
    /// The merged tree that it was built from.
    package private(set) var root: JSONValue
    /// The path that was asked for.
    package var path: String
    /// The variant of the story that was asked for.
    package var variant: String?
    /// Warnings and notes; what is an error has been thrown.
    package var findings: [Finding] = []
    /// Every file whose change would change the scenario.
    package var watched: [String] = []
    package var sources: SourceMap
}

extension LoadedScenario {
    /// That its story expects nothing of the client, so that no client can pass it; `nil` where it does, for a story in
    /// which a correct client sends nothing, and for a backend.
    ///
    /// - Parameter id: that of the finding, by which commands name it.
    package func findingOnNoExpectation(_ severity: Finding.Severity, id: String) -> Finding? {
        guard let story = scenario.story, !story.isSilent, scenario.expectations.isEmpty else { return nil }
        return Finding(
            severity,
            id: id,
            "the story \(story.id) expects nothing from the client, so it never passes".printable,
            at: sources.place(of: root["id"]?.position ?? root.position),
            advice: "add \"expect\" with the behavior of a correct client"
        )
    }
}

/// A scenario that cannot be played, with everything that is wrong in it.
package struct ScenarioError: Error {
    package var findings: [Finding]
    /// The files that were read nevertheless, so that a fixed file is noticed.
    package var watched: [String]

    package init(_ findings: [Finding], watched: [String] = []) {
        self.findings = findings
        self.watched = watched
    }
}

/// A cache of loading, for the next scenarios that extend the same backend.
///
/// It assumes that no file changes while it is used, so it is for one command that reads many files, not for a server.
package struct ParseCache {
    /// A file that others extend, by the number that it has in their chain.
    struct DocumentKey: Hashable {
        var path: String
        var number: Int32
    }

    var documents: [DocumentKey: JSONValue] = [:]
    private var entries: [[String]: Entry] = [:]

    package init() {}

    /// The read files for stories of one backend.
    struct Entry {
        /// The files of the last story, and every fixture since the first one.
        var sources = SourceMap()
        var fixtures: [String: JSONDocument?] = [:]
        var assets: AssetReader?
        /// The findings about the backend's shape.
        var shapeFindings: [Finding]?
        private var parts: [(context: ReadParts.Context, parts: ReadParts)] = []

        subscript(context: ReadParts.Context) -> ReadParts {
            get { parts.first { $0.context.isSame(as: context) }?.parts ?? ReadParts() }
            set {
                if let index = parts.firstIndex(where: { $0.context.isSame(as: context) }) {
                    parts[index].parts = newValue
                } else {
                    parts.append((context, newValue))
                }
            }
        }
    }

    /// The cached results for a chain of files; only the chain if it is the first of its backend.
    func entry(for chain: ChainReader.Chain) -> Entry {
        var entry = entries[Self.key(chain)] ?? Entry()
        let known = entry.sources.paths.dropFirst(chain.sources.paths.count)
        entry.sources = chain.sources
        for path in known { _ = entry.sources.add(path) }
        return entry
    }

    mutating func keep(_ entry: Entry, for chain: ChainReader.Chain) {
        // What extends nothing and cannot be read alone is not extended either.
        guard chain.documents.count > 1 else { return }
        entries[Self.key(chain)] = entry
        for (number, document) in chain.documents.reversed().enumerated().dropFirst() {
            let key = DocumentKey(path: chain.sources.paths[number], number: Int32(number))
            documents[key] = document
        }
    }

    private static func key(_ chain: ChainReader.Chain) -> [String] {
        [chain.backendFolder] + chain.sources.paths.dropFirst()
    }
}

/// The story heading of a file, read without loading the extended files.
package struct StoryHeading: Sendable {
    /// One of the story's variants.
    package struct Variant: Sendable {
        package var name: String
        package var title: String
    }

    package var id: String
    package var title: String
    package var file: String
    /// The place of its ID.
    package var place: Place
    /// The path of the file that it extends.
    package var base: String
    package var variants: [Variant]

    /// - Returns: `nil` if the file is not a story or cannot be read.
    package init?(_ file: String, files: any FileReading) {
        guard
            let bytes = try? files.read(file),
            let root = try? JSONParser().parse(bytes, ofFile: file).root,
            let id = root["id"]?.string, root["extends"] != nil
        else { return nil }
        self.id = id
        base = FilePath.join(FilePath.folder(of: file), root["extends"]?.string ?? "")
        self.file = file
        place = Place(file: file, position: root["id"]?.position.text)
        let title = root["title"]?.string ?? ""
        self.title = title
        variants = root["variants"].members.filter { $0.value.object != nil }.map {
            Variant(name: $0.name, title: $0.value["title"]?.string ?? title)
        }
    }
}

extension LoadedScenario {
    /// A backend without routes, whose every response comes from a contract.
    ///
    /// - Parameter path: the OpenAPI file, as the user wrote it.
    package init(playing path: String, watched: [String]) {
        var sources = SourceMap()
        let position = JSONPosition(document: sources.add(path), line: 0, column: 0)
        var scenario = Scenario(backend: FilePath.name(of: path))
        scenario.contract = ContractReference(path: path, position: position)
        scenario.fill = .examples
        self.init(
            scenario: scenario,
            root: ["backend": .string(scenario.backend)],
            path: path,
            findings: [],
            watched: watched,
            sources: sources
        )
    }
}

extension LoadedScenario {
    /// Copies the responses and tokens of another backend, and keeps its own name and contract.
    package mutating func take(_ other: LoadedScenario) {
        var scenario = other.scenario
        scenario.backend = self.scenario.backend
        scenario.contract = self.scenario.contract
        scenario.fill = self.scenario.fill
        self.scenario = scenario
        root = other.root
    }
}

extension LoadedScenario {
    /// Reads one event in the words of this scenario, as the admin API receives it.
    ///
    /// - Throws: ``ScenarioError`` with everything that is wrong with it.
    package func event(from tree: JSONValue) throws(ScenarioError) -> Event {
        var checker = ShapeChecker(sources: SourceMap())
        checker.check(tree, against: .event(with: .nothing))
        var builder = ScenarioBuilder(namesOf: root)
        let event = builder.event(tree, inResponse: false)
        let findings = checker.findings + builder.findings
        guard let event, !findings.contains(where: { $0.severity == .error }) else { throw ScenarioError(findings) }
        return event
    }

    /// - Throws: ``ScenarioError`` if the scenario does not have a route.
    package func check(route: String) throws(ScenarioError) {
        var builder = ScenarioBuilder(namesOf: root)
        builder.expectRoute(route, at: JSONValue.string(route).position)
        guard builder.findings.isEmpty else { throw ScenarioError(builder.findings) }
    }
}
