import Basics
import JSON
package import OpenAPI

/// Operations are the same when method and path are, except for the names of the path's parameters.
package struct OperationKey: Hashable, Sendable {
    private let method: String
    private let path: [ExactText]

    /// - Parameter prefix: what comes before the operation's path.
    package init(_ operation: OpenAPI.Operation, under prefix: String = "") {
        method = "\(operation.method)"
        path = (prefix + operation.path).split(separator: "/", omittingEmptySubsequences: false).map {
            ExactText(PathNames(String($0)).form)
        }
    }
}

/// The names in a path template, and the template without them.
struct PathNames {
    private(set) var names: [String] = []
    private(set) var form = ""

    init(_ path: String) {
        var rest = path.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "{")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            names.append(String(Substring(rest[rest.index(after: start)..<end])))
            form += String(Substring(rest[..<start])) + "{}"
            rest = rest[rest.index(after: end)...]
        }
        form += String(Substring(rest))
    }
}
