package import Basics
import Checking
package import CommandLineInterface
import EventLoops
import JSON
import ScenarioFormat
package import StoryRunning

/// Plays stories to two revisions of a client, to find out whether the later one fixes a bug of the earlier one.
package struct Proof: Sendable {
    package var stories: [RunnableStory]
    /// Stories that must not become worse; they need not fail before.
    package var others: [RunnableStory] = []
    package var before: String
    package var after: String
    /// The number or the id of the rule that is fixed; `nil` for the one that is violated before.
    package var rule: String?
    package var seeds: [Int]
    /// The client's command, which is started in the folder of each revision.
    package var command: [String]
    /// A shell command that builds the client in the folder of each revision.
    package var build: String?
    /// This program.
    package var program: String
    /// A folder for the revisions and for output.
    package var scratch: String
    /// Passes a stop signal on to the process that builds or runs a client.
    package var stops: StopForwarder

    package init(
        _ stories: [RunnableStory],
        before: String,
        after: String,
        seeds: [Int],
        command: [String],
        program: String,
        scratch: String,
        stops: StopForwarder
    ) {
        (self.stories, self.before, self.after, self.seeds) = (stories, before, after, seeds)
        (self.command, self.program, self.scratch, self.stops) = (command, program, scratch, stops)
    }

    /// The result: a receipt, whose warnings are findings, too; or the reasons against one.
    package enum Result: Sendable {
        case receipt(Receipt, warnings: [Finding])
        case refused([Finding])
    }

    /// Runs everything.
    ///
    /// - Throws: ``ProofProblem`` if nothing can be said about the change: for the repository, a build, or a story that
    ///   cannot be run.
    package func run(around folder: String) throws(ProofProblem) -> Result {
        let repository = try GitRepository.client(around: folder, scratch: scratch)
        try repository.checkIsClean()
        let revisions = (before: try repository.revision(before), after: try repository.revision(after))
        guard revisions.before.tree != revisions.after.tree else {
            let sentence = "\(before) and \(after) contain the same files, so there is no fix"
            return .refused([Finding(.error, id: "prove/no-change", sentence)])
        }
        let former = try play(revisions.before, in: repository, "before").runs
        let (latter, slowed) = try play(revisions.after, in: repository, "after", former: former)
        var findings: [Finding] = []
        var rules: [String] = []
        for story in stories {
            let runs = (before: former[story.id] ?? [], after: latter[story.id] ?? [])
            let judgement = ProofJudgement(
                story.id,
                named: rule,
                before: runs.before,
                after: runs.after,
                slowed: slowed[story.id] ?? []
            )
            findings += judgement.findings
            rules += [judgement.rule].compactMap { $0 }
        }
        for story in others where former[story.id]?.allSatisfy({ $0.outcome == "passed" }) == true {
            guard let run = latter[story.id]?.first(where: { $0.outcome != "passed" }) else { continue }
            let reasons = run.failed.isEmpty ? run.outcome : run.failed.joined(lastBy: "and")
            findings.append(
                Finding(.error, id: "prove/worse", "\(story.id) passed before the change, and not after: \(reasons)")
            )
        }
        guard !findings.contains(where: { $0.severity == .error }) else { return .refused(findings) }
        let receipt = try Receipt(
            self,
            rules: rules.unique,
            warnings: findings,
            (revisions.before, former),
            (revisions.after, latter)
        )
        return .receipt(receipt, warnings: findings)
    }

    /// Plays all stories with all seeds to a revision.
    ///
    /// - Parameter former: the runs before the change; a story in which the client pauses longer than in them is played
    ///   again with slower responses, whose runs are `slowed`.
    private func play(
        _ revision: GitRepository.Revision,
        in repository: GitRepository,
        _ name: String,
        former: [String: [ProofRun]] = [:]
    ) throws(ProofProblem) -> (runs: [String: [ProofRun]], slowed: [String: [ProofRun]]) {
        let folder = FilePath.join(scratch, name)
        try repository.add(revision, at: folder)
        defer { repository.remove(folder) }
        if let build {
            let end = try run(["/bin/sh", "-c", build], in: folder)
            guard end.code == 0 else {
                let line = end.errors.split(separator: "\n").last.map { ": \($0)" } ?? ""
                throw ProofProblem(
                    id: "prove/build",
                    "the build of \(revision.name) failed with exit code \(end.code)\(line)",
                    advice: "run the command in a checkout of this revision"
                )
            }
        }
        var (runs, slowed): ([String: [ProofRun]], [String: [ProofRun]]) = ([:], [:])
        for story in stories {
            for seed in seeds { runs[story.id, default: []].append(try play(story, seed, revision, in: folder)) }
            guard let earlier = former[story.id], let later = runs[story.id],
                let pause = ProofJudgement.pause(before: earlier, after: later)?.after, pause < Self.longestHold
            else { continue }
            for seed in seeds {
                let run = try play(story, seed, revision, in: folder, holding: min(pause * 2, Self.longestHold))
                slowed[story.id, default: []].append(run)
            }
        }
        for story in others where runs[story.id] == nil {
            runs[story.id] = [try play(story, seeds[0], revision, in: folder)]
        }
        return (runs, slowed)
    }

    /// The longest time for which responses are held: shorter than the time after which clients repeat a request.
    private static let longestHold = Duration.seconds(2)

    private func play(
        _ story: RunnableStory,
        _ seed: Int,
        _ revision: GitRepository.Revision,
        in folder: String,
        holding hold: Duration? = nil
    ) throws(ProofProblem) -> ProofRun {
        let output = FilePath.join(scratch, "output")
        defer { DiskFiles().removeFolder(output) }
        var words = [program, "run", DiskFiles().resolve(story.file) ?? story.file, "--story", story.id]
        words += ["--seed", "\(seed)", "--output", output, "--json", "--detail"]
        if let hold { words += ["--hold-refusals", DurationText.text(hold)] }
        let end = try run(words + ["--"] + command, in: folder)
        func problem(_ sentence: String) -> ProofProblem {
            ProofProblem(id: "prove/not-run", "\(story.id) cannot be run with \(revision.name): \(sentence)")
        }
        let document = try? JSONParser().parse(end.output).root
        guard let played = document?["report"]?["stories"]?[0] else {
            let reason = document?["findings"]?[0]?["message"]?.string
            throw problem(reason ?? "the run ended with exit code \(end.code)")
        }
        do {
            let folders = DiskFiles().entries(of: output)
            let journal = try DiskFiles().read(FilePath.join(output, "\(folders.first ?? "")/journal.json"))
            return try ProofRun(seed: seed, story: played, journal: JSONParser().parse(journal).root)
        } catch {
            throw problem("the journal cannot be read: \(error)")
        }
    }

    private func run(_ words: [String], in folder: String) throws(ProofProblem) -> ProgramRun.End {
        let interruption = ProofProblem(id: "prove/interrupted", "the proof was interrupted")
        guard StopSignals.count == 0 else { throw interruption }
        let end: ProgramRun.End
        do {
            end = try ProgramRun(words, in: folder).end(scratch: scratch, started: stops.begin, ended: stops.end)
        } catch {
            throw ProofProblem(id: "prove/not-run", error.sentence)
        }
        guard StopSignals.count == 0 else { throw interruption }
        return end
    }
}

/// The reason why nothing can be said about a change.
package struct ProofProblem: Error {
    package var finding: Finding

    init(id: String, _ sentence: String, advice: String? = nil) {
        finding = Finding(.error, id: id, sentence, advice: advice)
    }
}
