import Basics
import HTTPCodec
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
    /// Parameters whose values were made up, because the contract has no example and the user said nothing.
    var invented: [String] = []

    /// Without secrets: `GET /pets/7?limit=1`.
    var shown: String { "\(method) \(target(query))" }

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
        if !cookies.isEmpty { fields.append("Cookie", cookies.joined(separator: "; ")) }
        return HTTPRequest(method: method, target: target(query), fields: fields, body: body)
    }

    private func target(_ query: [String]) -> String {
        query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }
}
