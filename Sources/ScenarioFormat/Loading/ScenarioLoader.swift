package import Findings
import JSONText

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
            throw ScenarioError([error.finding], watched: reader.watched)
        }
        var merged: JSONValue?
        for document in chain.documents { merged = Shape.object(.scenario).merging(document, over: merged) }
        let root = merged ?? .object([:])

        var checker = ShapeChecker(sources: chain.sources)
        checker.check(root, against: .object(.scenario))
        var builder = ScenarioBuilder(
            root: root,
            sources: chain.sources,
            assets: AssetReader(files: files, folder: chain.backendFolder)
        )
        let scenario = builder.build()
        let findings = (checker.findings + builder.findings).inOrder(of: builder.sources)
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
}

/// A scenario as it was loaded, with the files that it came from.
package struct LoadedScenario: Sendable {
    package var scenario: Scenario
    /// The merged tree that it was built from.
    let root: JSONValue
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

extension [Finding] {
    /// Sorts by file, as they were read, and then by place; drops what was found twice.
    fileprivate func inOrder(of sources: SourceMap) -> [Finding] {
        let ranks = Dictionary(sources.paths.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        func key(_ finding: Finding) -> (Int, TextPosition) {
            (
                finding.place?.file.flatMap { ranks[$0] } ?? .max,
                finding.place?.position ?? TextPosition(line: 0, column: 0)
            )
        }
        var seen = Set<Finding>()
        return enumerated()
            .sorted { (key($0.element), $0.offset) < (key($1.element), $1.offset) }
            .map(\.element)
            .filter { seen.insert($0).inserted }
    }
}

private func < (left: ((Int, TextPosition), Int), right: ((Int, TextPosition), Int)) -> Bool {
    (left.0.0, left.0.1, left.1) < (right.0.0, right.0.1, right.1)
}
