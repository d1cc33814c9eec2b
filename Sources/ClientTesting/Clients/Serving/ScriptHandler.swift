import Basics
import Checking
import EventLoops
package import HTTPCodec
import HTTPServing
package import OpenAPI

/// Responds to a client's requests as a script says, and records them.
///
/// A class, because the server writes down what the test reads.
final class ScriptHandler: HTTPHandler {
    private struct State {
        var script: ResponsePlan
        var turns: [String: Int] = [:]
        var requests: [RecordedRequest] = []

        var isRestless: Bool { requests.count > script.requestLimit }
    }

    /// The URLs of the responses so far.
    let links = FollowedLinks()
    private let answers: UsualResponses
    private let world: World
    private let state: Lock<State>

    init(_ answers: UsualResponses, _ script: ResponsePlan, in world: World) {
        self.answers = answers
        self.world = world
        state = Lock(State(script: script))
    }

    var requests: [RecordedRequest] { state.withLock { $0.requests } }

    /// A Boolean value that indicates whether the client has sent more requests than the script allows.
    var isRestless: Bool { state.withLock { $0.isRestless } }

    func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
        let judge = answers.judge
        let match = judge.contract.operation(request.method, request.target)
        let violations = match.map { judge.violations(of: request, for: $0) } ?? []
        let operation = match?.operation
        if operation == nil, links.follow(request.target) {
            return .now(OutgoingResponse(HTTPResponse(status: .ok)))
        }
        let answer = state.withLock { state -> PlannedResponse in
            let answer = self.answer(to: operation, request, &state)
            // The limit of counted requests of a client that never stops.
            if !state.isRestless {
                state.requests.append(
                    RecordedRequest(
                        request: request,
                        operation: operation,
                        violations: violations,
                        answer: answer,
                        arrival: RecordedRequest.Arrival(virtual: world.now(), real: ContinuousClock.now)
                    )
                )
            }
            return answer
        }
        if case .response(let response) = answer { links.note(response) }
        return .now(OutgoingResponse(answer))
    }

    func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
        OutgoingResponse(HTTPResponse(status: refusal.status, contentType: "text/plain", body: "\(refusal.sentence)\n"))
    }

    private func answer(to operation: Operation?, _ request: HTTPRequest, _ state: inout State) -> PlannedResponse {
        guard let operation else { return .response(HTTPResponse(status: .notFound)) }
        guard let answers = state.script.answers[operation.id], let last = answers.last else {
            return .response(self.answers.answer(of: operation))
        }
        let turn = state.turns[operation.id, default: 0]
        state.turns[operation.id] = turn + 1
        let answer = turn < answers.count ? answers[turn] : last
        // Only a conditional request is answered with 304 (RFC 9110, section 15.4.5).
        if answer.status == 304, answers.count > 1, !request.isConditional { return answers[0] }
        guard case .response(let response) = answer else { return answer }
        return .response(self.answers.response(response, to: request, for: operation))
    }
}

extension HTTPRequest {
    /// A Boolean value that indicates whether the request asks for a response only if it has changed (RFC 9110, section 13).
    var isConditional: Bool { fields["If-None-Match"] != nil || fields["If-Modified-Since"] != nil }
}

extension OutgoingResponse {
    /// The response as it goes out, or goes wrong.
    init(_ answer: PlannedResponse) {
        switch answer {
        case .response(let response): self.init(response)
        case .fault(let fault, let response):
            let fault: WireFault =
                switch fault {
                // For "refused", the client gets a closed port; a connection that still arrives is reset.
                case .refused, .reset: .reset
                case .empty: .empty
                case .cut: .truncated(bodyBytes: response.body.count / 2)
                case .malformed: .garbage(Array("These are not the bytes that you expect.\r\n\r\n".utf8))
                case .never: .never
                }
            self.init(response, delivery: Delivery(fault: fault))
        }
    }
}

/// Responds to clients under test as a contract documents it, each on a separate network.
///
/// Every request is written down and judged by the contract.
package struct RespondingServer: Sendable {
    package let contract: Contract
    let samples: SampleResponses
    let usual: UsualResponses
    /// The knowledge about the client's threads from the calls so far.
    let threads = ClientThreads()

    package init(_ contract: Contract) {
        self.contract = contract
        samples = SampleResponses(contract, seed: 1)
        usual = UsualResponses(contract, samples: samples)
    }
}

/// The responses during one call: planned ones for some operations, the usual success for every other one.
package struct ResponsePlan: Sendable {
    /// Responses by ``ClientOperation/id``, in turn; the last one goes on.
    package var answers: [String: [PlannedResponse]]
    /// A call that sends more requests than this never ends.
    package var requestLimit: Int

    package init(_ answers: [String: [PlannedResponse]] = [:], requestLimit: Int = 24) {
        self.answers = answers
        self.requestLimit = requestLimit
    }

    /// Responds to one operation as planned.
    package init(_ operation: String, _ answers: PlannedResponse...) {
        self.init([operation: answers])
    }
}

