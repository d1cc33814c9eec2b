import ClientServices
import Foundation

/// A server that says what a test tells it to, and remembers what it was asked.
actor StubServer: Transport {
    typealias Answer = Result<TransportResponse, TransportFailure>

    /// What a request gets, which is the given one of its line, counted from 1; `nil` leaves it to somebody else.
    typealias Answering = @Sendable (_ request: TransportRequest, _ count: Int) async -> Answer?

    private(set) var requests: [TransportRequest] = []
    private var arranged: [String: Answering] = [:]
    private let usual: Answering
    private var held: Held?
    private var awaited: [(line: String, continuation: CheckedContinuation<Void, Never>)] = []

    /// The first requests, which wait for each other.
    private struct Held {
        var missing: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// - Parameter usual: what a request gets unless something was arranged for its line.
    init(_ usual: @escaping Answering = { _, _ in nil }) {
        self.usual = usual
    }

    // MARK: Arranging

    /// Answers one line, such as `GET /post`.
    func on(_ line: String, _ answer: @escaping Answering) { arranged[line] = answer }

    /// Answers one line with one thing after the other; the last one is not used up.
    func on(_ line: String, _ first: Answer, _ more: Answer...) {
        let answers = [first] + more
        let before = count(line)
        on(line) { _, count in answers[min(count - before, answers.count) - 1] }
    }

    /// Keeps the next requests until there are so many of them.
    func hold(_ count: Int) { held = Held(missing: count) }

    // MARK: Looking

    /// What there was, in its order.
    var lines: [String] { requests.map(\.line) }

    func requests(_ line: String) -> [TransportRequest] { requests.filter { $0.line == line } }

    func count(_ line: String) -> Int { requests.count { $0.line == line } }

    /// How many requests there were whose lines begin so.
    func count(beginning start: String) -> Int { requests.count { $0.line.hasPrefix(start) } }

    /// Waits until there was a request with this line.
    func untilAsked(_ line: String) async {
        guard count(line) == 0 else { return }
        await withCheckedContinuation { awaited.append((line, $0)) }
    }

    // MARK: Answering

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        requests.append(request)
        for waiting in awaited where waiting.line == request.line { waiting.continuation.resume() }
        awaited.removeAll { $0.line == request.line }
        let count = count(request.line)
        await wait()
        // Whoever comes at the same time gets a turn.
        await Task.yield()
        if let answer = await arranged[request.line]?(request, count) { return try answer.get() }
        if let answer = await usual(request, count) { return try answer.get() }
        return TransportResponse(status: 404)
    }

    private func wait() async {
        guard let missing = held?.missing else { return }
        held?.missing = missing - 1
        guard missing == 1 else { return await withCheckedContinuation { held?.waiting.append($0) } }
        for continuation in held?.waiting ?? [] { continuation.resume() }
        held = nil
    }
}

extension Result<TransportResponse, TransportFailure> {
    /// An answer with this status.
    static func response(_ status: Int, _ body: String = "", fields: HeaderFields = HeaderFields()) -> Self {
        .success(TransportResponse(status: status, fields: fields, body: Data(body.utf8)))
    }

    /// A refusal with a message, as WhipIt's and RunwithU's servers have it.
    static func refusal(_ status: Int, _ message: String = "no") -> Self {
        .response(status, #"{"message":"\#(message)"}"#)
    }
}
