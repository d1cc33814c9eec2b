import Findings
import OpenAPIContracts
package import ProjectFiles
package import Reports
import StoryRunning

/// Everything that a client can be put through: matrix, sweep and stories.
package struct ClientTest: Sendable {
    /// What a test consists of.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// Every operation with every documented answer, and with connections that break.
        case matrix
        /// Every response with every variant that its schema allows.
        case sweep
        /// The matrix again, over the platform's own networking.
        case urlsession
        /// Every story of the client's folder.
        case stories
    }

    package var parts = Part.allCases
    /// Patterns for operations' ids; empty for all.
    package var operations: [String] = []
    /// Patterns for findings' ids; empty for all.
    package var findings: [String] = []
    /// Ids of the only stories that are wanted; empty for all.
    package var stories: [String] = []
    /// How many times a story is played in which anything depends on the seed.
    package var schedules = 1
    /// What every random choice begins with; its usual number when `nil`.
    package var seed: UInt64?
    /// How many calls and stories there are at a time.
    package var jobs = 4
    /// Whether the whole test is to end.
    package var isInterrupted: @Sendable () -> Bool = { false }

    private let files: any FileReading
    private let project: ProjectRoot

    /// - Parameter project: the folder that adapters' paths start from.
    package init(in project: ProjectRoot, files: any FileReading = DiskFiles()) {
        self.project = project
        self.files = files
    }

    /// Something that whoever watches wants to know at once.
    package enum Progress: Sendable {
        /// A call, the variants of an answer or a story is about to begin; the text names it.
        case began(String)
        /// A part of a client's test is over.
        case finished(client: String, Part, summary: String, failures: Int, duration: Duration)
    }

    /// Tests clients one after the other.
    package func run(
        _ adapters: [any ClientAdapter],
        telling tell: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async -> Report {
        var report = Report(title: "test")
        let stories = stories(of: adapters)
        for (adapter, stories) in zip(adapters, stories) {
            for part in parts where !isInterrupted() && isWanted(part, of: adapter, stories) {
                let start = ContinuousClock.now
                let result = await self.report(of: part, adapter, stories, tell)
                let failures = result.allFindings.count { $0.severity == .error }
                tell(
                    .finished(
                        client: adapter.name,
                        part,
                        summary: result.size(of: part),
                        failures: failures,
                        duration: ContinuousClock.now - start
                    )
                )
                report.add(result)
            }
        }
        return report
    }

    private func isWanted(_ part: Part, of adapter: any ClientAdapter, _ own: [String]) -> Bool {
        guard part == .stories else { return stories.isEmpty }
        return adapter.stories != nil && operations.isEmpty && (stories.isEmpty || !own.isEmpty)
    }

    /// Which of the wanted stories are each client's; one that is nobody's is everybody's to complain about.
    private func stories(of adapters: [any ClientAdapter]) -> [[String]] {
        guard !stories.isEmpty else { return adapters.map { _ in [] } }
        let known = adapters.map { FlowRun.ids(of: $0, from: project.path, files: files) }
        func isOwned(_ id: String, by ids: [String]) -> Bool {
            ids.contains { $0.utf8.elementsEqual(id.utf8) || $0.utf8.starts(with: "\(id)/".utf8) }
        }
        let lost = stories.filter { id in !known.contains { isOwned(id, by: $0) } }
        return known.map { ids in stories.filter { isOwned($0, by: ids) || lost.containsExactly($0) } }
    }

    private func report(
        of part: Part,
        _ adapter: any ClientAdapter,
        _ stories: [String],
        _ tell: @escaping @Sendable (Progress) -> Void
    ) async -> Report {
        do {
            switch part {
            case .matrix: return try await matrix(adapter, over: .raw, tell)
            case .urlsession: return try await matrix(adapter, over: .urlSession, tell)
            case .sweep: return try await sweep(adapter, tell)
            case .stories: return await play(adapter, stories, tell)
            }
        } catch let error as ContractError {
            return Report(title: "test", findings: error.findings)
        } catch {
            let finding = Finding(.error, id: "test/\(part.rawValue)", "\(adapter.name) could not be tested: \(error)")
            return Report(title: "test", findings: [finding])
        }
    }

    private func matrix(
        _ adapter: any ClientAdapter,
        over network: MatrixOptions.Network,
        _ tell: @escaping @Sendable (Progress) -> Void
    ) async throws -> Report {
        let options = MatrixOptions(operations: operations, checks: findings, network: network, lanes: jobs)
        return try await Matrix(adapter, files: files, project: project, options).run { operation, answer in
            tell(.began("\(adapter.name) \(operation) \(answer)"))
        }.report
    }

    private func sweep(
        _ adapter: any ClientAdapter,
        _ tell: @escaping @Sendable (Progress) -> Void
    ) async throws -> Report {
        var options = SweepOptions(operations: operations, checks: findings, lanes: jobs)
        if let seed { options.seed = seed }
        return try await Sweep(adapter, files: files, project: project, options).run { operation in
            tell(.began("\(adapter.name) \(operation) variants"))
        }.report
    }

    private func play(
        _ adapter: some ClientAdapter,
        _ stories: [String],
        _ tell: @escaping @Sendable (Progress) -> Void
    ) async -> Report {
        var run = FlowRun()
        run.only = stories
        run.seed = seed
        run.schedules = schedules
        run.parallel = jobs
        run.isInterrupted = isInterrupted
        // Places are then told as people would type them in the current folder.
        let root = files.resolve(".") == project.path ? "" : project.path
        let outcome = await run.play(adapter, from: root, files: files) { progress in
            if case .began(let story, _, _, _) = progress { tell(.began("\(adapter.name) \(story.id)")) }
        }
        var report = outcome.summary.report
        report.findings += outcome.problems
        if let problem = outcome.summary.problem {
            report.findings.append(Finding(.error, id: "test/stories", "\(adapter.name): \(problem)"))
        }
        return report
    }
}

extension Report {
    /// How much was done, for a line of progress.
    fileprivate func size(of part: ClientTest.Part) -> String {
        switch part {
        case .matrix, .urlsession: "\(checks.count { $0.skipped == nil }) calls"
        case .sweep: "\(checks.count { $0.skipped == nil }) documented answers"
        case .stories: "\(stories.count) stories"
        }
    }
}
