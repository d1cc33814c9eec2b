package import Basics
package import HTTPCodec
import JSON

extension RouteKey {
    /// The reason why a text is not a route.
    package struct Problem: Error {
        package var message: String
        package var advice: String?
    }

    /// Reads a method, a space and a path template.
    package init(parsing text: String) throws(Problem) {
        guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")) else {
            throw Problem(
                message: "\"\(text)\" is not a route",
                advice: text.hasPrefix("/")
                    ? "put a method before the path: \"GET \(text)\""
                    : "write a method and a path, such as \"GET /diaries/{id}\""
            )
        }
        let method = String(text[..<space])
        let path = String(text[text.utf8.index(after: space)...])
        guard method == "*" || method.utf8.allSatisfy({ $0.isASCIILetter || "-_".utf8.contains($0) }), !method.isEmpty
        else {
            throw Problem(message: "\"\(method)\" is not a method", advice: "write GET, POST, PUT, PATCH, DELETE or *")
        }
        guard method == method.uppercased() else {
            throw Problem(
                message: "the method \"\(method)\" would never match, because methods are case-sensitive",
                advice: "did you mean \"\(method.uppercased()) \(path)\"?"
            )
        }
        guard method != "CONNECT" else {
            throw Problem(
                message: "the target of CONNECT is a host, not a path",
                advice: "a route cannot match CONNECT"
            )
        }
        guard !path.utf8.contains(UInt8(ascii: "?")) else {
            throw Problem(
                message: "\"\(path)\" contains a query; a route contains only a method and a path",
                advice: "use \"when\": {\"query\": …} in a case"
            )
        }
        if path.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "<") }),
            let foreign = path.split(separator: "/").first(where: { $0.first == ":" || $0.first == "<" })
        {
            let name = foreign.split(whereSeparator: { ":<>".contains($0) }).last.map(String.init) ?? "id"
            throw Problem(
                message: "\"\(foreign)\" would match only literally",
                advice: "write a parameter as {\(name)}; percent-encode the character to match it"
            )
        }
        do {
            template = try PathTemplate(parsing: path)
        } catch {
            throw Problem(message: "\"\(path)\" is not a path template: \(error.sentence)", advice: nil)
        }
        self.method = method == "*" ? nil : HTTPMethod(rawValue: method)
        self.text = text
    }
}

/// A method and a path template, as the routes of a scenario are named: `GET /diaries/{id}`.
package struct RouteKey: Sendable, Hashable {
    /// `nil` for every method, written `*`.
    package var method: HTTPMethod?
    package var template: PathTemplate
    /// The key as the file has it.
    package var text: String

    package init(method: HTTPMethod?, template: PathTemplate, text: String) {
        self.method = method
        self.template = template
        self.text = text
    }
}

extension RouteKey {
    /// The same for two keys that match the very same requests.
    var identity: String { "\(method?.rawValue ?? "*") \(template.shape)" }

    /// Reports a method that is probably misspelt, and a path that no request reaches.
    func check(at position: JSONPosition, _ builder: inout ScenarioBuilder) {
        if let method = method?.rawValue, !Self.registeredMethods.contains(method),
            let meant = Suggestion.nearest(to: method, among: Self.registeredMethods)
        {
            builder.report(
                "scenario/unusual-method",
                "\"\(method)\" is not a standard method",
                at: position,
                advice: "did you mean \"\(meant) \(template)\"?",
                severity: .warning
            )
        }
        // The server keeps paths for its admin API and for the names of sessions.
        if let reserved = ReservedPath.allCases.first(where: { $0.rest(of: template.text) != nil }) {
            builder.report(
                "scenario/bad-route",
                "the server keeps the path \(reserved.rawValue) for itself, so no request reaches this route",
                at: position,
                advice: "choose another path"
            )
        }
    }

    /// Methods that are registered with IANA and could be meant; another one is legal, but near to these a slip.
    private static let registeredMethods = [
        "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "QUERY", "COPY", "LOCK", "MOVE", "LINK",
        "UNLINK", "UNLOCK", "MERGE", "SEARCH", "REPORT", "PROPFIND", "PROPPATCH", "MKCOL", "ACL", "BIND", "PURGE",
    ]
}
