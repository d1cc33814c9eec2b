/// A file of scripted clients for one story.
struct Script: Sendable {
    /// The path as failures show it.
    var file: String
    /// Header fields of every request.
    var always: [ScriptField] = []
    var blocks: [ScriptBlock] = []
}

/// A header field of a script.
struct ScriptField: Sendable, Hashable {
    var name: String
    /// Nothing leaves the field out.
    var value: String
}
