import Basics
import HTTPCodec

/// What is sent again after new tokens have come.
final class Replay: Sendable {
    /// How replaying goes wrong, where it does.
    enum Fault: Sendable {
        case never
        case withoutBody
        case twice
    }

    private let bug: Bug?
    private let fault: Fault
    private let latest = Lock<Request?>(nil)

    init(_ bug: Bug?, _ fault: Fault) {
        self.bug = bug
        self.fault = fault
    }

    /// Notes that a request is sent for the first time.
    func note(_ request: Request) {
        latest.withLock { $0 = request }
    }

    /// What to send, in order; the last one's response is the user's.
    func requests(for request: Request) -> [Request] {
        switch bug {
        case .otherRequestReplayed: return [latest.withLock { $0 } ?? request]
        case .requestNotReplayed:
            switch fault {
            case .never: return []
            case .twice: return [request, request]
            case .withoutBody:
                var request = request
                request.http.body = []
                return [request]
            }
        default: return [request]
        }
    }
}
