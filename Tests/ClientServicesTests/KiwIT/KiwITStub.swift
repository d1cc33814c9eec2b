import ClientServices
import Foundation

/// A backend of kiwIT's kind: it takes one access token and one refresh token, and exchanges both.
actor KiwITStub: Transport {
    private(set) var requests: [TransportRequest] = []
    private var access: String
    private var refresh: String
    private var issued = 1
    /// What is answered next instead of the usual, by route; the last one is not used up.
    private var answers: [String: [Answer]] = [:]
    private var gathering: Gathering?

    enum Answer: Sendable {
        case reply(Int, String)
        case retryAfter(Int, seconds: Int)
        case failure(TransportFailure)
    }

    /// Requests that are answered when there are enough of them.
    private struct Gathering {
        var wanted: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    init(access: String = "a1", refresh: String = "r1") {
        self.access = access
        self.refresh = refresh
    }

    // MARK: Arranging

    func answer(_ route: String, _ answers: Answer...) { self.answers[route] = answers }
    func gather(_ count: Int) { gathering = Gathering(wanted: count) }
    func expireAccess() { access = "none of those that were given" }
    func exchangeElsewhere() { refresh = "another device's" }

    /// What was sent, such as `GET user`, in order.
    var routes: [String] { requests.map(Self.route) }

    func requests(_ route: String) -> [TransportRequest] { requests.filter { Self.route($0) == route } }

    // MARK: Answering

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
        requests.append(request)
        let route = Self.route(request)
        let isRenewal = route == "PATCH user/refresh"
        let isOpen = isRenewal || route == "POST user/sign-in" || route == "POST user/sign-up"
        let isRefused = !isOpen && request.fields["Authorization"] != "Bearer \(access)"
        if !isRenewal { await gathered() }
        if let answer = next(route), !isRefused {
            switch answer {
            case .reply(let status, let body): return TransportReply(status: status, body: Data(body.utf8))
            case .retryAfter(let status, let seconds):
                return TransportReply(status: status, fields: ["Retry-After": "\(seconds)"])
            case .failure(let failure): throw failure
            }
        }
        if isRefused { return TransportReply(status: 401) }
        guard isRenewal else { return TransportReply(status: 200, body: Data("[]".utf8)) }
        guard String(decoding: request.body ?? Data(), as: UTF8.self) == #"{"refreshToken":"\#(refresh)"}"# else {
            return TransportReply(status: 401)
        }
        issued += 1
        access = "a\(issued)"
        refresh = "r\(issued)"
        return TransportReply(
            status: 200,
            body: Data(#"{"accessToken":"\#(access)","refreshToken":"\#(refresh)"}"#.utf8)
        )
    }

    private func next(_ route: String) -> Answer? {
        guard let answer = answers[route]?.first else { return nil }
        if answers[route, default: []].count > 1 { answers[route]?.removeFirst() }
        return answer
    }

    private func gathered() async {
        guard let gathering else { return }
        guard gathering.waiting.count + 1 < gathering.wanted else {
            self.gathering = nil
            for one in gathering.waiting { one.resume() }
            return
        }
        await withCheckedContinuation { self.gathering?.waiting.append($0) }
    }

    private static func route(_ request: TransportRequest) -> String {
        "\(request.method.rawValue) \(request.url.path.replacingOccurrences(of: "/api/v1/", with: ""))"
    }
}

/// A time that passes only when somebody waits.
final class KiwITClock: ServiceClock, @unchecked Sendable {
    private let lock = NSLock()
    private var time: Date
    private var waits: [TimeInterval] = []

    init(_ time: Date = Date(timeIntervalSince1970: 1_727_000_000)) { self.time = time }

    var now: Date { lock.withLock { time } }
    var pauses: [TimeInterval] { lock.withLock { waits } }

    func sleep(seconds: TimeInterval) async throws {
        lock.withLock {
            waits.append(seconds)
            time += seconds
        }
    }
}

/// A service of which somebody is signed in, and all that it stands on.
struct KiwITBench: Sendable {
    let server: KiwITStub
    let clock = KiwITClock()
    let store: MemoryTokenStore
    let service: KiwITService

    init(_ tokens: Tokens? = Tokens(access: "a1", refresh: "r1")) {
        server = KiwITStub(access: "a1", refresh: tokens?.refresh ?? "r1")
        store = MemoryTokenStore(tokens)
        service = KiwITService(
            baseURL: URL(string: "https://kiwit.example/api/v1") ?? URL(fileURLWithPath: "/"),
            transport: server,
            store: store,
            clock: clock
        )
    }
}

extension Tokens {
    /// A refresh token that says of itself when its time is over.
    static func expiring(at moment: Date) -> Tokens {
        let claims = Data(#"{"exp":\#(Int(moment.timeIntervalSince1970)),"sub":"42"}"#.utf8).base64EncodedString()
        let payload = claims.replacingOccurrences(of: "=", with: "")
        return Tokens(access: "a1", refresh: "eyJhbGciOiJIUzI1NiJ9.\(payload).c2lnbmF0dXJl")
    }
}

extension KiwITBench {
    /// Collects what the session tells until it ends.
    func events(during work: () async throws -> Void) async rethrows -> [SessionEvent] {
        let stream = await service.events()
        try await work()
        var told: [SessionEvent] = []
        for await event in stream {
            told.append(event)
            if case .ended = event { break }
        }
        return told
    }
}
