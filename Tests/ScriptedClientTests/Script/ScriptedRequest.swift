import JSON

/// A request line of a script with what is indented below it.
struct ScriptedRequest: Sendable {
    var method: String
    var target: String
    var tokens: [TokenUse] = []
    var expected: ExpectedResponse
    var kept: [TokenKeeping] = []
    var fields: [ScriptField] = []
    var body: ScriptedBody?
    var takes: [(name: String, source: TakenSource)] = []
    var checks: [ResponseAssertion] = []
    /// How long after the response before it, or the beginning of its row, it is sent.
    var delay = Duration.zero
    /// After how long the client hangs up; `nil` where it has the usual timeout.
    var timeout: Duration?
    var line: Int

    /// The request as the script has it.
    var words: String { "\(method) \(target)" }
}

/// A token that a request carries.
struct TokenUse: Sendable {
    enum Source: Sendable {
        case stored(String)
        case text(String)
    }

    var source: Source
    /// The kind in whose place it travels.
    var place: String
}

/// A granted token that the client stores, and under which kind.
struct TokenKeeping: Sendable {
    var granted: String
    var place: String
}

enum ScriptedBody: Sendable {
    case json(String)
    case form(String)
    case parts([ScriptedPart])
}

/// A part of a multipart body.
struct ScriptedPart: Sendable {
    enum Content: Sendable {
        case text(String)
        case json(String)
        case file(name: String, type: String, size: Int)
    }

    var name: String
    var content: Content
}

/// Where a value stands in a response that the client makes use of later.
enum TakenSource: Sendable {
    case body(JSONPointer)
    case header(String)
}
