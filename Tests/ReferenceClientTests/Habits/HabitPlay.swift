import Basics
import HTTPCodec
import Rules
import ScenarioFormat
import Simulation
import TestSupport

@testable import ReferenceClients

/// A habit on the simulated network.
struct HabitPlay: Sendable {
    let habit: Habit
    private let loaded: LoadedScenario
    private let compiled: CompiledScenario

    init(_ habit: Habit) throws {
        self.habit = habit
        let files = MemoryFiles([
            "backend.json": Backend.text, "habits.json": HabitServer.text, "story.json": habit.storyText,
        ])
        guard let root = ProjectRoot("/project", files: files) else {
            throw BugCase.Unplayable(description: "no project")
        }
        do throws(ScenarioError) {
            loaded = try ScenarioLoader(files: files, project: root).load("/project/story.json")
        } catch {
            let words = error.findings.map(\.description).joined(separator: "\n")
            throw BugCase.Unplayable(description: "\(habit): \(words)")
        }
        compiled = CompiledScenario(loaded.scenario)
    }

    /// Plays it on the caller's thread.
    ///
    /// - Parameter latency: how long the server thinks about each request.
    @available(macOS 15, iOS 18, *)
    func perform(_ connections: Connections, latency: Duration, seed: UInt64 = 1) -> Judged {
        let began = MonotonicTime(nanoseconds: 1_000_000_000)
        let start = loaded.scenario.clock.start ?? VirtualTime(seconds: 1_772_355_600)
        var initial = Session(compiled, seed: seed, start: start, at: began)
        initial.refusalHold = .milliseconds(50)
        for process in habit.processes { initial.begin(process: process) }
        let network = SimulatedNetwork(initial, at: began, schedule: Schedule(seed: seed, latency: latency))
        let executor = SeededExecutor(seed: seed)
        let processes: [String?] = habit.processes.isEmpty ? [nil] : habit.processes
        let users = habit.devices.flatMap { name in
            let store = Store(Tokens(of: name, in: initial.ledger), isShared: processes.count > 1)
            return processes.enumerated().map { place, process in
                HabitUser(
                    habit: habit,
                    device: device(name, process, store, network, executor, start, connections),
                    connections: connections,
                    // One is asked for more often than the other.
                    thought: .milliseconds(300 + 400 * place)
                ) {
                    network.enact($0)
                }
            }
        }
        let (session, now, problems) = network.run(on: executor) {
            await withTaskGroup(of: [String].self) { group in
                for user in users { group.addTask { await user.play() } }
                return await group.reduce(into: []) { $0 += $1 }
            }
        }
        let evidence = Evidence(session, at: now)
        let verdict = Verdict(on: loaded.scenario, by: evidence, in: loaded.sources)
        return Judged(
            evidence: evidence,
            findings: verdict.findings.filter { $0.id.hasPrefix("B") },
            broken: Set(verdict.rules.filter { $0.status == .failed }.map(\.number)),
            problems: (problems ?? ["the client never came to an end"])
                + verdict.expectations.filter { $0.status == .failed }.map(\.sentence)
        )
    }

    /// What came of a play.
    struct Judged {
        var evidence: Evidence
        /// What the rules say, in the order in which it is reported.
        var findings: [Finding]
        /// The numbers of the rules that were broken, those that follow from another one among them.
        var broken: Set<String>
        /// What was not as the habit's row says.
        var problems: [String]
    }

    @available(macOS 15, iOS 18, *)
    private func device(
        _ name: String,
        _ process: String?,
        _ store: Store,
        _ network: SimulatedNetwork,
        _ executor: SeededExecutor,
        _ start: VirtualTime,
        _ connections: Connections
    ) -> Device {
        let error = habit.clockError
        let pool = connections == .fresh ? nil : ConnectionPool<UInt64>(most: connections.most)
        return Device(
            name: name,
            transport: ProcessTransport(network: network, process: process, pool: pool),
            store: store,
            uptime: { network.time - start },
            clock: { (network.time + error).seconds },
            sleep: { await network.sleep(for: $0) },
            tell: { network.tell($0, by: process) },
            executor: executor
        )
    }
}
