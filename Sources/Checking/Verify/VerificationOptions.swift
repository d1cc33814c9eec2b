package import HTTPCodec
package import JSON
import OpenAPI

/// How far a verification goes, and what it is given to send.
package struct VerificationOptions: Sendable {
    /// Whether methods that change something are sent, too.
    package var allowsWrites = false
    /// Only operations with these ids; all when there is none.
    package var operationIDs: [String] = []
    /// Only operations that one of these fits; all when there is none.
    package var filters: [OperationFilter] = []
    /// Values of parameters by name, in any place.
    package var parameters: [(name: String, value: String)] = []
    /// Fields for every request.
    package var fields = HTTPFields()
    package var signIn: SignInRequest?
    /// How long one response may take.
    package var timeout = Duration.seconds(10)
    /// How many requests are sent at most, with sign-in, redirects and repetitions.
    package var maximumRequests = 1_000
    /// How long one wait may be that the server asks for with 429 and Retry-After.
    package var maximumWait = Duration.seconds(30)
    /// What made values depend on.
    package var seed: UInt64 = 1

    package init() {}
}

/// A request that comes first and brings a token.
package struct SignInRequest: Sendable {
    package var method: HTTPMethod
    /// With its query, below the server's URL.
    package var path: String
    /// Fields of this request alone.
    package var fields: HTTPFields
    package var body: [UInt8]
    package var contentType: String
    /// Where the response has the token.
    package var token: JSONPointer

    package init(
        method: HTTPMethod,
        path: String,
        fields: HTTPFields = HTTPFields(),
        body: [UInt8] = [],
        contentType: String = "application/json",
        token: JSONPointer
    ) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
        self.contentType = contentType
        self.token = token
    }
}

/// Chooses operations by method and path: `GET /v1/*`, `/pets`, `* /pets/{id}`.
///
/// A star stands for any number of characters, slashes too.
package struct OperationFilter: Sendable, Hashable {
    private var method: NamePattern
    private var path: NamePattern

    package static let expectation = "a method and a path, such as 'GET /v1/*'"

    /// - Returns: `nil` for a text that is neither a path nor a method and a path.
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        guard let path = words.last, words.count <= 2, path.first == "/" || path.first == "*" else { return nil }
        method = NamePattern(words.count == 2 ? words[0] : "*")
        self.path = NamePattern(path)
    }

    func fits(_ operation: Operation) -> Bool {
        method.fits(operation.method.rawValue) && path.fits(operation.path)
    }
}

/// A pattern for names: a star stands for any number of characters.
package struct NamePattern: Sendable, Hashable {
    private let pattern: [UInt8]

    package init(_ text: some StringProtocol) {
        pattern = Array(text.utf8)
    }

    /// Goes back to the last star only, so the time is bounded by the product of the lengths.
    package func fits(_ name: String) -> Bool {
        let star = UInt8(ascii: "*")
        let text = Array(name.utf8)
        var (inPattern, inText) = (0, 0)
        var retry: (pattern: Int, text: Int)?
        while inText < text.count {
            if inPattern < pattern.count, pattern[inPattern] == star {
                inPattern += 1
                retry = (inPattern, inText)
            } else if inPattern < pattern.count, pattern[inPattern] == text[inText] {
                inPattern += 1
                inText += 1
            } else if let last = retry {
                inPattern = last.pattern
                inText = last.text + 1
                retry = (last.pattern, inText)
            } else {
                return false
            }
        }
        return pattern[inPattern...].allSatisfy { $0 == star }
    }
}
