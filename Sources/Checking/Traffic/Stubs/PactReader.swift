import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Reads a pact of the versions 1 to 4.
struct PactReader {
    private(set) var draft: StubDraft
    /// The conditions of the interactions of each route.
    private var taken: [String: Set<DraftCondition>] = [:]

    /// Reads its interactions over HTTP.
    init(_ root: JSONValue, file: String) throws(CaptureProblem) {
        draft = StubDraft(root["provider"]?["name"]?.string ?? "Pact", file: file)
        draft.begin(root, of: file)
        for interaction in root["interactions"]?.array ?? [] {
            draft.drop()
            read(interaction)
        }
        draft.drop()
        guard !draft.stubs.isEmpty else {
            throw draft.nothing("the pact contains no interaction that can be imported", at: root.position)
        }
    }

    private mutating func read(_ interaction: JSONValue) {
        let title = (interaction["description"]?.string ?? "an interaction").printable.shortened
        guard let request = interaction["request"], let answer = interaction["response"],
            let path = request["path"]
        else { return draft.leaveOut("\(title), which is not a complete HTTP interaction", at: interaction) }
        var stub = StubDraft.Stub(method: StubDraft.method(request["method"]), path: "", position: interaction.position)
        let rules = PactRules(request["matchingRules"])
        guard let template = self.path(path, rules, &stub.condition) else { return }
        stub.path = template
        requireQuery(request, rules, &stub.condition)
        requireBody(request, rules, title, &stub.condition)
        if let token = request["headers"]?.object?.members.first(where: { $0.name.lowercased() == "authorization" }) {
            draft.leaveOut("the Authorization field of \(title); describe the token under \"tokens\"", at: token.value)
        }
        if taken[stub.key]?.contains(stub.condition) ?? false {
            requireHeaders(request, rules, &stub.condition)
        }
        guard taken[stub.key, default: []].insert(stub.condition).inserted else {
            draft.leaveOut(
                "\(title): its request equals the request of an earlier interaction; write a story",
                at: interaction
            )
            return draft.drop()
        }
        let fields = (answer["headers"]?.object?.members ?? []).map { member in
            (member.name, member.value.array ?? [member.value])
        }
        let type = StubDraft.type(fields)
        stub.response[.status] = draft.status(answer["status"])
        if let (body, isJSON, bytes) = body(answer["body"], type) {
            if let bytes {
                draft.setBody(bytes: bytes, type: type, in: &stub.response, at: body)
            } else if isJSON {
                draft.setBody(json: body, type: type, in: &stub.response, at: body)
            } else {
                draft.setBody(body.string ?? "", type: type, in: &stub.response, at: body)
            }
        } else {
            stub.response[.empty] = true
        }
        draft.setHeaders(fields, in: &stub.response)
        if let text = state(interaction) { stub.comments.append("provider state: \(text)") }
        draft.add(stub)
    }

    private func state(_ interaction: JSONValue) -> String? {
        let names = (interaction["providerStates"]?.array ?? []).compactMap { $0["name"]?.string }
        let text = interaction["providerState"]?.string ?? interaction["provider_state"]?.string
        return text ?? (names.isEmpty ? nil : names.joined(separator: ", "))
    }

    private mutating func path(_ value: JSONValue, _ rules: PactRules, _ condition: inout DraftCondition) -> String? {
        guard let text = value.string, text.hasPrefix("/") else {
            draft.leaveOut("an interaction with the path \(value.text().printable.shortened)", at: value)
            return nil
        }
        guard let pattern = rules.pattern(of: "path", "") else {
            guard rules.hasRule("path", "") else { return StubDraft.literalPath(text) }
            var path = DraftPath()
            path.append(rest: nil)
            return path.text
        }
        return draft.patternPath(pattern, at: value, &condition)
    }

    private mutating func requireQuery(_ request: JSONValue, _ rules: PactRules, _ condition: inout DraftCondition) {
        var items: [(name: String, values: [JSONValue])] = []
        if let text = request["query"]?.string {
            for item in QueryItems(parsing: text).items {
                let value = JSONValue(.string(item.value), at: request["query"]?.position ?? .unknown)
                if let index = items.firstIndex(where: { $0.name.exact == item.name.exact }) {
                    items[index].values.append(value)
                } else {
                    items.append((item.name, [value]))
                }
            }
        }
        for member in request["query"]?.object?.members ?? [] {
            items.append((member.name, member.value.array ?? [member.value]))
        }
        for (name, values) in items {
            guard let first = values.first else { continue }
            if values.count > 1 {
                draft.leaveOut(
                    "all values of the query item \(name.printable.shortened) except the first",
                    at: values[1]
                )
            }
            condition.require(.query, name, rules.matcher(for: first, "query", name))
        }
    }

    /// Fields that clients choose themselves.
    private static let usual: Set<String> = [
        "authorization", "host", "user-agent", "content-length", "connection", "accept-encoding",
    ]

    private func requireHeaders(_ request: JSONValue, _ rules: PactRules, _ condition: inout DraftCondition) {
        for member in request["headers"]?.object?.members ?? [] where !Self.usual.contains(member.name.lowercased()) {
            let value = member.value[0] ?? member.value
            guard value.string != nil else { continue }
            condition.require(.header, member.name, rules.matcher(for: value, "header", member.name))
        }
    }

