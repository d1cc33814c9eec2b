package import Basics
package import Reports

/// Everything that clients can be put through: matrix, sweep and stories.
package struct ClientTest: Sendable {
    /// The parts that are wanted, and which of their findings.
    package var checks = WantedChecks()
    /// Patterns for operations' ids; empty for all.
    ///
    /// With any, no stories are played.
    package var operations: [String] = []
    /// Ids of the only stories that are wanted; empty for all.
    ///
    /// With any, there is neither matrix nor sweep.
    package var stories: [String] = []
    /// How many times a story is played in which anything depends on the seed.
    package var schedules = 1
    /// What every random choice begins with; its usual number when `nil`.
    package var seed: UInt64?
    /// How many calls and stories there are at a time.
    package var jobs = 4
    /// Whether the whole test is to end.
    package var isInterrupted: @Sendable () -> Bool = { false }

    let files: any FileReading
    let project: ProjectRoot

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

    /// Tests clients one after the other, each by what is its own of what is wanted.
    ///
    /// - Throws: ``TestChoiceProblem`` for an operation or a story that no client has; then nothing was tested.
    package func run(
        _ adapters: [any ClientAdapter],
        telling tell: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(TestChoiceProblem) -> Report {
        var report = Report(title: "test")
        for assignment in try assignments(for: adapters) {
            for part in assignment.parts where !isInterrupted() {
                let start = ContinuousClock.now
                let result = await self.report(of: part, assignment, tell)
                let failures = result.allFindings.count { $0.severity == .error }
                tell(
                    .finished(
                        client: assignment.adapter.name,
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
}
