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

    /// Returns what the `issuer` of a scenario defines, as a backend could write it itself; nil without an issuer.
    ///
    /// - Throws: ``ScenarioError`` if the scenario cannot be loaded.
    package func issuerDefinitions(of path: String) throws(ScenarioError) -> JSONValue? {
        let loaded = try load(path)
        var reader = ChainReader(files: files, project: project)
        // The same files have been read to load the scenario.
        guard let chain = try? reader.read(path),
            let expansion = IssuerExpansion(chain.documents.map(VariantMerger.story), sources: chain.sources),
            var definitions = expansion.backend.object
        else { return nil }
        let guards = IssuerExpansion.guards(loaded.root["issuer"])
        if !guards.isEmpty { definitions["guards"] = .array(guards) }
        return .object(definitions)
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
            scenario.parts = StoryAdditions(root: root, base: backend)
                .parts(of: scenario, variant: name.flatMap { merger.patch(of: $0) })
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
