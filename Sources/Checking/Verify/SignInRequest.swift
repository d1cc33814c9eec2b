package import HTTPCodec
package import JSON

/// A request that comes before all others and brings a token or a session's cookies.
package struct SignInRequest: Sendable {
    package var method: HTTPMethod
    /// With its query.
    package var path: String
    /// A Boolean value that indicates whether the path begins at the server's root, and not at the base path.
    package var isAbsolute = false
    /// Fields of this request alone.
    package var fields: HTTPFields
    package var body: [UInt8]
    package var contentType: String
    /// The place of the token in the response; `nil` to look under the usual names.
    package var token: JSONPointer?
    /// The security scheme that the token is for; `nil` for every scheme with bearer tokens.
    package var scheme: String?

    /// - Parameter contentType: the media type of the body; `nil` for JSON where it begins as JSON does, else for a form.
    package init(
        method: HTTPMethod,
        path: String,
        fields: HTTPFields = HTTPFields(),
        body: [UInt8] = [],
        contentType: String? = nil,
        token: JSONPointer? = nil
    ) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
        self.contentType = contentType ?? Self.contentType(of: body)
        self.token = token
    }

    /// Its name in messages: `POST /login`.
    var name: String { "\(method) \(path)" }

    /// The values of the body, none of which is shown.
    var secrets: [String] {
        if let document = try? JSONParser(duplicateNames: .lastWins).parse(body).root {
            return Self.texts(in: document)
        }
        return QueryItems(parsingForm: body).items.map(\.value)
    }

    private static func texts(in value: JSONValue) -> [String] {
        switch value.content {
        case .string(let text): [text]
        case .number: [value.description]
        case .array(let elements): elements.flatMap(texts)
        case .object(let object): object.members.flatMap { texts(in: $0.value) }
        case .null, .bool: []
        }
    }

    private static func contentType(of body: [UInt8]) -> String {
        let first = body.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            ? "application/json" : "application/x-www-form-urlencoded"
    }
}

/// The token in the response to a sign-in.
struct SignInToken {
    var value: String
    /// The time until it expires, where the response says it.
    var lifetime: Duration?

    /// - Parameter place: where the token is; `nil` to look for a member with a usual name at the root, or in an object
    ///   that is a member of it.
    init?(in document: JSONValue, at place: JSONPointer?) {
        guard let found = place ?? Self.usualPlace(in: document), let value = found.value(in: document)?.string,
            !value.isEmpty
        else { return nil }
        self.value = value
        let object = JSONPointer(tokens: Array(found.tokens.dropLast())).value(in: document)
        // RFC 6749, section 5.1.
        let seconds = ["expires_in", "expiresIn"].lazy.compactMap { object?[$0] }.first
        lifetime = (seconds?.int ?? seconds?.string.flatMap { Int($0) }).flatMap { $0 > 0 ? .seconds($0) : nil }
    }

    /// The best names first.
    private static let names = [
        "access_token", "accessToken", "token", "access", "jwt", "auth_token", "authToken", "id_token", "idToken",
        "key",
    ]

    private static func usualPlace(in document: JSONValue) -> JSONPointer? {
        guard let root = document.object else { return nil }
        let inner = root.members.filter { $0.value.object != nil }.map { JSONPointer(tokens: [$0.name]) }
        for name in names {
            for parent in [JSONPointer()] + inner {
                let place = parent.appending(name)
                if place.value(in: document)?.string?.isEmpty == false { return place }
            }
        }
        return nil
    }
}
