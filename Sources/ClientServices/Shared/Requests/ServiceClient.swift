import Foundation

/// The common part of all services: turns endpoints into requests and responses into values, and keeps the session.
///
/// An app uses it through its service only.
public struct ServiceClient: Sendable {
    let baseURL: URL
    let transport: any Transport
    let clock: any ServiceClock
    let session: TokenSession
    /// Fields of every request, such as an app key.
    let fields: HeaderFields
    /// Seconds until a response has to be there.
    let timeout: TimeInterval

    /// - Parameters:
    ///   - rules: the rules of the server's tokens.
    ///   - store: where they outlive the app.
    init(
        baseURL: URL,
        rules: SessionRules,
        store: any TokenStore,
        transport: any Transport,
        clock: any ServiceClock,
        fields: HeaderFields = HeaderFields(),
        timeout: TimeInterval
    ) {
        self.baseURL = baseURL
        self.transport = transport
        self.clock = clock
        self.fields = fields
        self.timeout = timeout
        session = TokenSession(rules: rules, transport: transport, clock: clock, store: store)
    }

    /// Sends a request, and reads the response.
    func value<Value>(_ endpoint: Endpoint<Value>) async throws(ServiceProblem) -> Value {
        try endpoint.read(await response(to: endpoint))
    }

    private func response<Value>(to endpoint: Endpoint<Value>) async throws(ServiceProblem) -> TransportResponse {
        let request = try request(for: endpoint)
        var owner: Int?
        var retries = RetryPauses()
        while true {
            let response: TransportResponse
            switch endpoint.authorization {
            case .session:
                response = try await session.send(request, isSentAgain: endpoint.isSentAgain, of: &owner)
            case .none, .field:
                do { response = try await transport.send(request) } catch { throw .transport(error) }
            }
            guard endpoint.retriesWhenBusy, response.status == 429,
                try await retries.pause(for: response.retryAfter(at: clock.now), on: clock)
            else { return response }
        }
    }

    /// The request for an endpoint, complete but for the session's token.
    func request<Value>(for endpoint: Endpoint<Value>) throws(ServiceProblem) -> TransportRequest {
        guard let url = url(of: endpoint.path, endpoint.query) else {
            throw .unsendable("no URL can be created from \(endpoint.path.joined(separator: "/"))")
        }
        var request = TransportRequest(endpoint.method, url, fields: fields, timeout: endpoint.timeout ?? timeout)
        if case .field(let name, let value) = endpoint.authorization { request.fields[name] = value }
        switch endpoint.body {
        case .none: break
        case .multipart(let form):
            request.fields["Content-Type"] = form.mediaType
            request.body = form.data
        case .json(let value):
            request.fields["Content-Type"] = "application/json"
            do {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                request.body = try encoder.encode(value)
            } catch {
                throw .unsendable("\(error)")
            }
        }
        return request
    }

    private func url(of path: [String], _ query: [URLQueryItem]) -> URL? {
        guard var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else { return nil }
        let base =
            parts.percentEncodedPath.hasSuffix("/")
            ? parts.percentEncodedPath.dropLast() : Substring(parts.percentEncodedPath)
        parts.percentEncodedPath = base + path.map { "/" + $0.percentEncoded }.joined()
        if !query.isEmpty {
            parts.percentEncodedQuery = query.map { "\($0.name.percentEncoded)=\(($0.value ?? "").percentEncoded)" }
                .joined(separator: "&")
        }
        return parts.url
    }
}

extension String {
    /// Everything but unreserved characters percent-encoded (RFC 3986, section 2.3), so that a plus stays a plus.
    fileprivate var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: .unreserved) ?? self }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}

/// A message to users: the body of every refusal, and of some successful responses.
struct ServerMessage: Codable, Sendable {
    var message: String
}

extension TransportResponse {
    /// The server's message to users; `nil` if it cannot be read.
    var message: String? { (try? JSONDecoder().decode(ServerMessage.self, from: body))?.message }
}
