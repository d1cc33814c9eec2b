import Basics
import JSON
import Rules
import ScenarioFormat
import StubServing

/// Runs a client as it is, and then again with one thing wrong at each of its exchanges.
///
/// Each run is that of a story which extends the base, so what is found can be run again as a file.
package struct Exploration: Sendable {
    /// Runs a story once, with a seed.
    package typealias Player = @Sendable (RunnableStory, UInt64?) async throws(PlayProblem) -> ExploredRun

    package var base: ExploreBase
    package var play: Player
    /// The seed of every run; the story's own when `nil`.
    package var seed: UInt64?
    /// The number of concurrent runs.
    package var parallel = 2
    /// The limit of runs; six per exchange, but at least 40, when `nil`.
    package var mostRuns: Int?
    /// The time after which no further run begins.
    package var budget: Duration?
    /// The further abilities of the player.
    package var abilities: Set<Ability> = []
    package var isInterrupted: @Sendable () -> Bool = { false }
    /// The outcomes of an earlier run that was stopped, by ``Perturbation/slug``.
    package var known: [String: ExploreOutcome] = [:]
    /// A Boolean value that indicates whether it ends with the first violation of a rule, by its number.
    package var endsWith: String?

    package init(_ base: ExploreBase, _ play: @escaping Player) {
        (self.base, self.play) = (base, play)
    }

    /// An ability that not every player of stories has.
    package enum Ability: Sendable, Hashable {
        /// The order of the client's tasks follows from the seed.
        case order
        /// A request can be decided after it has waited.
        case lateDecision
        /// The client's process can be ended.
        case processes
        /// The client's store can be put out of order.
        case store
    }

    /// Explores what a runner of stories runs.
    package init(_ base: ExploreBase, _ runner: StoryRunner) {
        self.init(base) { story, seed throws(PlayProblem) in
            ExploredRun(try await runner.play(story, seed: seed))
        }
        isInterrupted = runner.isInterrupted
        abilities = [.lateDecision, .processes, .store]
    }

    package enum Progress: Sendable {
        /// The ordinary run, and how many others there will be so far as is known.
        case planned(exchanges: Int, runs: Int)
        case ran(Perturbation, ExploreOutcome, done: Int, of: Int)
    }

    /// Files of one rule are written for no more places than this; the others are listed.
    private static let mostFilesOfRule = 3

    /// Explores all of it.
    ///
    /// - Parameters:
    ///   - tell: called with the progress, in the order of the plan.
    ///   - save: called after each batch with everything that is known.
    package func run(
        telling tell: (Progress) -> Void = { _ in },
        saving save: (ExploreResult) -> Void = { _ in }
    ) async throws(ExploreProblem) -> ExploreResult {
        let clock = ContinuousClock()
        let end = budget.map { clock.now + $0 }
        var result = try await ordinary()
        guard !result.isStopped else { return result }
        guard result.obstacle == nil else {
            try await explain(&result)
            save(result)
            return result
        }
        let base = result.base
        let plan = ExplorePlan(base, result.steps, result.waves, abilities)
        let limit = mostRuns ?? max(6 * result.steps.count, 40)
        let first = plan.first
        tell(.planned(exchanges: result.steps.count, runs: result.runs.count + min(limit - result.plays, first.count)))
        try await run(first, in: &result, limit, until: end, tell, save)
        let outcomes = first.map { perturbation in
            result.runs.first { $0.perturbation == perturbation }?.outcome ?? ExploreOutcome()
        }
        if !isEnding(result) {
            let second = plan.second(after: outcomes)
            let room = min(limit - result.plays, second.count)
            tell(.planned(exchanges: result.steps.count, runs: result.runs.count + room))
            try await run(second, in: &result, limit, until: end, tell, save)
        }
        try await explain(&result)
        if result.found.isEmpty, !isInterrupted() { result.obstacle = ExploreObstacle(base).finding(in: result) }
        save(result)
        return result
    }

    private func isEnding(_ result: ExploreResult) -> Bool {
        guard let endsWith else { return false }
        return result.runs.contains { $0.outcome.violations.contains { $0.number == endsWith } }
    }

    // MARK: The ordinary run

    /// Responses wait until the client has no more to send without them.
    private static let gathering = Perturbation.Part.setting([
        .hold: [
            .gate([
                .name: "everything", .until: 10_000, .order: "arrival", .quiet: "40ms", .times: 1_000_000,
                .optional: true,
            ])
        ]
    ])

    /// Runs the client twice without anything wrong, and compares: the second time its responses wait for all requests
    /// that it sends together, which shows those that may come in any order.
    private func ordinary() async throws(ExploreProblem) -> ExploreResult {
        let perturbation = Perturbation(.ordinary, "", at: nil, [])
        let isGathered = self.base.scenario.gates.isEmpty
        let gathered = Perturbation(.ordinary, "gathered", at: nil, isGathered ? [Self.gathering] : [])
        let made = [perturbation, gathered].map { (name: $0.slug, text: $0.storyText(on: self.base)) }
        let stories = try self.base.stories(made)
        let one = try await played(stories[0], 0)
        guard !one.isInterrupted else { return ExploreResult(base, [], stopped: true) }
        if var hung = one.clientFindings.first(where: { $0.id == ClientFault.hung.rawValue }) {
            // The story that was played is on no disk.
            hung.place = Place(file: self.base.file)
            throw ExploreProblem([hung])
        }
        var two = try await played(stories[1], 0)
        var plays = 2
        let steps = ExploredStep.all(of: one.recording)
        var others = ExploredStep.all(of: two.recording)
        var sorted = others
        var waves = ExploredWaves(of: two.recording, &sorted)
        if !isGathered || Self.counts(steps) != Self.counts(others), !two.isInterrupted {
            // Perhaps the delays changed its behavior.
            (sorted, waves) = (steps, ExploredWaves(count: steps.count))
            if isGathered {
                two = try await played(stories[0], 0)
                plays += 1
            }
            others = ExploredStep.all(of: two.recording)
        }
        guard !steps.isEmpty else {
            throw ExploreProblem([ExploreObstacle(base).finding(ofSilent: one)])
        }
        var base = base
        base.firstRoute = steps[0].address.route
        var result = ExploreResult(base, sorted, stopped: two.isInterrupted)
        result.waves = waves
        result.plays = plays
        result.ordinary = SentRequests(one.recording)
        result.complaint = one.complaint
        result.successes = ExploreResult.successes(in: one.recording)
        result.runs.append((perturbation, ExploreOutcome(one)))
        result.obstacle = ExploreObstacle(base).finding(in: one.recording.evidence)
        guard Self.counts(steps) != Self.counts(others) else { return result }
        let agreed = zip(steps, others).prefix { $0 == $1 }.count
        func words(_ steps: [ExploredStep]) -> String {
            guard steps.indices.contains(agreed) else { return "nothing" }
            return "\(steps[agreed].address.text) with \(steps[agreed].status)"
        }
        let difference =
            "the client's behavior differs between runs: exchange \(agreed + 1) was \(words(steps)) in the "
            + "first run and \(words(others)) in the second"
        guard agreed > 0 else { throw ExploreProblem(difference + ", so nothing can be compared") }
        result.steps = Array(steps.prefix(agreed))
        result.waves = ExploredWaves(count: agreed)
        result.difference = difference + "; only the earlier exchanges are explored"
        return result
    }

    /// Requests at the same time may come in another order.
    private static func counts(_ steps: [ExploredStep]) -> [ExploredStep: Int] {
        steps.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private func played(_ story: RunnableStory, _ offset: UInt64) async throws(ExploreProblem) -> ExploredRun {
        do throws(PlayProblem) {
            return try await play(story, chosenSeed(story, offset))
        } catch {
            throw ExploreProblem(error.sentence)
        }
    }

    private func chosenSeed(_ story: RunnableStory, _ offset: UInt64) -> UInt64? {
        offset == 0 ? seed : ((seed ?? story.seed) &+ offset) & UInt64(Int.max)
    }

    // MARK: Batches

    private func run(
        _ perturbations: [Perturbation],
        in result: inout ExploreResult,
        _ limit: Int,
        until end: ContinuousClock.Instant?,
        _ tell: (Progress) -> Void,
        _ save: (ExploreResult) -> Void
    ) async throws(ExploreProblem) {
        let room = max(0, limit - result.plays)
        let chosen = Array(perturbations.prefix(room))
        result.leaveOut(perturbations.count - chosen.count, because: "the limit of \(limit) runs was reached")
        let total = result.runs.count + chosen.count
        var next = chosen[...]
        while !next.isEmpty {
            // Small enough for what is saved to be worth something, large enough to read the backend seldom.
            let batch = Array(next.prefix(max(8, parallel * 4)))
            next = next.dropFirst(batch.count)
            guard !result.isStopped, end.map({ ContinuousClock.now < $0 }) ?? true, !isEnding(result) else {
                let reason =
                    isEnding(result)
                    ? "the bug was found"
                    : isInterrupted()
                        ? "it was stopped"
                        : "the time limit was reached"
                result.leaveOut(batch.count + next.count, because: reason)
                result.isStopped = result.isStopped || !isEnding(result)
                break
            }
            let outcomes = try await outcomes(of: batch, result)
            for (perturbation, outcome) in zip(batch, outcomes) {
                guard let outcome else {
                    result.isStopped = true
                    result.leaveOut(1, because: "it was stopped")
                    continue
                }
                result.plays += 1
                result.runs.append((perturbation, outcome))
                tell(.ran(perturbation, outcome, done: result.runs.count, of: total))
            }
            save(result)
        }
    }

    /// The outcome of each; `nil` for those that did not end before the run did.
    private func outcomes(
        of batch: [Perturbation],
        _ result: ExploreResult
    ) async throws(ExploreProblem) -> [ExploreOutcome?] {
        var outcomes = batch.map { known[$0.slug] }
        let missing = batch.indices.filter { outcomes[$0] == nil }
        let stories = try result.base.stories(missing.map { (batch[$0].slug, batch[$0].storyText(on: result.base)) })
        var found: [Int: Result<ExploredRun, ExploreProblem>] = [:]
        await Array(missing.indices).forEach(atOnce: parallel) { _ in
            !isInterrupted()
        } _: { number in
            await Result { () async throws(ExploreProblem) in
                try await played(stories[number], batch[missing[number]].seedOffset)
            }
        } taking: { number, result in
            found[missing[number]] = result
        }
        for place in missing {
            guard let run = try found[place]?.get(), !run.isInterrupted else { continue }
            var outcome = ExploreOutcome(
                run,
                besides: result.ordinary,
                of: batch[place]
            )
            outcome.lost = result.successes.subtracting(ExploreResult.successes(in: run.recording)).sorted()
            outcomes[place] = outcome
        }
        return outcomes
    }

    // MARK: Findings

    /// Makes a story of each violation: the smallest that still shows it, run once more as it is written.
    private func explain(_ result: inout ExploreResult) async throws(ExploreProblem) {
        var seen = Set<ExploreOutcome.Violation.Key>()
        for (perturbation, outcome) in result.runs {
            for violation in outcome.violations {
                guard seen.insert(violation.key).inserted else {
                    result.note(perturbation, of: violation)
                    continue
                }
                var found = ExploreResult.Found(violation, perturbation)
                let name = perturbation.name(on: result.base, breaking: violation.number ?? violation.rule)
                let files = Set(result.found.filter { $0.violation.rule == violation.rule }.compactMap(\.file)).count
                if let same = result.found.first(where: { $0.name == name }) {
                    // The story of a rule shows it at every route where it is violated.
                    found.take(same)
                } else if files < Self.mostFilesOfRule, !isInterrupted() {
                    found.perturbation = try await shrunk(perturbation, for: violation.rule, &result)
                    let text = found.perturbation.storyText(on: result.base, breaking: violation.number, named: name)
                    let story = try result.base.stories([(name, text)])[0]
                    let again = try await played(story, perturbation.seedOffset)
                    result.plays += 1
                    found.isConfirmed = ExploreOutcome(again, besides: result.ordinary).breaks(violation.rule)
                    found.seed = perturbation.seedOffset == 0 ? seed : chosenSeed(story, perturbation.seedOffset)
                    (found.name, found.text) = (name, text)
                }
                result.found.append(found)
            }
        }
    }

    /// The perturbation without the parts that the violation does not need.
    private func shrunk(
        _ perturbation: Perturbation,
        for rule: String,
        _ result: inout ExploreResult
    ) async throws(ExploreProblem) -> Perturbation {
        var smallest = perturbation
        for index in perturbation.parts.indices.reversed()
        where smallest.parts.count > 1 && !perturbation.parts[index].isOrder {
            guard !isInterrupted() else { break }
            var smaller = smallest
            smaller.parts.remove(at: index)
            // What is left may be no story: an event may need one that was left out.
            let text = smaller.storyText(on: result.base)
            guard let story = try? result.base.stories([("smaller", text)]).first else { continue }
            let run = try await played(story, perturbation.seedOffset)
            result.plays += 1
            if ExploreOutcome(run, besides: result.ordinary).breaks(rule) { smallest = smaller }
        }
        return smallest
    }
}
