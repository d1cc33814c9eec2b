import Basics
import OpenAPI
import Reports
import StoryRunning

extension ClientTest {
    /// Puts a client through one part.
    func report(
        of part: Part,
        _ assignment: TestAssignment,
        _ tell: @escaping @Sendable (Progress) -> Void
    ) async -> Report {
        do {
            switch part {
            case .responses: return try await responses(assignment, over: .raw, tell)
            case .urlsession: return try await responses(assignment, over: .urlSession, tell)
            case .variants: return try await variants(assignment, tell)
            case .stories: return await play(assignment.adapter, assignment.stories, tell)
            }
        } catch let error as ContractError {
            return Report(title: "test", findings: error.findings)
        } catch {
            let sentence = "\(assignment.adapter.name) could not be tested: \(error)"
            return Report(title: "test", findings: [Finding(.error, id: "test/\(part.rawValue)", sentence)])
        }
    }

    private func responses(
        _ assignment: TestAssignment,
        over network: ResponseCheckOptions.Network,
        _ tell: @escaping @Sendable (Progress) -> Void
    ) async throws -> Report {
        let adapter = assignment.adapter
        let contract = try adapter.readContract(in: project, files: files)
        let options = ResponseCheckOptions(
            operations: assignment.operations,
            checks: checks.findings(of: network == .raw ? .responses : .urlsession),
            network: network,
            lanes: jobs
        )
        return try await ResponseCheck(adapter, contract: contract, options).run { operation, answer in
            tell(.began("\(adapter.name) \(operation) \(answer)"))
        }.report
    }

    private func variants(
        _ assignment: TestAssignment,
        _ tell: @escaping @Sendable (Progress) -> Void
    ) async throws -> Report {
        let adapter = assignment.adapter
        let contract = try adapter.readContract(in: project, files: files)
        var options = VariantCheckOptions(
            operations: assignment.operations,
            checks: checks.findings(of: .variants),
            lanes: jobs
        )
        if let seed { options.seed = seed }
        return await VariantCheck(adapter, contract: contract, options).run { operation in
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
    func size(of part: ClientTest.Part) -> String {
        switch part {
        case .responses, .urlsession: checks.count { $0.skipped == nil }.counted("call")
        case .variants: checks.count { $0.skipped == nil }.counted("documented answer")
        case .stories: stories.count == 1 ? "1 story" : "\(stories.count) stories"
        }
    }
}

extension Int {
    fileprivate func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
