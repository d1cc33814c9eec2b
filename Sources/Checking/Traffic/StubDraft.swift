package import Basics
package import JSON
import ScenarioFormat

/// Stubs of another tool, on their way to a backend: what answers which request, and what could not be taken over.
package struct StubDraft: Sendable {
    /// One response and the requests that it is for.
    struct Stub: Sendable {
        /// `GET /notes/{id}`.
        var key: String
        /// The condition in the words of a scenario file; empty where every request of the route is meant.
        var condition = JSONObject()
        /// The response in the words of a scenario file.
        var response = JSONObject()
        /// Smaller ones come first.
        var priority = 5
    }

    /// The file, as the user would write it.
    var file: String
    var name: String
    /// Reads a file that a mapping names as a body; `nil` where there is none.
    var bodyFile: @Sendable (String) -> String?
    var stubs: [Stub] = []
    /// The values of each state, the first of which is where it begins.
    var states: [String: [String]] = [:]
    /// Collections, counters and routes in the words of a scenario file, next to those that the stubs make.
    var collections = JSONObject()
    var counters = JSONObject()
    var routes = JSONObject()
    /// What was left out, and why, and what a stub cannot do.
    package private(set) var findings: [Finding] = []
    /// The routes that give fixed refresh tokens.
    private var fixed: Set<String> = []

    init(_ name: String, file: String, bodyFile: @escaping @Sendable (String) -> String? = { _ in nil }) {
        (self.name, self.file, self.bodyFile) = (name, file, bodyFile)
    }

    mutating func leaveOut(_ what: String, at value: JSONValue) {
        note("left-out", "left out: \(what)", at: value)
    }

    private mutating func note(_ id: String, _ message: String, at value: JSONValue) {
        let position = value.position.isKnown ? value.position.text : nil
        findings.append(Finding(.note, id: "import/\(id)", message, at: Place(file: file, position: position)))
    }

    /// Adds a stub, and says once for a route that it takes any refresh token, because its own never expire.
    mutating func add(_ stub: Stub) {
        stubs.append(stub)
        guard let token = Self.refreshToken(in: .object(stub.response)), fixed.insert(stub.key).inserted else { return }
        note(
            "fixed-tokens",
            "\(stub.key) gives fixed tokens and takes any: none expires or is refused. Declare the kinds under \"tokens\", "
                + "see: backlot help time-and-tokens",
            at: token
        )
    }

    /// A refresh token as it stands in a response's body.
    private static func refreshToken(in value: JSONValue) -> JSONValue? {
        for member in value.object?.members ?? [] {
            if member.value.string != nil, TokenNames.sayToken(member.name),
                TokenNames.kind(of: member.name) == "refresh"
            {
                return member.value
            }
            if let token = refreshToken(in: member.value) { return token }
        }
        for element in value.array ?? [] { if let token = refreshToken(in: element) { return token } }
        return nil
    }

    package var routeCount: Int { Set(stubs.map(\.key)).count + routes.count }

    /// Reads the file of another tool, whichever its form says that it is of; `nil` for any other document.
    ///
    /// - Parameter bodyFile: reads a file that a mapping of WireMock names as a body.
    /// - Throws: where it is of one of them and cannot be read.
    package static func read(
        _ root: JSONValue,
        file: String,
        bodyFile: @escaping @Sendable (String) -> String? = { _ in nil }
    ) throws(CaptureProblem) -> StubDraft? {
        if isWireMock(root) {
            return try StubDraft(wireMock: [(root, file)], bodyFile: bodyFile)
        }
        if root["interactions"]?.array != nil { return try StubDraft(pact: root, file: file) }
        if (root.array?.first ?? root)["httpRequest"] != nil { return try StubDraft(mockServer: root, file: file) }
        if root["item"] != nil, root["info"] != nil { return try StubDraft(postman: root, file: file) }
        if root["routes"]?.array != nil, root["endpointPrefix"] != nil || root["uuid"] != nil {
            return try StubDraft(mockoon: root, file: file)
        }
        return StubDraft(jsonServer: root, file: file)
    }

    /// The files that ``read(_:file:bodyFile:)`` knows, as a sentence says it.
    package static let known =
        "a HAR file has \"log\", mappings of WireMock \"request\" and \"response\", a Postman 2.1 collection \"info\" and "
        + "\"item\", an environment of Mockoon \"routes\", a Pact \"interactions\", expectations of MockServer \"httpRequest\", "
        + "and a db.json of json-server lists of objects with \"id\""

    /// The backend file: for each route the stub without a condition is its own response, and the others are its cases.
    package func backend(schemaPath: String?) -> JSONValue {
        var object = JSONObject()
        if let schemaPath { object["$schema"] = .string(schemaPath) }
        object["backend"] = .string(name.isEmpty ? "Imported" : name)
        if !states.isEmpty {
            let sorted = states.sorted { $0.key < $1.key }
            object["states"] = .object(JSONObject(sorted.map { ($0.key, .array($0.value.map(JSONValue.string))) }))
        }
        if !counters.isEmpty { object["counters"] = .object(counters) }
        if !collections.isEmpty { object["collections"] = .object(collections) }
        var keys: [String] = []
        var seen: Set<String> = []
        for stub in stubs where seen.insert(stub.key).inserted { keys.append(stub.key) }
        var routes = self.routes
        for key in keys {
            let all = stubs.enumerated().filter { $0.element.key == key }
                .sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }.map(\.element)
            var route = JSONObject()
            let cases = all.filter { !$0.condition.isEmpty }
            if !cases.isEmpty {
                route["cases"] = .array(
                    cases.map { stub in
                        .object(
                            JSONObject(
                                [("when", JSONValue.object(stub.condition))]
                                    + stub.response.members.map { ($0.name, $0.value) }
                            )
                        )
                    }
                )
            }
            let own = all.first { $0.condition.isEmpty }?.response ?? ["status": 404, "empty": true]
            for member in own.members { route[member.name] = member.value }
            routes[key] = .object(route)
        }
        object["routes"] = .object(routes)
        return .object(object)
    }
}

