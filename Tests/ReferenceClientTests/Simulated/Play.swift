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

    /// Plays it all on the caller's thread.
    @available(macOS 15, iOS 18, *)
    func perform() -> Played {
        let began = MonotonicTime(nanoseconds: 1_000_000_000)
        let start = loadedCase.loaded.scenario.clock.start ?? VirtualTime(seconds: 1_772_355_600)
        var initial = Session(loadedCase.compiled, seed: seed, start: start, at: began)
        initial.refusalHold = .milliseconds(50)
        for process in loadedCase.bugCase.processes { initial.begin(process: process) }
        let network = SimulatedNetwork(initial, at: began, schedule: Schedule(seed: seed))
        let executor = SeededExecutor(seed: seed)
        let processes: [String?] = loadedCase.bugCase.processes.isEmpty ? [nil] : loadedCase.bugCase.processes
        let users = loadedCase.bugCase.devices.enumerated().flatMap { index, name in
            let store = Store(Tokens(of: name, in: initial.ledger), isShared: processes.count > 1)
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
        let (session, now, outcomes) = network.run(on: executor) {
            await withTaskGroup(of: [Outcome].self) { group in
                for user in users { group.addTask { await user.play() } }
                return await group.reduce(into: []) { $0 += $1 }
            }
        }
        return Played(session: session, now: now, outcomes: outcomes)
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
    let now: MonotonicTime
    /// What became of everything that the user wanted; `nil` where the client did not come to an end.
    let outcomes: [Outcome]?

    var evidence: Evidence { Evidence(session, at: now) }

    /// The journal, without what differs between two plays of one schedule on another machine.
    var journal: [String] {
        session.journal.exchanges.map { $0.json(canonical: true).description }
    }
}

@available(macOS 15, iOS 18, *)
extension SimulatedNetwork {
    /// More steps than this mean that the client never comes to an end.
    private static let mostSteps = 10_000

    /// Runs work on the caller's thread, and ends everything that is still under way then.
    ///
    /// - Returns: the session when the work came to its end, and what it returned; `nil` where it never did.
    func run<Value: Sendable>(
        on executor: SeededExecutor,
        _ work: @escaping @Sendable () async -> Value
    ) -> (session: Session, now: MonotonicTime, value: Value?) {
        let result = Lock<Value?>(nil)
        executor.start {
            let value = await work()
            result.withLock { $0 = value }
        }
        var steps = 0
        while result.withLock({ $0 == nil }), steps < Self.mostSteps, executor.runNext() || step() { steps += 1 }
        let end = (session, now, result.withLock { $0 })
        shutDown()
        for _ in 0..<Self.mostSteps where !executor.runNext() { break }
        return end
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
