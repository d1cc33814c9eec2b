import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Reads a collection of Postman 2.
struct PostmanReader {
    private static let deepest = 32

    private(set) var draft: StubDraft
    private var variables: [String: String] = [:]
    /// The conditions of the examples of each route.
    private var taken: [String: Set<DraftCondition>] = [:]

    /// Reads the examples that are saved with its requests.
    ///
    /// A request without an example becomes a route with an empty response, which its comment marks.
    init(_ root: JSONValue, file: String) throws(CaptureProblem) {
        draft = StubDraft(root["info"]?["name"]?.string ?? "Postman", file: file)
        draft.begin(root, of: file)
        if let auth = root["auth"], !auth.isNull {
            draft.leaveOut("\"auth\": describe the tokens under \"tokens\"", at: auth)
        }
        for item in root["variable"]?.array ?? [] {
            if let name = item["key"]?.string ?? item["id"]?.string, let value = item["value"]?.string {
                variables[name] = value
            }
        }
        for item in root["item"]?.array ?? [] { read(item, depth: 0) }
        draft.drop()
        draft.giveDefaults()
        guard !draft.stubs.isEmpty else {
            throw draft.nothing("the collection contains no request with a path", at: root.position)
        }
    }

    private mutating func read(_ item: JSONValue, depth: Int) {
        guard depth < Self.deepest else {
            return draft.leaveOut("folders nested more than \(Self.deepest) levels deep", at: item)
        }
        for child in item["item"]?.array ?? [] { read(child, depth: depth + 1) }
        draft.drop()
        guard let request = item["request"] else { return }
        let title = (item["name"]?.string ?? "a request").printable.shortened
        guard let segments = Self.path(request["url"] ?? request, variables) else {
            return draft.leaveOut("\(title), whose URL has no path", at: request)
        }
        var stub = StubDraft.Stub(method: StubDraft.method(request["method"]), path: "", position: item.position)
        var path = DraftPath()
        var names: [String: String] = [:]
        draft.append(segments, to: &path, &stub.condition, &names)
        stub.path = path.text
        let examples = item["response"]?.array ?? []
        guard !examples.isEmpty else { return addPlaceholder(for: stub, title, at: item) }
        for example in examples { add(example, of: request, segments, names, title, stub) }
    }

    private mutating func add(
        _ example: JSONValue,
        of request: JSONValue,
        _ segments: [String],
        _ names: [String: String],
        _ title: String,
        _ stub: StubDraft.Stub
    ) {
        var stub = stub
        stub.position = example.position
        stub.general = stub.condition
        if let method = example["originalRequest"]?["method"] { stub.method = StubDraft.method(method) }
        if let asked = example["originalRequest"] {
            distinguish(asked, from: request, segments, names, variables, &stub.condition)
        }
        let name = example["name"]?.string ?? ""
        if taken[stub.key]?.contains(stub.condition) ?? false {
            // As Postman's mock servers choose among examples.
            stub.condition.add(DraftCondition(.header, "x-mock-response-name", .equals(literal: name)))
            draft.assume(
                "the example \(name.printable.shortened) of \(title): only x-mock-response-name distinguishes its "
                    + "request from another example's request",
                at: example
            )
        }
        guard taken[stub.key, default: []].insert(stub.condition).inserted else {
            draft.leaveOut(
                "the example \(name.printable.shortened) of \(title), whose name is already used",
                at: example
            )
            return draft.drop()
        }
        let fields = StubDraft.fields(example["header"])
        stub.response[.status] = draft.status(example["code"])
        draft.setBody(
            example["body"]?.string ?? "",
            type: StubDraft.type(fields),
            in: &stub.response,
            at: example["body"] ?? example
        )
        draft.noteTemplate(in: example["body"]?.string, at: example["body"] ?? example)
        draft.setHeaders(fields, in: &stub.response)
        draft.add(stub)
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
            for (name, values) in StubDraft.fields(.array(other))
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
        let written = Self.path(asked["url"] ?? asked, variables) ?? []
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
        for stub: StubDraft.Stub,
        _ title: String,
        at item: JSONValue
    ) {
        var stub = stub
        guard taken[stub.key, default: []].insert(stub.condition).inserted else { return }
        draft.assume("placeholder: \(title) has no saved example, so its response is unknown", at: item)
        stub.response = [.status: 200, .empty: true]
        draft.add(stub)
    }

    /// The segments of a URL, or of an object that describes one; `nil` where there is no path.
    private static func path(_ url: JSONValue, _ variables: [String: String]) -> [String]? {
        if let list = url["path"]?.array {
            let segments = list.map { $0.string ?? $0["value"]?.string ?? "" }
            return segments.isEmpty ? [""] : segments.flatMap { StubDraft.split($0) }
        }
        if let text = url["path"]?.string {
            return StubDraft.split(text.hasPrefix("/") ? String(text.dropFirst()) : text)
        }
        guard let text = url["raw"]?.string ?? url.string, !text.isEmpty else { return nil }
        return StubDraft.path(of: text, variables)
    }
}