extension StubDraft {
    /// A name as the format has it.
    static func plainName(_ text: String) -> String {
        let letters = text.utf8.map { $0.isLetter || $0.isDigit ? $0 : UInt8(ascii: "-") }
        let name = String(decoding: letters, as: UTF8.self)
        return letters.first.map { $0.isLetter } ?? false ? name : "s-\(name)"
    }

    /// Text without the beginning of a placeholder, which other tools' templates look like.
    mutating func plainText(_ text: String, at value: JSONValue) -> String {
        guard text.contains("{{") else { return text }
        leaveOut("a template; \"{{\" is written as \"{ {\", and the value is up to you", at: value)
        return text.replacing("{{", with: "{ {")
    }

    /// JSON without the beginnings of placeholders.
    mutating func plain(_ value: JSONValue) -> JSONValue {
        if let text = value.string { return .string(plainText(text, at: value)) }
        if let elements = value.array {
            var plain: [JSONValue] = []
            for element in elements { plain.append(self.plain(element)) }
            return .array(plain)
        }
        guard let object = value.object else { return value }
        var plain = JSONObject()
        for member in object.members { plain[member.name] = self.plain(member.value) }
        return .object(plain)
    }

    /// A body's text as the response's body: JSON where it is that.
    mutating func setBody(_ text: String, in response: inout JSONObject, at value: JSONValue) {
        if text.isEmpty {
            response["empty"] = true
        } else if let root = (try? JSONParser().parse(text))?.root {
            response["json"] = plain(root)
        } else {
            response["text"] = .string(plainText(text, at: value))
        }
    }

    /// A status that a scenario may have, 200 where there is none.
    static func status(_ value: JSONValue?) -> JSONValue {
        .number(JSONNumber(min(max(value?.int ?? 200, 200), 999)))
    }

    /// The names and values of a list of `{"key": …, "value": …}`.
    static func fields(_ list: JSONValue?) -> [(String, JSONValue)] {
        (list?.array ?? []).compactMap { field in field["key"]?.string.map { ($0, field["value"] ?? "") } }
    }

    mutating func setHeaders(_ pairs: [(String, JSONValue)], in response: inout JSONObject) {
        var headers = JSONObject()
        for (name, value) in pairs {
            let ordinary = ["content-length", "transfer-encoding", "connection", "date", "server", "content-encoding"]
            guard !ordinary.contains(name.lowercased()) else { continue }
            if name.lowercased() == "content-type", response["json"] != nil, value.string?.contains("json") ?? false {
                continue
            }
            guard let text = value.string else {
                leaveOut("the header \(name.printable), which is not text", at: value)
                continue
            }
            headers[name] = .string(plainText(text, at: value))
        }
        if !headers.isEmpty { response["headers"] = .object(headers) }
    }

    /// A path with parameters in braces, of segments in which `:name` or a variable stands for one.
    static func template(_ path: String) -> String {
        var count = 0
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            if segment.hasPrefix(":") { return "{\(plainName(String(segment.dropFirst())))}" }
            if segment.hasPrefix("{{"), segment.hasSuffix("}}") {
                return "{\(plainName(String(segment.dropFirst(2).dropLast(2))))}"
            }
            if segment == "*" {
                count += 1
                return "{any\(count)}"
            }
            return String(segment)
        }
        let text = segments.joined(separator: "/")
        return text.hasPrefix("/") ? text : "/\(text)"
    }
}
