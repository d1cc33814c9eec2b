import ClientServices
import Foundation

/// Smeem's server as a test wants it: takes one access token, and answers what a closure says.
actor SmeemStub: Transport {
    typealias Answer = Result<TransportReply, TransportFailure>

    private(set) var requests: [TransportRequest] = []
    /// The access token that is good; every other one is refused.
    private(set) var goodToken: String
    private let answer: @Sendable (TransportRequest, Int) -> Answer?

    /// - Parameter answer: what a request gets, with how many of its kind there were before; `nil` for what a server
    ///   in good health answers.
    init(
        taking goodToken: String = "A1",
        _ answer: @escaping @Sendable (TransportRequest, Int) -> Answer? = { _, _ in nil }
    ) {
        self.goodToken = goodToken
        self.answer = answer
    }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
        let earlier = requests.filter { $0.url.path == request.url.path && $0.method == request.method }.count
        requests.append(request)
        // Whoever comes at the same time gets a turn.
        await Task.yield()
        if let answer = answer(request, earlier) { return try answer.get() }
        return usual(request)
    }

    private func usual(_ request: TransportRequest) -> TransportReply {
        switch request.url.path {
        case "/api/v2/auth/token":
            guard request.fields["Authorization"] == "Bearer R1" else { return .smeemUnauthorized }
            goodToken = "A\(requests.count)"
            return .smeem(#"{"accessToken": "\#(goodToken)", "refreshToken": "R1"}"#)
        case "/api/v2/auth" where request.method == .post:
            let data = #"{"accessToken": "A1", "refreshToken": "R1", "isRegistered": true, "hasPlan": true}"#
            return .smeem(data, status: 201)
        case "/api/v2/members/performance/summary":
            guard request.fields["Authorization"] == "Bearer \(goodToken)" else { return .smeemUnauthorized }
            return .smeem(#"{"visitDays": 1, "diaryCount": 2, "diaryComboCount": 3, "badgeCount": 4}"#)
        case "/api/v2/diaries" where request.method == .post:
            return .smeem(#"{"diaryId": 345, "badges": []}"#, status: 201)
        default:
            return .smeem("null")
        }
    }

    /// How many requests a path has got.
    func count(_ path: String) -> Int { requests.filter { $0.url.path == path }.count }
}

extension TransportReply {
    /// An answer with data in Smeem's envelope.
    static func smeem(_ data: String, status: Int = 200) -> TransportReply {
        TransportReply(status: status, body: Data(#"{"success": true, "message": "성공", "data": \#(data)}"#.utf8))
    }

    /// A refusal of Smeem's with words.
    static func smeemRefusal(_ status: Int, _ message: String) -> TransportReply {
        TransportReply(status: status, body: Data(#"{"success": false, "message": "\#(message)"}"#.utf8))
    }

    /// The refusal of a token: an answer inside an answer.
    static var smeemUnauthorized: TransportReply {
        let body = #"{"headers": {}, "body": {"success": false, "message": "유효하지 않은 토큰 "}, "statusCodeValue": 401}"#
        return TransportReply(status: 401, body: Data(body.utf8))
    }
}

/// A clock whose pauses are over at once, and which knows how long they would have been.
actor SmeemClock: ServiceClock {
    private(set) var pauses: [TimeInterval] = []
    nonisolated let now = Date(timeIntervalSince1970: 1_732_100_000)

    func sleep(seconds: TimeInterval) async throws { pauses.append(seconds) }
}

/// A service in front of a stub, with what it stores.
struct SmeemSetting {
    let stub: SmeemStub
    let store: MemoryTokenStore
    let clock = SmeemClock()
    let service: SmeemService

    init(_ stub: SmeemStub = SmeemStub(), tokens: Tokens? = Tokens(access: "A1", refresh: "R1")) throws {
        self.stub = stub
        store = MemoryTokenStore(tokens)
        guard let url = URL(string: "http://smeem.example") else { throw URLError(.badURL) }
        service = SmeemService(baseURL: url, transport: stub, store: store, clock: clock)
    }

    /// What a call threw; `nil` when it went well.
    func error(of call: () async throws(SmeemError) -> Void) async -> SmeemError? {
        do throws(SmeemError) {
            try await call()
            return nil
        } catch {
            return error
        }
    }

    /// What a call with a token threw; `nil` when it went well.
    func errorOfCall() async -> SmeemError? {
        await error { () async throws(SmeemError) in _ = try await service.performance() }
    }

    /// The JSON that the first request brought.
    var firstBody: String? {
        get async { await stub.requests.first?.body.map { String(decoding: $0, as: UTF8.self) } }
    }
}

extension SmeemService {
    /// Signs in with any token of Kakao's.
    func signInAgain() async throws(SmeemError) { _ = try await signIn(with: .kakao("kakao-1")) }
}

/// The next events, however long they take.
func nextSmeemEvents(_ count: Int, of events: AsyncStream<SessionEvent>) async -> [SessionEvent] {
    var next: [SessionEvent] = []
    for await event in events {
        next.append(event)
        if next.count == count { break }
    }
    return next
}
