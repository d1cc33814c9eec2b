import Basics
import HTTPWire
import OpenAPIContracts

/// A call of a fresh client that is served one answer, however often it asks.
struct ServedCall<Adapter: ClientAdapter>: Sendable {
    let adapter: Adapter
    let contract: Contract
    let usual: UsualAnswers
    let requestLimit: Int

    /// Makes the call; a client that neither ends nor goes on is left behind.
    ///
    /// - Returns: what came of it, and whether the operation was asked for at all.
    func made(
        _ operation: ClientOperation<Adapter.Client>,
        served answer: HTTPResponse
    ) async -> (outcome: CallOutcome, isServed: Bool) {
        let end = FirstOutcome()
        let network = ServedNetwork(
            contract,
            usual: usual,
            operation: operation.id,
            answer: answer,
            limit: requestLimit
        ) { end.settle(.looping) }
        let setting = ClientSetting(
            url: "http://call-\(ServedCalls.next()).invalid",
            // Nobody signs in who is signed in already.
            tokens: operation.role == .signIn ? [:] : adapter.tokens,
            network: .raw(network),
            time: PassingTime()
        )
        let task = Task {
            do {
                let client = try await adapter.makeClient(setting)
                end.settle(.value(try await operation.call(client)))
            } catch {
                let decoding = adapter.decodingError(in: error)
                end.settle(.failed(CallFailure(name: adapter.name(of: error), error: error, decoding: decoding)))
            }
        }
        let watch = Task {
            // Counts ticks and not the clock, so that a busy machine makes nobody hang.
            for _ in 0..<100 {
                do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
            }
            end.settle(.hung)
        }
        let outcome = await end.value
        watch.cancel()
        WorkWatch.leave(task)
        return (outcome, network.hasServed)
    }
}

/// Numbers calls, so that each has a base URL of its own, by which whoever carries its requests can tell it from others.
private enum ServedCalls {
    private static let count = Lock(0)

    static func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
