import ClientTesting
public import Foundation
import HTTPCodec
import HTTPServing

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension TestSetting {
    /// Sends a request exactly as it is: nothing is added, repeated, redirected, cached or kept as a cookie.
    ///
    /// A client that sends its requests with this is tested without waiting: an answer that never comes takes
    /// `timeoutInterval` seconds of the ``clock``'s time, and no real time.
    ///
    /// - Throws: `URLError`, with the code that `URLSession` would have.
    public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard case .raw(let network) = network else { return try await sendOnPlatform(request) }
        guard let url = request.url, let (origin, target) = url.originAndTarget else { throw URLError(.badURL) }
        let response: HTTPResponse
        do throws(HTTPClientFailure) {
            response = try await network.send(
                HTTPCodec.HTTPRequest(request, target: target),
                to: origin,
                timeout: request.timeoutInterval
            )
        } catch {
            if Task.isCancelled { throw URLError(.cancelled) }
            throw URLError(error)
        }
        guard let head = HTTPURLResponse(response, url) else { throw URLError(.badServerResponse) }
        return (Data(response.body), head)
    }

    private func sendOnPlatform(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (data, head)
    }
}

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
            default: .networkConnectionLost
            }
        self.init(code)
    }
}

extension HTTPURLResponse {
    fileprivate convenience init?(_ response: HTTPResponse, _ url: URL) {
        var fields: [String: String] = [:]
        for field in response.fields {
            // A field that comes twice is one with two values (RFC 9110, 5.2).
            let name = fields.keys.first { $0.caseInsensitiveCompare(field.name) == .orderedSame } ?? field.name
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
        self.init(url: url, statusCode: response.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
