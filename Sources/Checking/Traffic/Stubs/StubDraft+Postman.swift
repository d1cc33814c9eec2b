import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension StubDraft {
    private static let deepest = 32

    /// Reads a collection of Postman 2: the examples that are saved with its requests.
    ///
    /// A request without an example becomes a route with an empty response, which its comment marks.
    init(postman root: JSONValue, file: String) throws(CaptureProblem) {
        self.init(root["info"]?["name"]?.string ?? "Postman", file: file)
        begin(root, of: file)
        if let auth = root["auth"], !auth.isNull {
            leaveOut("\"auth\": describe the tokens under \"tokens\"", at: auth)
        }
        var variables: [String: String] = [:]
        for item in root["variable"]?.array ?? [] {
            if let name = item["key"]?.string ?? item["id"]?.string, let value = item["value"]?.string {
                variables[name] = value
            }
        }
        var reader = PostmanReader(variables: variables)
        for item in root["item"]?.array ?? [] { readPostman(item, depth: 0, &reader) }
        drop()
        giveDefaults()
        guard !stubs.isEmpty else {
            throw nothing("the collection contains no request with a path", at: root.position)
        }
    }

    private struct PostmanReader {
        let variables: [String: String]
        /// The conditions of the examples of each route.
        var taken: [String: Set<DraftCondition>] = [:]
        /// The routes whose only response is a placeholder.
        var open: [(stub: Stub, item: JSONValue)] = []
    }

    private mutating func readPostman(_ item: JSONValue, depth: Int, _ reader: inout PostmanReader) {
        guard depth < Self.deepest else {
            return leaveOut("folders nested more than \(Self.deepest) levels deep", at: item)
        }
        for child in item["item"]?.array ?? [] { readPostman(child, depth: depth + 1, &reader) }
        drop()
        guard let request = item["request"] else { return }
        let title = (item["name"]?.string ?? "a request").printable.shortened
        guard let segments = Self.postmanPath(request["url"] ?? request, reader.variables) else {
            return leaveOut("\(title), whose URL has no path", at: request)
        }
        var stub = Stub(method: Self.method(request["method"]), path: "", position: item.position)
        var path = DraftPath()
        var names: [String: String] = [:]
        append(segments, to: &path, &stub.condition, &names)
        stub.path = path.text
        let examples = item["response"]?.array ?? []
        guard !examples.isEmpty else { return addPlaceholder(for: stub, title, at: item, &reader) }
        for example in examples { addPostman(example, of: request, segments, names, title, stub, &reader) }
    }

    private mutating func addPostman(
        _ example: JSONValue,
        of request: JSONValue,
        _ segments: [String],
        _ names: [String: String],
        _ title: String,
        _ stub: Stub,
        _ reader: inout PostmanReader
    ) {
        var stub = stub
        stub.position = example.position
        stub.general = stub.condition
        if let method = example["originalRequest"]?["method"] { stub.method = Self.method(method) }
        if let asked = example["originalRequest"] {
            distinguish(asked, from: request, segments, names, reader.variables, &stub.condition)
        }
        let name = example["name"]?.string ?? ""
        if reader.taken[stub.key]?.contains(stub.condition) ?? false {
            // As Postman's mock servers choose among examples.
            stub.condition.add(DraftCondition(.header, "x-mock-response-name", .equals(literal: name)))
            assume(
                "the example \(name.printable.shortened) of \(title): only x-mock-response-name distinguishes its "
                    + "request from another example's request",
                at: example
            )
        }
        guard reader.taken[stub.key, default: []].insert(stub.condition).inserted else {
            leaveOut("the example \(name.printable.shortened) of \(title), whose name is already used", at: example)
            return drop()
        }
        let fields = Self.fields(example["header"])
        stub.response[.status] = status(example["code"])
        setBody(
            example["body"]?.string ?? "",
            type: Self.type(fields),
            in: &stub.response,
            at: example["body"] ?? example
        )
        noteTemplate(in: example["body"]?.string, at: example["body"] ?? example)
        setHeaders(fields, in: &stub.response)
        add(stub)
    }

    /// Adds the differences between the request of an example and that of the collection.
    private func distinguish(
        _ asked: JSONValue,
        from request: JSONValue,
        _ segments: [String],
        _ names: [String: String],
        _ variables: [String: String],
        _ condition: inout DraftCondition
    ) {
        let (own, other) = (request["url"]?["query"]?.array ?? [], asked["url"]?["query"]?.array ?? [])
        if own != other {
            for (name, values) in Self.fields(.array(other))
            where !name.isEmpty && condition[.query]?[name] == nil {
                condition.require(.query, name, .equals(literal: values.first?.string ?? ""))
            }
        }
        let values = (asked["url"]?["variable"]?.array ?? []).reduce(into: [String: String]()) { values, item in
            if let name = item["key"]?.string, let value = item["value"]?.string { values[name] = value }
        }
        let usual = (request["url"]?["variable"]?.array ?? []).reduce(into: [String: String]()) { values, item in
            if let name = item["key"]?.string, let value = item["value"]?.string { values[name] = value }
        }
        let written = Self.postmanPath(asked["url"] ?? asked, variables) ?? []
        for (index, segment) in segments.enumerated() where segment.hasPrefix(":") {
            let name = String(segment.dropFirst())
            guard let parameter = names[name] else { continue }
            let literal = index < written.count && !written[index].hasPrefix(":") ? written[index] : nil
            guard let value = literal ?? values[name], !value.isEmpty, value != usual[name], !value.contains("{{")
            else {
                continue
            }
            condition.require(.path, parameter, .equals(literal: value))
        }
        if let text = asked["body"]?["raw"]?.string, text != request["body"]?["raw"]?.string, !text.contains("{{"),
            let root = (try? JSONParser().parse(text))?.root
        {
            condition.require(.body, "", .equals(literal: root))
        }
    }

    /// Adds a route for a request whose response is not known, unless an example has one.
    private mutating func addPlaceholder(
        for stub: Stub,
        _ title: String,
        at item: JSONValue,
        _ reader: inout PostmanReader
    ) {
        var stub = stub
        guard reader.taken[stub.key, default: []].insert(stub.condition).inserted else { return }
        assume("placeholder: \(title) has no saved example, so its response is unknown", at: item)
        stub.response = [.status: 200, .empty: true]
        add(stub)
    }

    static func method(_ value: JSONValue?) -> String {
        let method = value?.string?.uppercased() ?? "GET"
        return method.isEmpty ? "GET" : method
    }

    /// Adds segments in which `:name` and `{{name}}` take any text.
    func append(
        _ segments: [String],
        to path: inout DraftPath,
        _ condition: inout DraftCondition,
        _ names: inout [String: String]
    ) {
        for segment in segments {
            if segment.hasPrefix(":"), segment.count > 1 {
                names[String(segment.dropFirst())] = path.append(parameter: segment.dropFirst())
            } else if segment.hasPrefix("{{"), segment.hasSuffix("}}"), !segment.dropFirst(2).contains("{") {
                path.append(parameter: segment.dropFirst(2).dropLast(2))
            } else if segment.contains("{{") {
                appendMixed(segment[...], open: "{{", close: "}}", to: &path, &condition)
            } else {
                path.append(literal: segment)
            }
        }
    }

    /// The segments of a URL, or of an object that describes one; `nil` where there is no path.
    private static func postmanPath(_ url: JSONValue, _ variables: [String: String]) -> [String]? {
        if let list = url["path"]?.array {
            let segments = list.map { $0.string ?? $0["value"]?.string ?? "" }
            return segments.isEmpty ? [""] : segments.flatMap { split($0) }
        }
        if let text = url["path"]?.string { return split(text.hasPrefix("/") ? String(text.dropFirst()) : text) }
        guard let text = url["raw"]?.string ?? url.string, !text.isEmpty else { return nil }
        return path(of: text, variables)
    }

    /// The segments of the path of a URL, in which a variable may replace scheme and host.
    static func path(of url: String, _ variables: [String: String]) -> [String]? {
        var text = url.prefix { $0 != "?" && $0 != "#" }[...]
        if text.hasPrefix("{{"), let end = text.firstRange(of: "}}") {
            let name = String(text[text.index(text.startIndex, offsetBy: 2)..<end.lowerBound])
            let rest = text[end.upperBound...]
            // A variable for a base URL may hold a part of the path.
            let value = variables[name.split(separator: " ").joined()] ?? ""
            let base = CapturedURL(value).map { $0.target == "/" ? "" : $0.target } ?? ""
            text = Substring((base.hasSuffix("/") ? String(base.dropLast()) : base) + rest.drop { $0 != "/" })
        } else if let absolute = CapturedURL(String(text)) {
            text = Substring(absolute.target)
        } else if !text.hasPrefix("/") {
            // A host without a scheme.
            text = text.drop { $0 != "/" }
        }
        return text.isEmpty ? [""] : split(String(text.hasPrefix("/") ? text.dropFirst() : text))
    }

    private static func split(_ text: String) -> [String] {
        text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
}
