package import HTTPCodec
package import HTTPServing

#if canImport(FoundationNetworking)
    package import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension URL {
    /// The origin, such as `http://127.0.0.1:8080`, and the request target.
    package var originAndTarget: (origin: String, target: String)? {
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
    package init(_ request: URLRequest, target: String) {
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
    package init(_ failure: HTTPClientFailure) {
        let code: URLError.Code =
            switch failure {
            case .timedOut: .timedOut
            case .refused, .unreachable, .proxy: .cannotConnectToHost
            case .malformed, .bodyTooLarge: .badServerResponse
            case .tls: .secureConnectionFailed
            case .reset, .closedWithoutResponse, .truncated: .networkConnectionLost
            }
        self.init(code)
    }
}

extension HTTPURLResponse {
    package convenience init?(_ response: HTTPResponse, _ url: URL) {
        var fields: [String: String] = [:]
        for field in response.fields {
            // A field that comes twice is one with two values (RFC 9110, section 5.2).
            let name = fields.keys.first { $0.caseInsensitiveCompare(field.name) == .orderedSame } ?? field.name
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
        self.init(url: url, statusCode: response.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