    private mutating func requireBody(
        _ request: JSONValue,
        _ rules: PactRules,
        _ title: String,
        _ condition: inout DraftCondition
    ) {
        guard let (body, isJSON, _) = body(request["body"], nil) else { return }
        guard isJSON else {
            guard let text = body.string, let root = (try? JSONParser().parse(text))?.root else {
                return draft.leaveOut("the body of \(title), which is not JSON; any body matches", at: body)
            }
            return condition.require(.body, "", .equals(literal: root))
        }
        guard rules.isAbout("body") else { return condition.require(.body, "", .equals(literal: body)) }
        rules.require(body, &condition)
    }

    /// A body, and whether it is JSON and not text: version 4 wraps what earlier ones have plainly.
    private func body(_ value: JSONValue?, _ type: String?) -> (JSONValue, isJSON: Bool, bytes: [UInt8]?)? {
        guard let value, !value.isNull else { return nil }
        guard value["contentType"] != nil, let content = value["content"] else {
            return (value, value.string == nil, nil)
        }
        guard content.string != nil, let encoding = value["encoded"], encoding.bool != false else {
            return (content, content.string == nil, nil)
        }
        return (content, false, content.string.flatMap { Base64.decode($0) })
    }
}

/// The matching rules of a request, of the versions 2 (`$.body.name`) and 3 (`body`, `$.name`).
private struct PactRules {
    /// By part, and by the path in it: `$.name`, or the name of a field.
    private var rules: [String: [String: JSONValue]] = [:]

    init(_ value: JSONValue?) {
        for member in value?.object?.members ?? [] {
            if member.name.hasPrefix("$") {
                let parts = member.name.dropFirst().drop { $0 == "." }
                let part = parts.prefix { $0 != "." && $0 != "[" }
                let rest = parts[part.endIndex...]
                let name = part.hasPrefix("header") ? "header" : String(part)
                let key = name == "body" ? "$\(rest)" : Self.name(rest)
                rules[name, default: [:]][key] = member.value
            } else if member.name == "path" {
                rules["path"] = ["": member.value]
            } else {
                let name = member.name.hasPrefix("header") ? "header" : member.name
                for rule in member.value.object?.members ?? [] {
                    let key = name == "body" ? rule.name : Self.name(rule.name[...])
                    rules[name, default: [:]][key] = rule.value
                }
            }
        }
    }

    /// `page` of `.page`, `['page']` and `page[0]`.
    private static func name(_ path: Substring) -> String {
        let plain = path.drop { $0 == "." }
        guard plain.hasPrefix("['") else { return String(plain.prefix { $0 != "[" }) }
        return String(plain.dropFirst(2).prefix { $0 != "'" })
    }

    func isAbout(_ part: String) -> Bool { rules[part] != nil }

    func hasRule(_ part: String, _ key: String) -> Bool { rules[part]?[key] != nil }

    /// The single matchers of a rule.
    private func matchers(_ part: String, _ key: String) -> [JSONValue]? {
        rules[part]?[key].map { $0["matchers"]?.array ?? [$0] }
    }

    /// The regular expression of a rule.
    func pattern(of part: String, _ key: String) -> String? {
        matchers(part, key)?.lazy.compactMap { $0["regex"]?.string }.first
    }

    /// The matcher for a value of a query or a header field.
    func matcher(for value: JSONValue, _ part: String, _ key: String) -> DraftMatcher {
        let own = rules[part]?.keys.first { $0.lowercased() == key.lowercased() } ?? key
        if let pattern = pattern(of: part, own) { return PathPattern.matches(pattern) }
        return hasRule(part, own) ? [.exists: true] : .equals(literal: value)
    }

    /// Requires a body's leaves, each by its rule or by its value.
    func require(_ body: JSONValue, _ condition: inout DraftCondition) {
        require(body, "$", JSONPointer(), isByType: false, &condition)
    }

    private func require(
        _ value: JSONValue,
        _ path: String,
        _ pointer: JSONPointer,
        isByType: Bool,
        _ condition: inout DraftCondition
    ) {
        let place = pointer.description
        let own = matchers("body", path) ?? matchers("body", Self.bracketed(pointer))
        if let pattern = own?.lazy.compactMap({ $0["regex"]?.string }).first {
            return condition.require(.body, place, PathPattern.matches(pattern))
        }
        let isByType = isByType || own != nil
        if let object = value.object, !object.isEmpty {
            for member in object.members {
                require(
                    member.value,
                    "\(path).\(member.name)",
                    pointer.appending(member.name),
                    isByType: isByType,
                    &condition
                )
            }
        } else if value.array != nil, isByType || isAboutElements(of: path) {
            condition.require(.body, place, [.type: "array"])
        } else if isByType {
            condition.require(.body, place, [.type: .string(value.kindName)])
        } else {
            condition.require(.body, place, .equals(literal: value))
        }
    }

    private func isAboutElements(of path: String) -> Bool {
        rules["body"]?.keys.contains { $0.hasPrefix(path + "[") } ?? false
    }

    /// `$['name']['first']`, as some write a path.
    private static func bracketed(_ pointer: JSONPointer) -> String {
        "$" + pointer.tokens.map { "['\($0)']" }.joined()
    }
}
