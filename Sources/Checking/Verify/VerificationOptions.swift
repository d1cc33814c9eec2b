package import HTTPCodec
package import JSON

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
