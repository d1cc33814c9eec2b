import Basics
import HTTPCodec
import HTTPServing
import OpenAPI

/// A network without sockets: answers one operation as told, and every other one as usual.
///
/// A class, because it counts what a client sends.
final class ServedNetwork: RawNetwork {
    private let contract: Contract
    private let usual: UsualResponses
    private let operation: String
    private let answer: HTTPResponse
    private let limit: Int
    private let count = Lock(0)
    private let served = Lock(0)

    init(
        _ contract: Contract,
        usual: UsualResponses,
        operation: String,
        answer: HTTPResponse,
        limit: Int
    ) {
        self.contract = contract
        self.usual = usual
        self.operation = operation
        self.answer = answer
        self.limit = limit
    }

    /// Whether the client has sent more requests than it may.
    var isRestless: Bool { count.withLock { $0 > limit } }

    /// Whether the operation was asked for at all.
    var hasServed: Bool { served.withLock { $0 > 0 } }

    func send(
        _ request: HTTPRequest,
        to origin: String,
        timeout: Double
    ) async throws(HTTPClientFailure) -> HTTPResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number > limit {
            // A client that goes on and on is waited for no longer.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        guard let matched = contract.operation(request.method, request.path)?.operation else {
            return HTTPResponse(status: .notFound)
        }
        guard matched.id == operation else { return usual.answer(of: matched) }
        served.withLock { $0 += 1 }
        return answer
    }
}
