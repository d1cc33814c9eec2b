import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import OpenAPI

/// A call of a fresh client that is served one response, however often it asks.
struct ServedCall<Adapter: ClientAdapter>: Sendable {
    let adapter: Adapter
    let contract: Contract
    var usual: UsualResponses
    let requestLimit: Int
    /// The response to further requests for the operation; `nil` for one response each time.
    var ending: CallEnding?
    /// The server for clients that use the platform's networking, and the time without news after which their pauses are
    /// skipped; `nil` for clients that send requests in this process.
    var platform: (server: RespondingServer, quietTime: Duration)?
    /// The knowledge about the client's threads from the calls so far.
    let threads = ClientThreads()

    /// Makes the call in a separate world; a client that neither ends nor continues is abandoned.
    func made(
        _ operation: ClientOperation<Adapter.Client>,
        served answer: HTTPResponse
    ) async -> Result {
        if let platform {
            return await madeOverSockets(operation, served: answer, by: platform.server, platform.quietTime)
        }
        let (outcome, network) = await madeOnNetwork(operation, served: answer)
        return Result(
            outcome: outcome,
            isServed: network.hasServed,
            isContinued: network.isContinued,
            isPaged: network.isPaged,
            links: network.links.followed,
            endsElsewhere: network.links.endsTheCall || network.hasAskedAgain(after: answer),
            lastBody: network.lastBody,
            hasEmptySegment: network.hasEmptySegment
        )
    }

    /// The result of a call.
    struct Result: Sendable {
        var outcome: CallOutcome
        /// A Boolean value that indicates whether the operation was asked for at all.
        var isServed: Bool
        /// A Boolean value that indicates whether the client has received the ending, too.
        var isContinued = false
        /// A Boolean value that indicates whether the operation was asked for with several targets, such as pages.
        var isPaged = false
        /// The URLs of responses to which the client has sent requests.
        var links: Set<String> = []
        /// A Boolean value that indicates whether the last response was another one: of such a URL, or after 202.
        var endsElsewhere = false
        /// The body of the last response if that was another operation's, whose value the client may return.
        var lastBody: [UInt8]?
        /// A Boolean value that indicates whether the last request was for no operation, because a part of its path was
        /// empty, such as `/jobs/` after a response with an empty ID.
        var hasEmptySegment = false
    }

    /// The requests of a call in which every operation succeeds as usual.
    func requests(of operation: ClientOperation<Adapter.Client>) async -> [HTTPRequest] {
        let documented = contract.operations.first { $0.id == operation.id }
        let answer = documented.map(usual.answer) ?? HTTPResponse(status: .notFound)
        return await madeOnNetwork(operation, served: answer).network.requests
    }

    private func madeOverSockets(
        _ operation: ClientOperation<Adapter.Client>,
        served answer: HTTPResponse,
        by server: RespondingServer,
        _ quietTime: Duration
    ) async -> Result {
        let others = contract.operations.map { ($0.id, [PlannedResponse.response(usual.answer(of: $0))]) }
        // Each pause takes real time.
        let limit = min(requestLimit, Self.requestLimitOverSockets)
        var script = ResponsePlan(Dictionary(others) { first, _ in first }, requestLimit: limit)
        script.answers[operation.id] = [.response(answer)] + (ending.map { [.response($0.response)] } ?? [])
        var call = ClientCall(operation, of: adapter, answered: script)
        call.isOnPlatform = true
        call.quietTime = quietTime
        guard let made = try? await call.made(with: server) else { return Result(outcome: .hung, isServed: false) }
        let targets = made.requests.filter { $0.operation?.id == operation.id }.map(\.request.target)
        return Result(outcome: made.outcome, isServed: !targets.isEmpty, isPaged: Set(targets).count > 1)
    }

    /// The requests of a call over sockets after which it is one that does not end.
    private static var requestLimitOverSockets: Int { 8 }

    private func madeOnNetwork(
        _ operation: ClientOperation<Adapter.Client>,
        served answer: HTTPResponse
    ) async -> (outcome: CallOutcome, network: ServedNetwork) {
        let quiescence = threads.quiescence
        let (outcome, network, world) = await made(operation, served: answer, quiescence)
        guard threads.learn(from: world, quiescence) || threads.mayBeHeldUp && outcome.isHung else {
            return (outcome, network)
        }
        let again = await made(operation, served: answer, .outside)
        return (again.0, again.1)
    }

