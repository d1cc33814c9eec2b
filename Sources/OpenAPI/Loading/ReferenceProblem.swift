/// Why a reference leads nowhere.
enum ReferenceProblem: Error {
    /// It names something on another machine.
    case remote(String)
    /// It has a scheme that no file of the project has.
    case foreignScheme(String)
    case absolutePath(String)
    case notAPath(String)
    case noFile(String, meant: String?)
    case outside(String)
    case unreadable(String)
    case notAPointer(String)
    /// It names an anchor, which only schemas have.
    case anchor(String)
    /// The document has nothing there; `parent` is how far the pointer leads.
    case nothingThere(String, parent: String, meant: String?)
    case circular(String)
    /// It begins a chain of references that is too long.
    case endless(String)

    var id: String {
        switch self {
        case .circular: "contract/circular-reference"
        default: "contract/unresolvable-reference"
        }
    }

    /// What was found, as a sentence without a full stop.
    var sentence: String {
        switch self {
        case .remote(let text): "\"\(text)\" lies on another machine, and nothing is fetched"
        case .foreignScheme(let text): "\"\(text)\" is not a relative path; references name files relative to this one"
        case .absolutePath(let text): "\"\(text)\" is an absolute path; references name files relative to this one"
        case .notAPath(let text): "\"\(text)\" is not a path that can be percent-decoded"
        case .noFile(let name, _): "there is no file \"\(name)\""
        case .outside(let name): "\"\(name)\" lies outside the project's folder"
        case .unreadable(let name): "\"\(name)\" cannot be used, so what it holds is missing here"
        case .notAPointer(let text):
            "\"\(text)\" is not a JSON Pointer; it begins with #/ and has ~0 and ~1 for ~ and /"
        case .anchor(let text): "\"\(text)\" is an anchor, which only schemas have"
        case .nothingThere(let text, let parent, _):
            "\"\(text)\" leads to nothing: there is no such member in \(parent.isEmpty ? "the document" : parent)"
        case .circular(let text): "\"\(text)\" leads back to itself"
        case .endless(let text): "\"\(text)\" leads from reference to reference, more than a hundred times"
        }
    }

    var advice: String? {
        switch self {
        case .remote: "keep a copy of it in the project, and refer to that"
        case .noFile(_, let meant?), .nothingThere(_, _, let meant?): "did you mean \"\(meant)\"?"
        default: nil
        }
    }
}
