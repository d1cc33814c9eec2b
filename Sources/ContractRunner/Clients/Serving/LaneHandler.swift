import HTTPServing
import HTTPWire
import OpenAPIContracts
import SocketIO
import Synchronization

/// Brings each request to the lane that it came in by.
final class LaneHandler: HTTPHandler {
    private let judge: ContractJudge
    private let lanes = Mutex<[Int: Lane]>([:])
    /// Kept open as long as the server runs.
    private let holder = Mutex<PortHolder?>(nil)

    init(_ contract: Contract) {
        judge = ContractJudge(contract)
    }

    func add(_ lane: Lane) { lanes.withLock { $0[lane.tag] = lane } }

    func remove(_ lane: Lane) { lanes.withLock { _ = $0.removeValue(forKey: lane.tag) } }

    func respond(to request: HTTPRequest, from peer: Peer, with promise: ReplyPromise) -> Served {
        guard let lane = lanes.withLock({ $0[peer.listener] }) else {
            return .now(HTTPReply(HTTPResponse(status: .serviceUnavailable), delivery: Delivery(fault: .reset)))
        }
        let match = judge.contract.operation(request.method, request.target)
        return .now(HTTPReply(lane.answer(to: request, for: match, judge: judge)))
    }

    func reply(to refusal: HTTPRefusal, from peer: Peer) -> HTTPReply {
        HTTPReply(HTTPResponse(status: refusal.status, contentType: "text/plain", body: "\(refusal.sentence)\n"))
    }

    /// Finds a port where nobody listens and nobody will: the client's side of a connection that stays open.
    func holdDeadPort(of server: HTTPServer) throws(SystemError) -> UInt16 {
        let port = try server.addListener(host: "127.0.0.1", port: 0, tag: 0)
        let client: HTTPClient
        do throws(HTTPClientFailure) {
            client = try HTTPClient(host: "127.0.0.1", port: port)
        } catch {
            throw SystemError("connect", .connectionRefused)
        }
        guard let dead = client.localPort else { throw SystemError("getsockname", .invalidArgument) }
        holder.withLock { $0 = PortHolder(client: client) }
        return dead
    }

    private struct PortHolder: @unchecked Sendable {
        let client: HTTPClient
    }
}

extension HTTPReply {
    /// The reply as it goes out, or goes wrong.
    init(_ answer: ServerAnswer) {
        switch answer {
        case .reply(let response): self.init(response)
        case .fault(let fault, let response):
            let fault: DeliveryFault =
                switch fault {
                // Whoever is to find nobody is sent elsewhere; one who comes all the same is not let in.
                case .refused, .reset: .reset
                case .empty: .empty
                case .cut: .truncatedBody(sent: response.body.count / 2)
                case .malformed: .garbage(Array("These are not the bytes that you expect.\r\n\r\n".utf8))
                case .never: .never
                }
            self.init(response, delivery: Delivery(fault: fault))
        }
    }
}
