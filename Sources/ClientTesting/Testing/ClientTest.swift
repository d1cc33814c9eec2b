package import Basics
import Checking
import OpenAPI
package import Reports
import StoryRunning

/// All tests of clients: documented responses, response variants and stories.
package struct ClientTest: Sendable {
    /// The parts that are selected, and which of their findings.
    package var checks = WantedChecks()
    /// Patterns for operations' ids; empty for all.
    ///
    /// With any, no stories are run.
    package var operations: [String] = []
    /// Ids of the only stories that are selected; empty for all.
    ///
    /// With any, neither documented responses nor variants are tested.
    package var stories: [String] = []
    /// The number of runs of a story in which anything depends on the seed.
    package var schedules = 1
    /// The seed of every random choice; its usual number when `nil`.
    package var seed: UInt64?
    /// The number of calls and stories at a time.
    package var jobs = 4
    /// A Boolean value that indicates whether the whole test is to end.
    package var isInterrupted: @Sendable () -> Bool = { false }

    let files: any FileReading
    let project: ProjectRoot

    /// - Parameter project: the folder that adapters' paths start from.
    package init(in project: ProjectRoot, files: any FileReading = DiskFiles()) {
        self.project = project
        self.files = files
    }

    /// An event for progress output, reported at once.
    package enum Progress: Sendable {
        /// A call, the variants of a response or a story is about to begin; the text names it.
        case began(String)
        /// A part of a client's test is over.
        case finished(client: String, Part, summary: String, failures: Int, duration: Duration)
    }

    /// Tests clients one after the other, each by its share of the selection.
    ///
    /// - Throws: ``TestChoiceProblem`` for an operation or a story that no client has; then nothing was tested.
    package func run(
        _ adapters: [any ClientAdapter],
        telling tell: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(TestChoiceProblem) -> Report {
        var report = Report(title: "test")
        for assignment in try assignments(for: adapters) {
            func take(_ done: (part: Part, report: Report, duration: Duration)) {
                tell(
                    .finished(
                        client: assignment.adapter.name,
                        done.part,
                        summary: done.report.size(of: done.part),
                        failures: done.report.allFindings.count { $0.severity == .error },
                        duration: done.duration
                    )
                )
                report.add(done.report)
            }
            var parts = assignment.parts[...]
            while !isInterrupted(), let part = parts.popFirst() {
                guard part == .urlsession, let next = parts.popFirst() else {
                    take(await timedReport(of: part, assignment, tell))
                    continue
                }
                // The platform's networking mostly waits for real time to pass, so the next part runs concurrently.
                async let first = timedReport(of: part, assignment, tell)
                async let second = timedReport(of: next, assignment, tell)
                take(await first)
                take(await second)
            }
        }
        return report
    }

    private func timedReport(
        of part: Part,
        _ assignment: TestAssignment,
        _ tell: @escaping @Sendable (Progress) -> Void
    ) async -> (part: Part, report: Report, duration: Duration) {
        let start = ContinuousClock.now
        let report = await report(of: part, assignment, tell)
        return (part, report, ContinuousClock.now - start)
    }
}

extension ClientTest {
    /// A part of a test.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// Every operation with every documented response, and with connections that break.
        case responses
        /// Every response with every variant that its schema allows.
        case variants
        /// The documented responses again, over the platform's own networking.
        case urlsession
        /// Every story of the client's folder.
        case stories
    }
}

extension ClientTest.Part {
    /// The ids of all that the part can find; none for stories, whose findings go with the story.
    var faults: [String] {
        switch self {
        case .responses, .urlsession: ResponseCheckFault.allCases.map(\.rawValue)
        case .variants: VariantCheckFault.allCases.map(\.rawValue)
        case .stories: []
        }
    }
}

extension ClientTest {
    /// Runs one part with a client.
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
            parallelRuns: jobs
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
            parallelRuns: jobs
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
        // Places are then reported as users would type them in the current folder.
        let root = files.resolve(".") == project.path ? "" : project.path
        let outcome = await run.play(adapter, from: root, files: files) { progress in
            if case .began(let story, _, _, _) = progress { tell(.began("\(adapter.name) \(story.id)")) }
        }
        var report = outcome.summary.report
        report.findings += outcome.problems + outcome.strayFlows
        if let problem = outcome.summary.problem {
            report.findings.append(Finding(.error, id: "test/stories", "\(adapter.name): \(problem)"))
        }
        return report
    }
}

extension Report {
    /// The amount of work done, for a line of progress.
    func size(of part: ClientTest.Part) -> String {
        switch part {
        case .responses, .urlsession: plural(checks.count { $0.skipped == nil }, "call")
        case .variants: plural(checks.count { $0.skipped == nil }, "documented response")
        case .stories: stories.count == 1 ? "1 story" : "\(stories.count) stories"
        }
    }
}

