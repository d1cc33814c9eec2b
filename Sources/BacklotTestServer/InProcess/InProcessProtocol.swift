import Basics
import HTTPCodec
import HTTPServing

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLSessionConfiguration {
    /// What a session begins with whose requests to a server are answered in this process, without a port.
    ///
    /// Statuses, header fields, bodies, latency and faults are those of a socket. Requests for other hosts travel as
    /// usual. A `URLProtocol` has limits: redirects are not followed, cookies and responses are not kept, authentication
    /// challenges do not come, a body arrives in one piece, and background sessions and web sockets do not use it.
    ///
    /// A time-out counts on the server's clock or in real time, whichever comes first: after
    /// `BacklotServer.advance(by:)` by a minute, a request that waits for a response for a minute has timed out.
    public static func backlot(_ server: BacklotServer) -> URLSessionConfiguration {
        server.connectInProcess()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [InProcessProtocol.self] + (configuration.protocolClasses ?? [])
        return configuration
    }
}

extension BacklotServer {
    /// Has requests to the server's URLs answered in this process, where a session asks for it.
    func connectInProcess() {
        let others = origins.sorted { $0.key < $1.key }.map { (url: $1.absoluteString, name: Optional($0)) }
        lifetime.host.connect(session, [(url: url.absoluteString, name: nil)] + others)
    }
}

/// Answers the requests of a `URLSession` in this process.
final class InProcessProtocol: URLProtocol {
    private typealias Answer = Result<(Data, HTTPURLResponse), any Error>

    private struct Loading {
        var task: Task<Void, Never>?
        /// What came, until the loading system is told.
        var answer: Answer?
        /// Whether the loading system expects nothing more: Foundation on Linux ends the process when it is told more.
        var isOver = false
    }

    private let loading = Lock(Loading())

    override static func canInit(with request: URLRequest) -> Bool {
        request.url?.originAndTarget.flatMap { InProcessOrigins.shared.client(for: $0.origin) } != nil
    }

    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        if let answer = loading.withLock({ $0.answer.take() }) { return tell(answer) }
        // Right without a lock: `request` and `client` never change once the protocol is made, and what does change is
        // behind `loading`.
        nonisolated(unsafe) let loader = self
        let task = Task { [request] in
            let answer: Answer
            do {
                answer = .success(try await Self.load(request))
            } catch {
                answer = .failure(error)
            }
            loader.deliver(answer)
        }
        let isOver = loading.withLock { loading in
            loading.task = task
            return loading.isOver
        }
        if isOver { task.cancel() }
    }

    override func stopLoading() {
        let task = loading.withLock { loading -> Task<Void, Never>? in
            // While an answer is handed over, loading pauses and goes on.
            guard loading.answer == nil else { return nil }
            loading.isOver = true
            return loading.task
        }
        task?.cancel()
    }

    /// Hands an answer to the loading system, once.
    ///
    /// Foundation on Linux expects it on a queue of the session's own, which cannot be reached from here; a task that
    /// is suspended and resumed starts to load there again.
    private func deliver(_ answer: Answer) {
        let isExpected = loading.withLock { loading in
            defer { loading.isOver = true }
            guard !loading.isOver else { return false }
            #if !canImport(Darwin)
                loading.answer = answer
            #endif
            return true
        }
        guard isExpected else { return }
        #if canImport(Darwin)
            tell(answer)
        #else
            task?.suspend()
            task?.resume()
        #endif
    }

    private func tell(_ answer: Answer) {
        switch answer {
        case .success((let data, let response)):
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: data)
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        }
    }

    private static func load(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url, let (origin, target) = url.originAndTarget else { throw URLError(.badURL) }
        // The server may have stopped since.
        guard let client = InProcessOrigins.shared.client(for: origin) else { throw URLError(.cannotConnectToHost) }
        let timeout = request.timeoutInterval > 0 ? request.timeoutInterval : 60
        do {
            let response = try await client.send(
                HTTPCodec.HTTPRequest(request, target: target),
                timeout: .seconds(min(timeout, 1e9))
            )
            guard let head = HTTPURLResponse(response, url) else { throw URLError(.badServerResponse) }
            return (Data(response.body), head)
        } catch let failure as HTTPClientFailure {
            throw Task.isCancelled ? URLError(.cancelled) : URLError(failure)
        } catch is CancellationError {
            throw URLError(Task.isCancelled ? .cancelled : .networkConnectionLost)
        }
    }
}

// MARK: Foundation's requests and responses

extension URL {
    /// What to connect to, such as `http://127.0.0.1:8080`, and what to ask it for.
    var originAndTarget: (origin: String, target: String)? {
        guard let parts = URLComponents(url: self, resolvingAgainstBaseURL: true), let scheme = parts.scheme,
            let host = parts.percentEncodedHost
        else { return nil }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        return (
            "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? ""),
            path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
        )
    }
}

extension HTTPCodec.HTTPRequest {
    fileprivate init(_ request: URLRequest, target: String) {
        var fields = HTTPFields()
        // A dictionary has no order, and what is sent must not differ from run to run.
        for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            fields.append(name, value)
        }
        let body = request.httpBody ?? request.httpBodyStream.map(Data.init(reading:)) ?? Data()
        self.init(
            method: HTTPCodec.HTTPMethod(rawValue: request.httpMethod ?? "GET"),
            target: target,
            fields: fields,
            body: Array(body)
        )
    }
}

extension Data {
    fileprivate init(reading stream: InputStream) {
        self.init()
        stream.open()
        defer { stream.close() }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = stream.read(&chunk, maxLength: chunk.count)
            guard count > 0 else { return }
            append(contentsOf: chunk[..<count])
        }
    }
}

extension URLError {
    fileprivate init(_ failure: HTTPClientFailure) {
        let code: URLError.Code =
            switch failure {
            case .timedOut: .timedOut
            case .refused, .unreachable: .cannotConnectToHost
            case .malformed: .badServerResponse
            case .reset, .closedWithoutResponse, .truncated: .networkConnectionLost
            }
        self.init(code)
    }
}

extension HTTPURLResponse {
    fileprivate convenience init?(_ response: HTTPResponse, _ url: URL) {
        var fields: [String: String] = [:]
        for field in response.fields {
            // A field that comes twice is one with two values (RFC 9110, section 5.2).
            let name = fields.keys.first { $0.caseInsensitiveCompare(field.name) == .orderedSame } ?? field.name
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
        self.init(url: url, statusCode: response.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
