import Basics
import Checking
import ClientTesting
import HTTPCodec
import HTTPServing
import OpenAPI
import Reports
import TLS
import TestSupport
import Testing

/// A server in this process that answers as the test says, and remembers what it was asked.
///
/// A class, because the server's loops and the test share it.
final class LiveBackend: HTTPHandler {
    typealias Answer = @Sendable (_ request: HTTPRequest, _ number: Int) -> HTTPResponse

    private let answer: Answer
    private let seen = Lock<[HTTPRequest]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    var requests: [HTTPRequest] { seen.withLock { $0 } }
    var targets: [String] { requests.map { "\($0.method) \($0.target)" } }

    func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
        let number = seen.withLock { seen in
            seen.append(request)
            return seen.count
        }
        var response = answer(request, number)
        if response.fields.contains("X-Stays-Open") {
            promise.send(part: response.body)
            response.body = []
            var stream = OutgoingResponse(response)
            stream.isStream = true
            return .now(stream)
        }
        guard let bytes = Self.bytes(of: response) else { return .now(OutgoingResponse(response)) }
        return .now(OutgoingResponse(response, delivery: Delivery(fault: .garbage(bytes))))
    }

    /// A response whose body begins with a text and never ends.
    static func endless(_ contentType: String, _ text: String) -> HTTPResponse {
        var response = HTTPResponse(status: .ok, contentType: contentType, body: text)
        response.fields.append("X-Stays-Open", "1")
        return response
    }

    /// A response that this server would not send, byte for byte.
    static func raw(_ bytes: String) -> HTTPResponse {
        HTTPResponse(status: .ok, contentType: "test/raw", body: bytes)
    }

    private static func bytes(of response: HTTPResponse) -> [UInt8]? {
        response.fields["Content-Type"] == "test/raw" ? response.body : nil
    }

    func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
        OutgoingResponse(HTTPResponse(status: refusal.status))
    }

    /// Runs the server on a free port for the length of the body.
    static func run<Result>(
        _ answer: @escaping Answer,
        tls: (any TLSContext)? = nil,
        _ body: (LiveBackend, String) async throws -> Result
    ) async throws -> Result {
        let backend = LiveBackend(answer)
        var configuration = HTTPServer.Configuration()
        if let tls { configuration.tls = { _ in .handshake(tls) } }
        let server = HTTPServer(configuration: configuration, handler: backend)
        try server.start()
        do {
            let port = try server.addListener(port: 0)
            let result = try await body(backend, "\(tls == nil ? "http" : "https")://127.0.0.1:\(port)")
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }
}

/// Verifies a contract that is there as text.
struct VerifiedContract {
    let contract: Contract
    var options = VerificationOptions()
    var environment: [String: String] = [:]
    /// How long the server made the verification wait.
    let waits = Shared<[Duration]>([])

    init(paths: String, components: String = "{}", more: String = "") throws {
        let text = """
            {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, \(more) "paths": \(paths),
             "components": \(components)}
            """
        let files = MemoryFiles(["api.json": text])
        let project = try #require(ProjectRoot("/project", files: files))
        contract = try ContractLoader(files: files, project: project).load("api.json")
    }

    func run(_ url: String, elapsed: (@Sendable () -> Duration)? = nil) async throws -> Report {
        let outcome = try verification(url, elapsed: elapsed).run()
        if let problem = outcome.problem { throw problem }
        return outcome.report
    }

    func verification(_ url: String, elapsed: (@Sendable () -> Duration)? = nil) throws -> Verification {
        let waits = waits
        return Verification(
            of: contract,
            against: try ServerURL(url),
            options: options,
            credentials: VerificationCredentials(environment: environment),
            elapsed: elapsed,
            pause: { duration in waits.withLock { $0.append(duration) } }
        )
    }

    /// The problem that keeps the verification from running.
    func problem(_ url: String) async throws -> VerificationProblem? {
        do {
            _ = try await run(url)
            return nil
        } catch let error as VerificationProblem {
            return error
        }
    }
}

/// A value that closures of several threads share.
final class Shared<Value: Sendable>: Sendable {
    private let value: Lock<Value>

    init(_ value: Value) {
        self.value = Lock(value)
    }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { body(&$0) }
    }
}

extension Report {
    /// What a test compares: the name of each check and the ids of its findings, or why it was skipped.
    var lines: [String] {
        checks.map { check in
            "\(check.name): " + (check.skipped ?? check.findings.map(\.id).joined(separator: " "))
        }
    }
}
