import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import TestSupport

@testable import ReferenceClients

/// One client, with one bug or none, in one case, by one schedule.
struct Play: Sendable {
    let loadedCase: LoadedCase
    let design: ClientDesign
    let bug: Bug?
    let seed: UInt64

    /// A case that has been loaded, for many plays.
    struct LoadedCase: Sendable {
        let bugCase: BugCase
        let loaded: LoadedScenario
        let compiled: CompiledScenario

        init(_ bugCase: BugCase) throws {
            self.bugCase = bugCase
            loaded = try bugCase.load()
            compiled = CompiledScenario(loaded.scenario)
        }

        /// A case in a story that was read elsewhere.
        init(_ bugCase: BugCase, in loaded: LoadedScenario) {
            self.bugCase = bugCase
            self.loaded = loaded
            compiled = CompiledScenario(loaded.scenario)
        }
    }

    /// More steps than this mean that the client never comes to an end.
    private static let mostSteps = 10_000

    /// Plays it all on the caller's thread.
    @available(macOS 15, iOS 18, *)
    func perform() -> Played {
        let began = RealTime(nanoseconds: 1_000_000_000)
        let start = loadedCase.loaded.scenario.clock.start ?? VirtualTime(seconds: 1_772_355_600)
        var session = Session(loadedCase.compiled, seed: seed, start: start, at: began)
        session.refusalHold = .milliseconds(50)
        for process in loadedCase.bugCase.processes { session.begin(process: process) }
        let network = SimulatedNetwork(session, at: began, schedule: Schedule(seed: seed))
        let executor = SeededExecutor(seed: seed)
        let processes: [String?] = loadedCase.bugCase.processes.isEmpty ? [nil] : loadedCase.bugCase.processes
        let users = loadedCase.bugCase.devices.enumerated().flatMap { index, name in
            let store = Store(Tokens(of: name, in: session.ledger), isShared: processes.count > 1)
            return processes.enumerated().map { place, process in
                User(
                    bugCase: loadedCase.bugCase,
                    design: design,
                    bug: bug,
                    device: device(name, process, store, network, executor, start),
                    seed: seed &+ UInt64(index) << 32,
                    // One is asked for more often than the other.
                    thought: .milliseconds(300 + 400 * place)
                ) {
                    network.enact($0)
                }
            }
        }
        let outcomes = Lock<[Outcome]?>(nil)
        executor.start {
            let done = await withTaskGroup(of: [Outcome].self) { group in
                for user in users { group.addTask { await user.play() } }
                return await group.reduce(into: []) { $0 += $1 }
            }
            outcomes.withLock { $0 = done }
        }
        var steps = 0
        while outcomes.withLock({ $0 == nil }), steps < Self.mostSteps, executor.runNext() || network.step() {
            steps += 1
        }
        let played = Played(session: network.session, now: network.now, outcomes: outcomes.withLock { $0 })
        network.shutDown()
        for _ in 0..<Self.mostSteps where !executor.runNext() { break }
        return played
    }

    @available(macOS 15, iOS 18, *)
    private func device(
        _ name: String,
        _ process: String?,
        _ store: Store,
        _ network: SimulatedNetwork,
        _ executor: SeededExecutor,
        _ start: VirtualTime
    ) -> Device {
        let error = loadedCase.bugCase.clockError
        return Device(
            name: name,
            transport: ProcessTransport(network: network, process: process),
            store: store,
            uptime: { network.time - start },
            clock: { (network.time + error).seconds },
            sleep: { await network.sleep(for: $0) },
            tell: { network.tell($0, by: process) },
            executor: executor
        )
    }
}

/// What came of a play.
struct Played: Sendable {
    let session: Session
    let now: RealTime
    /// What became of everything that the user wanted; `nil` where the client did not come to an end.
    let outcomes: [Outcome]?

    var evidence: Evidence { Evidence(session, at: now) }

    /// The journal, without what differs between two plays of one schedule on another machine.
    var journal: [String] {
        session.journal.exchanges.map { $0.json(canonical: true).description }
    }
}

@available(macOS 15, iOS 18, *)
extension SeededExecutor {
    func start(_ work: @escaping @Sendable () async -> Void) {
        Task(executorPreference: self) { await work() }
    }
}

extension Tokens {
    /// What the device has stored when the case begins: the newest tokens that it was ever given.
    init?(of name: String, in ledger: TokenLedger) {
        guard let device = ledger.device(named: name) else { return nil }
        let tokens = ledger.tokens(of: device)
        guard
            let access = tokens.last(where: { $0.kind == "access" }),
            let refresh = tokens.last(where: { $0.kind == "refresh" })
        else { return nil }
        self.init(
            access: access.value,
            refresh: refresh.value,
            account: access.account,
            lifetime: (access.expires - access.issued).components.seconds,
            issued: access.issued.seconds
        )
    }
}