/// The response, or the failure.
package enum PlannedResponse: Sendable, Hashable {
    case response(HTTPResponse)
    case fault(ConnectionFault, HTTPResponse)

    /// The status that the client sees; `nil` when it sees none.
    package var status: Int? {
        if case .response(let response) = self { response.status.code } else { nil }
    }
}

/// Ways in which a connection fails.
package enum ConnectionFault: String, Sendable, Hashable, CaseIterable {
    /// No server listens; the whole server is away.
    case refused
    /// An RST instead of a response.
    case reset
    /// An orderly end without one byte.
    case empty
    /// Half of the body, then an orderly end.
    case cut
    /// Bytes that are not HTTP.
    case malformed
    /// No response, ever.
    case never
}

/// The usual success of each operation of a contract, and the checks of the requests for it.
struct UsualResponses: Sendable {
    let judge: ContractEvaluator
    private var answers: [String: HTTPResponse]

    init(_ contract: Contract, samples: SampleResponses) {
        judge = ContractEvaluator(contract.assertingFormats())
        var answers: [String: HTTPResponse] = [:]
        for operation in contract.operations {
            answers[operation.id] = samples.usual(of: operation)?.response
        }
        self.answers = answers
    }

    /// An empty success when none is documented, or no valid value was found.
    func answer(of operation: Operation) -> HTTPResponse {
        answers[operation.id] ?? HTTPResponse(status: .noContent)
    }

    /// The response as the request may have it.
    ///
    /// A request that accepts the media type of the usual success alone gets that (RFC 9110, section 12.5.1). A response
    /// with 206 has the part that the request asks for, and a request without a usable range gets the usual success, unless
    /// that is 206, too (section 14.2).
    func response(_ response: HTTPResponse, to request: HTTPRequest, for operation: Operation) -> HTTPResponse {
        let accepted = AcceptedTypes(request.fields)
        func isAccepted(_ response: HTTPResponse) -> Bool {
            response.fields["Content-Type"].flatMap(MediaType.init(parsing:)).map { accepted.quality(of: $0) > 0 }
                ?? true
        }
        if response.status.isSuccessful, !isAccepted(response), isAccepted(answer(of: operation)) {
            return answer(of: operation)
        }
        guard response.status.code == 206 else { return response }
        if let part = response.part(for: request) { return part }
        let usual = answer(of: operation)
        return usual.status.code == 206 ? response : usual
    }

    /// The same with another response of one operation.
    func answering(_ operationID: String, with response: HTTPResponse) -> Self {
        var copy = self
        copy.answers[operationID] = response
        return copy
    }
}

extension HTTPResponse {
    /// The length of the representation of which a response with 206 is a part.
    private static let wholeLength = 1 << 16

    /// The part that a request asks for; `nil` for a request without a usable range.
    fileprivate func part(for request: HTTPRequest) -> HTTPResponse? {
        guard let field = request.fields["Range"], case .part(let range) = ByteRange(field: field, of: Self.wholeLength)
        else { return nil }
        var part = self
        part.fields.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(Self.wholeLength)")
        // The bytes count, and any will do.
        part.body = range.map { body.isEmpty ? 0 : body[$0 % body.count] }
        return part
    }
}

/// A request that a client under test has sent.
package struct RecordedRequest: Sendable {
    package var request: HTTPRequest
    /// Its operation; `nil` if the contract has none.
    package var operation: Operation?
    /// Its violations of the contract.
    package var violations: [ContractViolation]
    /// The response that it got.
    package var answer: PlannedResponse
    var arrival: Arrival

    /// The moment at which a request reached the server, on both clocks.
    struct Arrival: Sendable {
        var virtual: MonotonicTime
        var real: ContinuousClock.Instant

        /// The time since an earlier request, on the clock on which the client has waited longer.
        func since(_ other: Arrival) -> Duration { max(virtual.since(other.virtual), real - other.real) }
    }
}

/// A port of this machine where no server listens, now or later: the client's side of a connection that stays open.
struct DeadPort: Sendable {
    let number: UInt16
    /// Never used, only kept.
    private let connection: ConnectedSocket

    /// The time for which the system may take to connect on this machine.
    private static let timeout = Duration.seconds(10)

    /// - Parameter port: where a server listens.
    init(nextTo port: UInt16) throws(SystemError) {
        guard let address = SocketAddress("127.0.0.1", port: port) else {
            throw SystemError("getaddrinfo", .addressNotAvailable)
        }
        let deadline = SystemTime().now().advanced(by: Self.timeout)
        connection = try ConnectedSocket(connectingTo: address, until: deadline)
        number = try connection.localAddress().port
    }
}
