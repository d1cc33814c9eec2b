import Basics
import ClientTesting
import HTTPCodec
import HTTPServing
import JSON

/// Three clients of each app that has a README: what it says went wrong, the code that it prints as the solution, and a
/// design that it does not have.
enum ReadmeDesign: CaseIterable, Sendable {
    case bug
    case solution
    case other
}

/// What a plain network layer has: where its server is, and the tokens that it stores. It reports nothing about itself.
actor PlainClient {
    private let setting: ClientSetting
    private(set) var tokens: [String: String]

    init(_ setting: ClientSetting) {
        self.setting = setting
        tokens = setting.tokens
    }

    func keep(_ token: String?, as kind: String) { tokens[kind] = token }

    func forget() { tokens = [:] }

    /// Whether a stored token says that it has expired.
    func hasExpired(_ kind: String) -> Bool {
        let parts = (tokens[kind] ?? "").split(separator: ".")
        guard parts.count == 3, let claims = Base64.decodeURL(parts[1].utf8),
            let end = try? JSONParser().parse(claims).root["exp"]?.number?.double
        else { return false }
        return setting.time.now() >= end
    }

    /// Sends a request; a connection that fails counts as a server that breaks.
    func send(
        _ method: HTTPMethod,
        _ target: String,
        _ fields: HTTPFields,
        _ json: JSONValue? = nil
    ) async -> (status: Int, body: JSONValue?) {
        guard case .raw(let network) = setting.network else { return (500, nil) }
        var fields = fields
        if json != nil { fields.append("Content-Type", "application/json") }
        let body = json.map { Array($0.text().utf8) } ?? []
        let request = HTTPRequest(method: method, target: target, fields: fields, body: body)
        do throws(HTTPClientFailure) {
            let response = try await network.send(request, to: setting.url, timeout: 10)
            return (response.status.code, try? JSONParser().parse(response.body).root)
        } catch {
            return (500, nil)
        }
    }
}
