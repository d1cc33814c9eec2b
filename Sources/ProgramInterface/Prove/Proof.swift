package import Basics
package import EventLoops
import JSON
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
    package var version: String
    package var isInterrupted: @Sendable () -> Bool = { false }
    /// Called with each process that builds or runs a client, to pass an interruption on.
    package var begins: @Sendable (ChildProcess) -> Void = { _ in }
    /// Called when that process has ended, before its termination status is asked for.
    package var ends: @Sendable () -> Void = {}

    package init(
        _ stories: [RunnableStory],
        before: String,
        after: String,
        seeds: [Int],
        command: [String],
        program: String,
        scratch: String,
        version: String
    ) {
        (self.stories, self.before, self.after, self.seeds) = (stories, before, after, seeds)
        (self.command, self.program, self.scratch, self.version) = (command, program, scratch, version)
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
        let repository = try ClientRepository(around: folder, scratch: scratch)
        try repository.checkIsClean()
        let revisions = (before: try repository.revision(before), after: try repository.revision(after))
        guard revisions.before.tree != revisions.after.tree else {
            let sentence = "\(before) and \(after) contain the same files, so there is no fix"
            return .refused([Finding(.error, id: "prove/no-change", sentence)])
        }
        let former = try play(revisions.before, in: repository, "before")
        let latter = try play(revisions.after, in: repository, "after")
        var findings: [Finding] = []
        var rules: [String] = []
        for story in stories {
            let runs = (before: former[story.id] ?? [], after: latter[story.id] ?? [])
            let judgement = ProofJudgement(story.id, named: rule, before: runs.before, after: runs.after)
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
    private func play(
        _ revision: ClientRepository.Revision,
        in repository: ClientRepository,
        _ name: String
    ) throws(ProofProblem) -> [String: [ProofRun]] {
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
        var runs: [String: [ProofRun]] = [:]
        for story in stories {
            for seed in seeds { runs[story.id, default: []].append(try play(story, seed, revision, in: folder)) }
        }
        for story in others where runs[story.id] == nil {
            runs[story.id] = [try play(story, seeds[0], revision, in: folder)]
        }
        return runs
    }

    private func play(
        _ story: RunnableStory,
        _ seed: Int,
        _ revision: ClientRepository.Revision,
        in folder: String
    ) throws(ProofProblem) -> ProofRun {
        let output = FilePath.join(scratch, "output")
        defer { DiskFiles().removeFolder(output) }
        let file = DiskFiles().resolve(story.file) ?? story.file
        let options = ["--story", story.id, "--seed", "\(seed)", "--output", output, "--json", "--detail"]
        let end = try run([program, "run", file] + options + ["--"] + command, in: folder)
        func problem(_ sentence: String) -> ProofProblem {
            ProofProblem(id: "prove/not-run", "\(story.id) cannot be run with \(revision.name): \(sentence)")
        }
        guard let document = try? JSONParser().parse(end.output).root,
            let played = document["report"]?["stories"]?[0]
        else {
            let document = try? JSONParser().parse(end.output).root
            throw problem(
                document?["findings"]?[0]?["message"]?.string ?? "the run ended with exit code \(end.code)"
            )
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
        guard !isInterrupted() else { throw interruption }
        let end: ProgramRun.End
        do {
            end = try ProgramRun(words, in: folder).end(scratch: scratch, started: begins, ended: ends)
        } catch {
            throw ProofProblem(id: "prove/not-run", error.sentence)
        }
        guard !isInterrupted() else { throw interruption }
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