    private func made(
        _ operation: ClientOperation<Adapter.Client>,
        served answer: HTTPResponse,
        _ quiescence: World.Quiescence
    ) async -> (CallOutcome, ServedNetwork, World) {
        var limits = World.Limits()
        limits.jumps = 200
        let world = World(JobOrder(.firstInFirstOut, seed: 0), quiescence, limits)
        let network = ServedNetwork(
            contract,
            usual: usual,
            operation: operation.id,
            answer: answer,
            ending: ending,
            limit: requestLimit
        )
        let setting = ClientSetting(
            url: "http://call-\(ServedCalls.next()).invalid",
            tokens: adapter.tokens(before: operation),
            network: .raw(network),
            time: WorldTime(world: world),
            links: network.links
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
        network.links.end()
        return (CallOutcome(end, value.value, after: network.requests, of: adapter), network, world)
    }
}

/// The response with which a call ends that asks for its operation several times.
struct CallEnding: Sendable {
    var response: HTTPResponse
    /// A Boolean value that indicates whether the call asks for the same thing again, in contrast to further pages.
    var isPolled = false

    /// Returns whether a request after the first one gets the response: pages have another target.
    func isFor(_ target: String, after first: String) -> Bool { isPolled || target != first }
}

/// Numbers calls, so that each has its own base URL, by which the transport identifies its requests.
private enum ServedCalls {
    private static let count = Lock(0)

    static func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A network without sockets: serves one operation as planned, and every other one as usual.
///
/// A class, because it counts what a client sends.
final class ServedNetwork: RawNetwork {
    /// The URLs of the responses so far.
    let links = FollowedLinks()
    private let contract: Contract
    private let usual: UsualResponses
    private let operation: String
    private let answer: HTTPResponse
    private let ending: CallEnding?
    private let limit: Int
    private let sent = Lock<[HTTPRequest]>([])
    /// The targets of the requests for the operation.
    private let served = Lock<[String]>([])
    /// The body of the last response if that was another operation's.
    private let otherBody = Lock<[UInt8]?>(nil)

    init(
        _ contract: Contract,
        usual: UsualResponses,
        operation: String,
        answer: HTTPResponse,
        ending: CallEnding? = nil,
        limit: Int
    ) {
        self.contract = contract
        self.usual = usual
        self.operation = operation
        self.answer = answer
        self.ending = ending
        self.limit = limit
    }

    /// A Boolean value that indicates whether the client has sent more requests than it may.
    var isRestless: Bool { sent.withLock { $0.count > limit } }

    /// The client's requests, up to the limit and one more.
    var requests: [HTTPRequest] { sent.withLock { $0 } }

    /// A Boolean value that indicates whether the operation was asked for at all.
    var hasServed: Bool { served.withLock { !$0.isEmpty } }

    /// A Boolean value that indicates whether the operation was asked for with several targets.
    var isPaged: Bool { served.withLock { Set($0).count > 1 } }

    /// A Boolean value that indicates whether the client has received the ending, too.
    var isContinued: Bool {
        guard let ending else { return false }
        return served.withLock { targets in targets.dropFirst().contains { ending.isFor($0, after: targets[0]) } }
    }

    /// The body of the last response if that was another operation's, and the operation was served before.
    var lastBody: [UInt8]? { hasServed ? otherBody.withLock { $0 } : nil }

    /// A Boolean value that indicates whether the last request was for no operation, and its path has an empty segment.
    var hasEmptySegment: Bool {
        guard let request = requests.last, contract.operation(request.method, request.path) == nil else { return false }
        return request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().contains("")
    }

    /// Returns whether the client has asked for the result of 202.
    func hasAskedAgain(after answer: HTTPResponse) -> Bool {
        answer.status.code == 202 && served.withLock { $0.count > 1 }
    }

    func send(
        _ request: HTTPRequest,
        to origin: String,
        timeout: Double
    ) async throws(HTTPClientFailure) -> HTTPResponse {
        let number = sent.withLock { sent in
            if sent.count <= limit { sent.append(request) }
            return sent.count
        }
        if number > limit {
            // A client that does not stop is not waited for.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        guard let matched = contract.operation(request.method, request.path)?.operation else {
            return HTTPResponse(status: links.follow(request.target) ? .ok : .notFound)
        }
        var response = usual.answer(of: matched)
        if matched.id == operation {
            let targets = served.withLock { targets in
                targets.append(request.target)
                return targets
            }
            response = answer
            if let ending, answer.status.isSuccessful, targets.count > 1,
                ending.isFor(request.target, after: targets[0])
            {
                response = ending.response
            } else if targets.count > 1, answer.status.code == 202, matched.hasResultLater {
                // A client that asks again after 202 gets the result.
                response = usual.answer(of: matched)
            }
            response = usual.response(response, to: request, for: matched)
        }
        links.note(response)
        otherBody.withLock { $0 = matched.id == operation ? nil : response.body }
        return response
    }
}
