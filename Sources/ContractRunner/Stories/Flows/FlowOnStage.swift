import Basics
import Findings
import JSONText
import SocketIO
import StoryRunning
import StubServing

/// A client in this process in one play of a story, with what its devices have stored between the launches.
///
/// A class, because it is one play's memory.
final class FlowOnStage<Adapter: ClientAdapter>: ClientOnStage {
    private struct Memory {
        /// The device that the story begins with.
        var device: String?
        var stored: [String: [String: String]] = [:]
    }

    private let adapter: Adapter
    private let flow: StoryFlow<Adapter.Client>
    private let time: JumpingTime
    private let patience: ClientPatience
    private let memory = Lock(Memory())

    init(
        _ adapter: Adapter,
        _ flow: @escaping StoryFlow<Adapter.Client>,
        in time: JumpingTime,
        _ patience: ClientPatience
    ) {
        self.adapter = adapter
        self.flow = flow
        self.time = time
        self.patience = patience
    }

    func launch(_ launch: StoryLaunch) async throws(PlayProblem) -> ClientLaunch {
        let network: LoopNetwork
        do throws(SystemError) {
            network = try LoopNetwork(in: time)
        } catch {
            throw PlayProblem(sentence: "the system has no thread left for a client (\(error))")
        }
        let start = ContinuousClock.now
        let given = StoredTokens(launch.server.tokens)
        let (device, stored) = memory.withLock { memory in
            memory.device = memory.device ?? given.devices.first?.name
            return (memory.device ?? "", memory.stored)
        }
        let cast = FlowCast(adapter, launch, in: time, over: network, first: device, stored: stored, given: given)
        let scene = FlowScene(launch, cast, in: time)
        let watch = WorkWatch(
            time: time,
            network: network,
            patience: patience,
            isHolding: { launch.server.isHolding },
            isInterrupted: launch.isInterrupted
        )
        let end = await watch.see { [flow] in
            let client = try await cast.client(on: nil)
            let result: Result<Void, any Error>
            do {
                result = .success(try await flow(client, scene))
            } catch {
                result = .failure(error)
            }
            let stored = await cast.sessions()
            self.memory.withLock { $0.stored.merge(stored) { $1 } }
            try result.get()
        }
        network.close()
        return self.launch(launch, end, scene, ContinuousClock.now - start, requests: network.requestCount)
    }

    func leave() async -> [String] {
        time.end()
        return []
    }

    /// What is to be said of a launch.
    private func launch(
        _ launch: StoryLaunch,
        _ end: WorkWatch.End,
        _ scene: FlowScene<Adapter>,
        _ duration: Duration,
        requests: UInt64
    ) -> ClientLaunch {
        let suffix = launch.count > 1 ? " in launch \(launch.number)" : ""
        func failed(_ fault: ClientFault, _ message: String, advice: String) -> ClientLaunch {
            let finding = Finding(.error, id: fault.rawValue, message + suffix, at: launch.story.place, advice: advice)
            return ClientLaunch(.failed, duration: duration, isOverdue: fault == .hung, finding: finding)
        }
        switch end {
        case .returned:
            guard let refusal = scene.refusal else { return ClientLaunch(.returned, duration: duration) }
            return failed(.badFact, refusal, advice: "facts are booleans, numbers and short texts")
        case .threw(let error):
            return failed(
                .threw,
                "the flow ended with the error \(adapter.name(of: error).printable)",
                advice: "a flow takes an error that the story expects for an outcome, and shows it"
            )
        case .stuck:
            return failed(
                .hung,
                "the client did not come to an end, though no request and no pause was under way any more",
                advice: "look for a completion that is never called, or a continuation that is never resumed"
            )
        case .endless:
            return failed(
                .hung,
                "the client had not come to an end after \(requests) requests, so it was ended",
                advice: "look for something that is tried again and again without bound"
            )
        case .interrupted:
            return ClientLaunch(.failed, duration: duration, isInterrupted: true)
        }
    }
}
