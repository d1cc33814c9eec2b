import JSON

/// A request of the twin.
struct SmeemTwinCall: Sendable {
    var method: String
    var target: String
    var json: JSONValue?
    var isSigned = true
    var endsSession = false
    var isSwallowed = false
    var timeout = 30.0
    /// A token that is not the session's access token.
    var token: String?

    /// A call with the session's token.
    init(_ method: String, _ target: String, _ json: JSONValue? = nil) {
        self.method = method
        self.target = target
        self.json = json
    }

    /// A call with another token, or with none.
    init(_ method: String, _ target: String, _ json: JSONValue? = nil, bearing token: String?) {
        self.init(method, target, json)
        self.token = token
        isSigned = false
    }

    /// A call whose caller waits for a completion, and gets none when it cannot be decoded (B5).
    var swallowed: SmeemTwinCall {
        var call = self
        call.isSwallowed = true
        return call
    }
}

extension TwinResponse {
    /// The body, when it says at its top whether all is well.
    var envelope: JSONObject? {
        guard let object = try? JSONParser().parse(body).root.object, object["success"] != nil else { return nil }
        return object
    }
}

/// Why a call of the twin came to nothing.
enum SmeemTwinProblem: Error, Sendable, Hashable {
    case connection
    case status(Int)
    case undecodable
    case signedOut
    case sessionOver
    case crash
    case neverTold
}
