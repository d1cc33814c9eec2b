package import Findings
package import JSONText
package import ProjectFiles

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
    /// - Parameter path: a backend file or a story.
    /// - Throws: ``ScenarioError`` with everything that is wrong, not only the first thing.
    package func load(_ path: String) throws(ScenarioError) -> LoadedScenario {
        var reader = ChainReader(files: files, project: project)
        let chain: ChainReader.Chain
        do {
            chain = try reader.read(path)
        } catch {
            let findings = [error.finding] + findings(in: reader.documents, of: reader.sources)
            throw ScenarioError(findings.inOrder(of: reader.sources), watched: reader.watched)
        }
        let (root, shapeFindings) = merge(chain)
        var builder = ScenarioBuilder(
            root: root,
            base: chain.documents[0],
            sources: chain.sources,
            assets: AssetReader(files: files, folder: chain.backendFolder, project: project.path)
        )
        let scenario = builder.build()
        let findings = (shapeFindings + builder.findings).inOrder(of: builder.sources)
        let watched = chain.watched + builder.assets.watched
        guard !findings.contains(where: { $0.severity == .error }) else {
            throw ScenarioError(findings, watched: watched)
        }
        return LoadedScenario(
            scenario: scenario,
            root: root,
            path: path,
            findings: findings,
            watched: watched,
            sources: builder.sources
        )
    }

    /// Lays the stories over their backend, and finds what has the wrong shape in either.
    private func merge(_ chain: ChainReader.Chain) -> (root: JSONValue, findings: [Finding]) {
        var base = ShapeChecker(sources: chain.sources)
        base.check(chain.documents[0], against: .object(.scenario))
        guard chain.documents.count > 1 else { return (chain.documents[0], base.findings) }

        var merger = ShapeMerger(sources: chain.sources)
        let root = chain.documents.dropFirst().reduce(chain.documents[0]) { base, story in
            merger.merge(story, over: base, along: .object(.scenario))
        }
        var whole = ShapeChecker(sources: chain.sources)
        whole.check(root, against: .object(.scenario))
        // What is wrong in the backend already is told at its place there.
        let known = Set(base.findings.map { [$0.id, $0.message, $0.place?.pointer ?? ""] })
        let added = whole.findings.filter { !known.contains([$0.id, $0.message, $0.place?.pointer ?? ""]) }
        return (root, base.findings + merger.findings + added)
    }

    /// What can be said about stories whose backend could not be read.
    private func findings(in stories: [JSONValue], of sources: SourceMap) -> [Finding] {
        var checker = ShapeChecker(sources: sources, isPatch: true)
        for story in stories { checker.check(story, against: .object(.scenario)) }
        return checker.findings
    }
}

/// A scenario as it was loaded, with the files that it came from.
package struct LoadedScenario: Sendable {
    package var scenario: Scenario
    /// The merged tree that it was built from.
    package let root: JSONValue
    /// The path that was asked for.
    package var path: String
    /// Warnings and notes; what is an error has been thrown.
    package var findings: [Finding]
    /// Every file whose change would change the scenario.
    package var watched: [String]
    package var sources: SourceMap
}

/// A scenario that cannot be played, with everything that is wrong in it.
package struct ScenarioError: Error {
    package var findings: [Finding]
    /// The files that were read nevertheless, so that a mended file is noticed.
    package var watched: [String]

    package init(_ findings: [Finding], watched: [String] = []) {
        self.findings = findings
        self.watched = watched
    }
}
