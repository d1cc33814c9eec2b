import ClientServices
import Foundation

/// Answers a service's requests as a test wants it, and remembers them.
actor RunwithUStubServer: Transport {
    /// What a test makes of a request that is the given one of its kind, counted from 1.
    typealias Answer = @Sendable (TransportRequest, Int) async throws(TransportFailure) -> TransportReply

    private let answer: Answer
    private(set) var requests: [TransportRequest] = []
    private var waiting: [(count: Int, line: String, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    nonisolated func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
        let number = await note(request)
        return try await answer(request, number)
    }

    private func note(_ request: TransportRequest) -> Int {
        requests.append(request)
        let due = waiting.filter { $0.count <= count($0.line) }
        waiting.removeAll { $0.count <= count($0.line) }
        for waiter in due { waiter.continuation.resume() }
        return count(request.line)
    }

    /// How many requests there were whose method and path begin so.
    func count(_ line: String) -> Int { requests.count { $0.line.hasPrefix(line) } }

    /// What there was, in its order.
    var lines: [String] { requests.map(\.line) }

    /// Waits until so many requests of a kind have come.
    func wait(for count: Int, _ line: String) async {
        guard self.count(line) < count else { return }
        await withCheckedContinuation { waiting.append((count, line, $0)) }
    }
}

extension TransportRequest {
    /// The body's members, where it is a JSON object.
    var members: [String: String] {
        let object = try? JSONSerialization.jsonObject(with: body ?? Data())
        return (object as? [String: Any] ?? [:]).mapValues { "\($0)" }
    }
}

extension TransportReply {
    static func json(_ text: String, _ status: Int = 200) -> TransportReply {
        TransportReply(status: status, fields: ["Content-Type": "application/json"], body: Data(text.utf8))
    }

    static func refusal(_ status: Int, _ message: String = "refused") -> TransportReply {
        json(#"{"message":"\#(message)"}"#, status)
    }
}

/// A clock that nobody has to wait for.
actor RunwithUStubClock: ServiceClock {
    nonisolated var now: Date { Date(timeIntervalSince1970: 1_795_300_000) }
    private(set) var pauses: [TimeInterval] = []

    func sleep(seconds: TimeInterval) async throws {
        pauses.append(seconds)
    }
}

/// A service whose server is a stub.
struct RunwithUBench: Sendable {
    let server: RunwithUStubServer
    let clock = RunwithUStubClock()
    let store: MemoryTokenStore
    let service: RunwithUService

    init(
        signedIn tokens: Tokens? = Tokens(access: "a1", refresh: "r1"),
        answer: @escaping RunwithUStubServer.Answer
    ) throws {
        server = RunwithUStubServer(answer)
        store = MemoryTokenStore(tokens)
        service = RunwithUService(
            baseURL: try Self.url(),
            serviceKey: "key",
            transport: server,
            clock: clock,
            store: store
        )
    }

    static func url() throws -> URL {
        guard let url = URL(string: "https://runwithu.test") else { throw URLError(.badURL) }
        return url
    }

    /// Posts with these ids, as JSON.
    static func post(
        _ id: String,
        namespace: RunwithU.Namespace = .community,
        content1: String = "epilogues",
        content3: String? = nil,
        likes: [String] = []
    ) -> String {
        let third = content3.map { #","content3":"\#($0)""# } ?? ""
        let liked = likes.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"post_id":"\#(id)","product_id":"\#(namespace.rawValue)","content1":"\#(content1)"\#(third),"#
            + #""createdAt":"2024-09-01T05:12:33.418Z","creator":{"user_id":"u2","nick":"새벽러너"},"files":[],"#
            + #""likes":[\#(liked)],"likes2":[],"buyers":[],"hashTags":[],"comments":[]}"#
    }

    static func page(_ ids: [String], next: String) -> TransportReply {
        .json(#"{"data":[\#(ids.map { post($0) }.joined(separator: ","))],"next_cursor":"\#(next)"}"#)
    }
}
