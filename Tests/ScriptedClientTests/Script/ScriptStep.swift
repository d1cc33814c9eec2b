import JSON

/// Something that a scripted client does, or that happens to it.
struct ScriptStep: Sendable {
    enum Content: Sendable {
        /// Rows of requests that begin together; each row goes on when its last response has come.
        case requests([[ScriptedRequest]])
        /// The session's clock is put forward.
        case advance(Duration)
        /// Real time passes.
        case wait(Duration)
        case launch(Int)
        case report(JSONObject)
        case exit(Int)
        case device(String)
        /// The stored token of a kind gets a name.
        case remember(name: String, kind: String)
    }

    var content: Content
    var line: Int
}