/// The parts of a test that are selected, and which of their findings.
package struct WantedChecks: Sendable, Hashable {
    /// For each part that is selected, patterns for the ids of its findings; empty for all of them.
    private var patterns: [ClientTest.Part: [String]]

    /// All of every part.
    package init() {
        patterns = Dictionary(uniqueKeysWithValues: ClientTest.Part.allCases.map { ($0, []) })
    }

    /// The user's selection by name: whole parts, and findings by their IDs, in which `*` matches anything.
    ///
    /// A finding's id selects the parts that can find it, and a part that is named as well is selected as a whole.
    ///
    /// - Parameter names: the names to select; all of them if empty.
    /// - Throws: ``TestChoiceProblem`` for a name that fits nothing.
    package init(_ names: [String]) throws(TestChoiceProblem) {
        self.init()
        guard !names.isEmpty else { return }
        patterns = [:]
        for name in names {
            if let part = ClientTest.Part(rawValue: name) {
                patterns[part] = []
                continue
            }
            let pattern = NamePattern(name)
            let parts = ClientTest.Part.allCases.filter { $0.faults.contains(where: pattern.fits) }
            guard !parts.isEmpty else { throw Self.problem(of: name) }
            for part in parts where patterns[part] != [] { patterns[part, default: []].append(name) }
        }
    }

    /// The parts that are selected, in their order.
    var parts: [ClientTest.Part] { ClientTest.Part.allCases.filter { patterns[$0] != nil } }

    /// Patterns for the ids of a part's findings; empty for all of them.
    func findings(of part: ClientTest.Part) -> [String] { patterns[part] ?? [] }

    private static func problem(of name: String) -> TestChoiceProblem {
        let parts = ClientTest.Part.allCases.map(\.rawValue)
        let meant = Suggestion.nearest(to: name, among: parts + ClientTest.Part.allCases.flatMap(\.faults))
        let advice =
            meant.map { "did you mean \($0)?" }
            ?? "use \(parts.joined(separator: ", ")) or the ID of a finding"
        return TestChoiceProblem(sentence: "unknown check \"\(name.shortened)\"; \(advice)".printable)
    }
}

extension [any ClientAdapter] {
    /// The clients with some names, in any case; all of them when none is named.
    ///
    /// - Throws: ``TestChoiceProblem`` for a name that no client has.
    package func named(_ names: [String]) throws(TestChoiceProblem) -> [any ClientAdapter] {
        guard !names.isEmpty else { return self }
        let known = map(\.name)
        let wanted = names.map { $0.lowercased() }
        for (name, wanted) in zip(names, wanted) where !known.contains(where: { $0.lowercased() == wanted }) {
            let advice = Suggestion.advice(for: name, among: known) ?? "none is registered"
            throw TestChoiceProblem(sentence: "unknown client \"\(name.shortened)\"; \(advice)".printable)
        }
        return filter { wanted.contains($0.name.lowercased()) }
    }
}

/// The parts that are run with one client.
struct TestAssignment: Sendable {
    var adapter: any ClientAdapter
    /// None for a client that has nothing of the selection.
    var parts: [ClientTest.Part]
    /// Patterns for the ids of its operations; empty for all.
    var operations: [String]
    /// The ids of its only stories that are selected; empty for all.
    var stories: [String]
}

/// An error for a selection that does not exist.
package struct TestChoiceProblem: Error, Sendable, Hashable {
    /// The finding and what was expected, without a closing full stop.
    package var sentence: String
}

extension ClientTest {
    /// Gives each client its share of the selection: operations of its contract, stories of its folder.
    ///
    /// - Throws: ``TestChoiceProblem`` for an operation or a story that no client has.
    func assignments(for adapters: [any ClientAdapter]) throws(TestChoiceProblem) -> [TestAssignment] {
        let ownOperations = try own(operations, "operation", adapters) { adapter in
            adapter.operationIDs(in: project, files: files)
        } fits: { pattern, id in
            NamePattern(pattern).fits(id)
        }
        let ownStories = try own(stories, "story", adapters) { adapter in
            FlowRun.ids(of: adapter, from: project.path, files: files)
        } fits: { wanted, id in
            id.exact == wanted.exact || id.utf8.starts(with: "\(wanted)/".utf8)
        }
        return adapters.indices.map { number in
            var assignment = TestAssignment(
                adapter: adapters[number],
                parts: [],
                operations: ownOperations[number],
                stories: ownStories[number]
            )
            assignment.parts = checks.parts.filter { isWanted($0, of: assignment) }
            return assignment
        }
    }

    private func isWanted(_ part: Part, of assignment: TestAssignment) -> Bool {
        switch part {
        case .responses, .variants, .urlsession:
            stories.isEmpty && (operations.isEmpty || !assignment.operations.isEmpty)
        case .stories:
            assignment.adapter.stories != nil && operations.isEmpty
                && (stories.isEmpty || !assignment.stories.isEmpty)
        }
    }

    /// Distributes selected names to the clients, in their order.
    ///
    /// - Parameters:
    ///   - known: what a client has; `nil` where that cannot be read, so that it says itself what is wrong.
    ///   - fits: whether a name that a client has is a selected one.
    private func own(
        _ wanted: [String],
        _ what: String,
        _ adapters: [any ClientAdapter],
        known: (any ClientAdapter) -> [String]?,
        fits: (_ wanted: String, _ name: String) -> Bool
    ) throws(TestChoiceProblem) -> [[String]] {
        guard !wanted.isEmpty else { return adapters.map { _ in [] } }
        let known = adapters.map(known)
        let isReadable = !known.contains { $0 == nil }
        let nobodys = wanted.filter { name in !known.contains { $0?.contains { fits(name, $0) } ?? false } }
        if isReadable, let name = nobodys.first {
            let owner = adapters.count == 1 ? "\(adapters[0].name) has no \(what)" : "no client has the \(what)"
            let meant = Suggestion.nearest(to: name, among: known.flatMap { $0 ?? [] })
            let advice = meant.map { "; did you mean \($0)?" } ?? ""
            throw TestChoiceProblem(sentence: "\(owner) \"\(name.shortened)\"\(advice)".printable)
        }
        return known.map { names in
            wanted.filter { name in names?.contains { fits(name, $0) } ?? nobodys.contains(name.exact) }
        }
    }
}

extension ClientAdapter {
    /// The ids of all operations that its contract has or the adapter names; `nil` where the contract cannot be read.
    fileprivate func operationIDs(in project: ProjectRoot, files: any FileReading) -> [String]? {
        guard let contract = try? readContract(in: project, files: files) else { return nil }
        return contract.operations.map(\.id) + operations.map(\.id) + omissions.keys.sorted()
    }
}
