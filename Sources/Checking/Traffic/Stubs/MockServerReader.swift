import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Reads expectations of MockServer.
struct MockServerReader {
    private(set) var draft: StubDraft

    /// Reads expectations of MockServer: one, or an array of them.
    init(_ root: JSONValue, file: String) throws(CaptureProblem) {
        draft = StubDraft("MockServer", file: file)
        draft.begin(root, of: file)
        draft.order = .first
        for expectation in root.array ?? [root] {
            draft.drop()
            read(expectation)
        }
        guard !draft.stubs.isEmpty else {
            throw draft.nothing("no expectation can be imported", at: root.position)
        }
    }

    private mutating func read(_ expectation: JSONValue) {
        guard let request = expectation["httpRequest"], request.object != nil, request["specUrlOrPayload"] == nil else {
            return draft.leaveOut("an expectation without \"httpRequest\"", at: expectation)
        }
        let answer = expectation["httpResponse"]
        let isDropped = expectation["httpError"]?["dropConnection"]?.bool ?? false
        guard answer != nil || isDropped else {
            return draft.leaveOut("an expectation with a forward, a callback or a template", at: expectation)
        }
        var stub = StubDraft.Stub(
            method: "*",
            path: "/*",
            priority: -(expectation["priority"]?.int.map { min(max($0, -1_000_000), 1_000_000) } ?? 0),
            position: expectation.position
        )
        guard readMethod(request["method"], into: &stub), readPath(request, into: &stub) else {
            return
        }
        for (member, part) in [("queryStringParameters", .query), ("headers", .header), ("cookies", .cookie)]
            as [(String, DraftKeys.Condition)]
        {
            for (name, values) in Self.namedValues(request[member]) {
                readValue(name, values, part, into: &stub.condition)
            }
        }
        for (name, values) in Self.namedValues(request["pathParameters"]) {
            readValue(DraftText.name(name), values, .path, into: &stub.condition)
        }
        if let body = request["body"] {
            guard readBody(body, into: &stub.condition) else {
                return draft.leaveOut("an expectation with the body \(body.text().printable.shortened)", at: body)
            }
        }
        for name in ["keepAlive", "secure", "socketAddress", "protocol"] {
            if let value = request[name] {
                draft.leaveOut("the condition \"\(name)\" of \(stub.key.printable)", at: value)
            }
        }
        if let times = expectation["times"], times["unlimited"]?.bool != true, times["remainingTimes"] != nil {
            draft.leaveOut(
                "\"times\" of \(stub.key.printable); the route always responds; list successive responses in \"responses\"",
                at: times
            )
        }
        if let life = expectation["timeToLive"], life["unlimited"]?.bool != true {
            draft.leaveOut("\"timeToLive\" of \(stub.key.printable); the route always responds", at: life)
        }
        stub.response = answer.map { response($0) } ?? [.fault: "empty"]
        draft.add(stub)
    }

    private mutating func readMethod(_ value: JSONValue?, into stub: inout StubDraft.Stub) -> Bool {
        guard let value else { return true }
        guard let text = value.string ?? value["value"]?.string else { return true }
        let isNegated = text.hasPrefix("!") || value["not"]?.bool ?? false
        let name = text.hasPrefix("!") ? String(text.dropFirst()) : text
        guard isNegated || Self.isPattern(name) else {
            if !name.isEmpty { stub.method = name.uppercased() }
            return true
        }
        let matcher = PathPattern.matches(name)
        let condition: DraftMatcher = isNegated ? .not(matcher) : matcher
        stub.condition.add([.method: condition.json])
        return true
    }

    private mutating func readPath(_ request: JSONValue, into stub: inout StubDraft.Stub) -> Bool {
        guard let value = request["path"], !value.isNull else { return true }
        guard let text = value.string ?? value["value"]?.string else {
            draft.leaveOut("the path \(value.text().printable.shortened); any path matches", at: value)
            return true
        }
        guard !text.isEmpty else { return true }
        if text.hasPrefix("!") || value["not"]?.bool ?? false {
            var pattern = text.hasPrefix("!") ? text.dropFirst() : text[...]
            if pattern.hasPrefix("/") { pattern = pattern.dropFirst() }
            stub.path = "/*rest"
            stub.condition.require(.path, "rest", .not(PathPattern.matches(String(pattern))))
            return true
        }
        if text.contains("{"), !Self.isPattern(text) {
            guard let path = draft.template(text, at: value, &stub.condition) else { return false }
            stub.path = path
            return true
        }
        guard Self.isPattern(text) else {
            stub.path = StubDraft.literalPath(text)
            return true
        }
        // "/*" is meant as a path and not as an expression.
        guard text != "/*", text != "*" else { return true }
        guard let path = draft.patternPath(text, at: value, &stub.condition) else { return false }
        stub.path = path
        return true
    }

    /// Returns whether a value of MockServer is more than a text: each is a regular expression.
    private static func isPattern(_ text: String) -> Bool {
        text.utf8.contains { "()[]+*?\\^$|".utf8.contains($0) }
    }

