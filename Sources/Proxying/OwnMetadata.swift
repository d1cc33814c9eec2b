import HTTPCodec
import JSON

/// The documents of an authorization server that name its keys and URLs, with this server's in their place.
enum OwnMetadata {
    private static let longest = 256 << 10

    /// - Parameters:
    ///   - path: The path of the request.
    ///   - url: Returns the URL by which clients reach a URL of the upstream.
    /// - Returns: `nil` for a response that is no such document.
    static func response(inPlaceOf response: HTTPResponse, path: String, _ url: (String) -> String) -> HTTPResponse? {
        let path = path.lowercased()
        guard response.status.isSuccessful, response.body.count <= longest,
            [".well-known/", "jwks", "keys", "certs"].contains(where: { path.contains($0) }),
            let root = (try? JSONParser().parse(response.body))?.root,
            let document = OwnToken.keys(inPlaceOf: root) ?? discovery(inPlaceOf: root, url)
        else { return nil }
        var own = response
        own.replaceBody(by: document.utf8(.compact))
        return own
    }

    /// The metadata of RFC 8414, and of OpenID Connect Discovery: the endpoints are reached here; the issuer stays, because
    /// tokens name it.
    private static func discovery(inPlaceOf root: JSONValue, _ url: (String) -> String) -> JSONValue? {
        guard let object = root.object, object["issuer"]?.string != nil else { return nil }
        func own(_ value: JSONValue, _ name: String) -> JSONValue {
            if let text = value.string, name != "issuer" {
                return .string(name.hasSuffix("alg_values_supported") ? OwnToken.algorithm(inPlaceOf: text) : url(text))
            }
            if let elements = value.array { return .array(elements.map { own($0, name) }) }
            guard let object = value.object else { return value }
            return .object(JSONObject(object.members.map { ($0.name, own($0.value, $0.name)) }))
        }
        return own(root, "")
    }
}
