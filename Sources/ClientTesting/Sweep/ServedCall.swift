import Basics
import EventLoops
import HTTPCodec
import OpenAPI

/// A call of a fresh client that is served one answer, however often it asks.
struct ServedCall<Adapter: ClientAdapter>: Sendable {
    let adapter: Adapter
    let contract: Contract
    let usual: UsualResponses
    let requestLimit: Int
    /// What the calls so far have shown of the client's threads.
    let threads = ClientThreads()

    /// Makes the call in a world of its own; a client that neither ends nor goes on is left behind.
    ///
    /// - Returns: what came of it, and whether the operation was asked for at all.
    func made(
        _ operation: ClientOperation<Adapter.Client>,
        served answer: HTTPResponse
    ) async -> (outcome: CallOutcome, isServed: Bool) {
        let quiescence = threads.quiescence
        let (outcome, isServed, world) = await made(operation, served: answer, quiescence)
        guard threads.learn(from: world, quiescence) else { return (outcome, isServed) }
        let again = await made(operation, served: answer, .outside)
        return (again.outcome, again.isServed)
    }

    private func made(
        _ operation: ClientOperation<Adapter.Client>,
        served answer: HTTPResponse,
        _ quiescence: World.Quiescence
    ) async -> (outcome: CallOutcome, isServed: Bool, World) {
        var limits = World.Limits()
        limits.jumps = 200
        let world = World(JobOrder(.firstInFirstOut, seed: 0), quiescence, limits)
        let network = ServedNetwork(
            contract,
            usual: usual,
            operation: operation.id,
            answer: answer,
            limit: requestLimit
        )
        let setting = ClientSetting(
            url: "http://call-\(ServedCalls.next()).invalid",
            // Nobody signs in who is signed in already.
            tokens: operation.role == .signIn ? [:] : adapter.tokens,
            network: .raw(network),
            time: WorldTime(world: world)
        )
        let value = OneShot<CallValue>()
        let end: World.End
        do throws(SystemError) {
            end = try await world.run {
                network.isRestless
            } _: { [adapter] in
                let client = try await adapter.makeClient(setting)
                value.keep(try await operation.call(client))
            }
        } catch {
            end = .threw(error)
        }
        world.end()
        let outcome: CallOutcome
        switch end {
        case .returned: outcome = .value(value.value ?? .nothing)
        case .threw(let error):
            let decoding = adapter.decodingError(in: error)
            outcome = .failed(CallFailure(name: adapter.name(of: error), error: error, decoding: decoding))
        case .stuck, .blocked: outcome = .hung
        case .endless, .interrupted: outcome = .looping
        }
        return (outcome, network.hasServed, world)
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