    /// Requires one of the values of a name; `!` in front of a name or a value negates it, `?` makes a name optional.
    private mutating func readValue(
        _ name: String,
        _ values: [JSONValue],
        _ part: DraftKeys.Condition,
        into condition: inout DraftCondition
    ) {
        var name = name
        let isNegated = name.hasPrefix("!")
        let isOptional = name.hasPrefix("?")
        if isNegated || isOptional { name.removeFirst() }
        guard !Self.isPattern(name) else {
            return draft.leaveOut(
                "the condition on names that match \(name.printable.shortened)",
                at: values.first ?? .null
            )
        }
        var matchers: [DraftMatcher] = []
        for value in values {
            guard let text = value.string ?? value["value"]?.string ?? value.number?.text else {
                return draft.leaveOut("the schema condition on \(name.printable.shortened)", at: value)
            }
            let isNot = text.hasPrefix("!") || value["not"]?.bool ?? false
            let plain = text.hasPrefix("!") ? String(text.dropFirst()) : text
            let matcher = Self.isPattern(plain) ? PathPattern.matches(plain) : .equals(literal: plain)
            matchers.append(isNot ? .not(matcher) : matcher)
        }
        if matchers.isEmpty { matchers = [[.exists: true]] }
        if matchers.count > 1 {
            draft.leaveOut(
                "all values of \(name.printable.shortened) except the first; only the first is compared",
                at: values[1]
            )
        }
        let matcher = isNegated ? .not(matchers[0]) : matchers[0]
        guard isOptional else { return condition.require(part, name, matcher) }
        condition.add(.any([DraftCondition(part, name, [.exists: false]), DraftCondition(part, name, matcher)]))
    }

    private mutating func readBody(_ body: JSONValue, into condition: inout DraftCondition) -> Bool {
        let type = body["type"]?.string
        if body["not"]?.bool ?? false { return false }
        switch type {
        case nil, "JSON":
            let json = type == nil ? body["json"] ?? body : body["json"]
            guard let json else { return false }
            let root = json.string.flatMap { (try? JSONParser().parse($0))?.root } ?? json
            guard root.object != nil || root.array != nil || type == "JSON" else { return false }
            require(root, isStrict: body["matchType"] == "STRICT", &condition)
            return true
        case "JSON_PATH":
            guard let path = body["jsonPath"]?.string else { return false }
            let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard names.count > 1, names[0] == "$", names.dropFirst().allSatisfy(StubDraft.isPlainName) else {
                return false
            }
            condition.require(.body, JSONPointer(tokens: Array(names.dropFirst())).description, [.exists: true])
            return true
        case "PARAMETERS":
            for (name, values) in Self.namedValues(body["parameters"]) {
                readValue(name, values, .form, into: &condition)
            }
            return true
        case "STRING":
            guard let text = body["string"]?.string, let root = (try? JSONParser().parse(text))?.root,
                root.object != nil || root.array != nil
            else { return false }
            require(root, isStrict: true, &condition)
            return true
        default: return false
        }
    }

    /// Requires a body, or with a lenient match at least its members.
    private func require(_ root: JSONValue, isStrict: Bool, _ condition: inout DraftCondition) {
        func require(_ value: JSONValue, _ pointer: JSONPointer) {
            guard let object = value.object, !object.isEmpty, !isStrict else {
                return condition.require(.body, pointer.description, .equals(literal: value))
            }
            for member in object.members { require(member.value, pointer.appending(member.name)) }
        }
        require(root, JSONPointer())
    }

    /// The types of bodies that are not the JSON that they are written as.
    private static let bodyTypes: Set<String> = [
        "BINARY", "FILE", "JSON", "PARAMETERS", "REGEX", "STRING", "XML", "XPATH",
    ]

    private mutating func response(_ value: JSONValue) -> DraftRoute {
        var response = DraftRoute()
        let fields = Self.namedValues(value["headers"])
        let type = StubDraft.type(fields)
        response[.status] = draft.status(value["statusCode"])
        if let body = value["body"], !body.isNull {
            if let text = (body["json"] ?? body["string"] ?? body).string {
                draft.setBody(text, type: type ?? body["contentType"]?.string, in: &response, at: body)
            } else if let encoded = body["base64Bytes"]?.string, let bytes = Base64.decode(encoded) {
                draft.setBody(bytes: bytes, type: type ?? body["contentType"]?.string, in: &response, at: body)
            } else if let type = body["type"]?.string, Self.bodyTypes.contains(type), body["json"] == nil {
                draft.leaveOut("a body with the type \(type)", at: body)
                response[.empty] = true
            } else {
                draft.setBody(json: body["json"] ?? body, type: type, in: &response, at: body)
            }
        } else {
            response[.empty] = true
        }
        var pairs = fields
        if type == nil, let type = value["body"]?["contentType"] { pairs.append(("Content-Type", [type])) }
        for (name, values) in Self.namedValues(value["cookies"]) {
            pairs.append(("Set-Cookie", values.map { .string("\(name)=\($0.string ?? "")") }))
        }
        draft.setHeaders(pairs, in: &response)
        if let delay = value["delay"] {
            let units = ["MILLISECONDS": "ms", "SECONDS": "s", "MINUTES": "m", "HOURS": "h"]
            let unit = delay["timeUnit"]?.string ?? "MILLISECONDS"
            if let unit = units[unit] {
                response[.latency] = draft.latency(delay["value"], unit: unit)
            } else {
                draft.leaveOut("the delay \(delay.text().printable.shortened)", at: delay)
            }
        }
        if value["connectionOptions"]?["closeSocket"]?.bool ?? false {
            draft.leaveOut("\"closeSocket\"", at: value["connectionOptions"] ?? value)
        }
        return response
    }

    /// Names with their values: an object of values or arrays, or an array of `{"name": …, "values": […]}`.
    private static func namedValues(_ value: JSONValue?) -> [(String, [JSONValue])] {
        if let members = value?.object?.members {
            return members.filter { $0.name != "keyMatchStyle" }.map { ($0.name, $0.value.array ?? [$0.value]) }
        }
        return (value?.array ?? []).compactMap { item in
            guard let name = item["name"]?.string else { return nil }
            return (name, item["values"]?.array ?? item["value"].map { [$0] } ?? [])
        }
    }
}
