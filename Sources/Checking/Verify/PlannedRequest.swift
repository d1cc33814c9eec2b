import Basics
import HTTPCodec
import JSON
import OpenAPI

/// A request that is ready to be sent but for its secrets, so that it can be shown.
struct PlannedRequest {
    var method: HTTPMethod
    /// Percent-encoded, with the server's base path.
    var path: String
    /// `name=value` each, percent-encoded.
    var query: [String] = []
    var fields = HTTPFields()
    var cookies: [String] = []
    var body: [UInt8] = []
    var credentials: [Credential] = []
    /// A Boolean value that indicates whether the request changes nothing, so that it may be sent again and be
    /// redirected.
    var isRepeatable = false
    /// The values of parameters that neither the user nor the contract knows to be right.
    var assumed: [AssumedValue] = []
    /// A Boolean value that indicates whether the body was made up.
    var hasMadeUpBody = false
    /// The values of the path's parameters, not encoded.
    var pathValues: [(name: String, value: JSONValue)] = []
    private var session: [(name: String, value: String)] = []
    private var proof: (name: String, value: String)?

    init(method: HTTPMethod, path: String) {
        self.method = method
        self.path = path
    }

    /// Without secrets: `GET /pets/7?limit=1`.
    var shown: String { "\(method) \(target(query))" }

    /// A Boolean value that indicates whether credentials go out with it.
    var isAuthorized: Bool { !credentials.isEmpty || !session.isEmpty }

    /// Everything that a report must not show.
    var secrets: [String] { credentials.map(\.value) + session.map(\.value) }

    /// Returns whether a response refuses the credentials: 401, or 403 to a session's cookies.
    func isRefused(by answer: LiveResponse) -> Bool {
        switch answer.response?.status {
        case HTTPStatus.unauthorized: true
        case HTTPStatus.forbidden: !session.isEmpty
        default: false
        }
    }

    /// The cookies in which servers put what protects against forged requests, and the fields in which they expect it:
    /// Django, and what Angular, Laravel and Spring have in common.
    private static let proofs = [("csrftoken", "X-CSRFToken"), ("XSRF-TOKEN", "X-XSRF-TOKEN")]

    /// Takes the cookies of a session, and with a request that changes something the protection against forgery.
    mutating func take(_ jar: CookieJar) {
        session = jar.cookies(for: path)
        proof = nil
        guard OperationEffect(of: method) != .read else { return }
        for (cookie, field) in Self.proofs {
            guard let value = session.first(where: { $0.name == cookie })?.value else { continue }
            proof = (field, PercentEncoding.decode(Substring(value)) ?? value)
        }
    }

    var request: HTTPRequest {
        var query = query
        var fields = fields
        var cookies = cookies
        for credential in credentials {
            switch credential.location {
            case .query:
                query.append("\(PercentEncoding.encode(credential.name))=\(PercentEncoding.encode(credential.value))")
            case .cookie: cookies.append("\(credential.name)=\(credential.value)")
            // What the user gave for every request comes before what the contract asks for.
            case .header where fields.contains(credential.name): break
            case .header, .path: fields.append(credential.name, credential.value)
            }
        }
        for cookie in session where !cookies.contains(where: { $0.utf8.starts(with: "\(cookie.name)=".utf8) }) {
            cookies.append("\(cookie.name)=\(cookie.value)")
        }
        if let proof, !fields.contains(proof.name) { fields.append(proof.name, proof.value) }
        if !cookies.isEmpty { fields.append("Cookie", cookies.joined(separator: "; ")) }
        return HTTPRequest(method: method, target: target(query), fields: fields, body: body)
    }

    private func target(_ query: [String]) -> String {
        query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }
}

/// A parameter's value that may not exist on the server.
struct AssumedValue {
    var parameter: String
    /// The operation whose response has the value; `nil` for a value that was made up.
    var source: String?
}
