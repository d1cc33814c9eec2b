import Basics
import HTTPCodec
package import JSON

// MARK: WireMock

extension StubDraft {
    /// Returns whether a document is one mapping of WireMock, or many.
    package static func isWireMock(_ root: JSONValue) -> Bool {
        root["mappings"] != nil || root["request"] != nil && root["response"] != nil
    }

    /// Reads stub mappings of WireMock: documents of one mapping or of many, which answer together.
    package init(
        wireMock documents: [(root: JSONValue, file: String)],
        bodyFile: @escaping @Sendable (String) -> String?
    ) throws(CaptureProblem) {
        self.init("WireMock", file: documents.first?.file ?? "", bodyFile: bodyFile)
        var count = 0
        for (root, file) in documents where Self.isWireMock(root) {
            self.file = file
            let mappings = root["mappings"].map { $0.array ?? [] } ?? [root]
            count += mappings.count
            for mapping in mappings { readWireMock(mapping) }
        }
        guard !stubs.isEmpty else {
            throw CaptureProblem(
                "none of the \(count) mappings can be imported",
                in: file,
                at: documents.first?.root.position ?? .unknown
            )
        }
    }

    private mutating func readWireMock(_ mapping: JSONValue) {
        guard let request = mapping["request"], let answer = mapping["response"] else {
            return leaveOut("a mapping without \"request\" or \"response\"", at: mapping)
        }
        let method = request["method"]?.string?.uppercased() ?? "ANY"
        var stub = Stub(key: "")
        var query = JSONObject()
        guard let path = wireMockPath(request, &query) else { return }
        stub.key = "\(method == "ANY" ? "*" : method) \(path)"
        stub.priority = mapping["priority"]?.int ?? 5
        for (part, name, known) in [("query", "queryParameters", query), ("header", "headers", JSONObject())] {
            var matchers = known
            for member in request[name]?.object?.members ?? [] {
                guard let made = wireMockMatcher(member.value) else { return }
                matchers[member.name] = made
            }
            if !matchers.isEmpty { stub.condition[part] = .object(matchers) }
        }
        var body = JSONObject()
        for pattern in request["bodyPatterns"]?.array ?? [] {
            guard let (pointer, matcher) = wireMockBody(pattern) else { return }
            body[pointer] = matcher
        }
        if !body.isEmpty { stub.condition["body"] = .object(body) }
        for name in ["cookies", "basicAuthCredentials", "multipartPatterns", "customMatcher", "formParameters"] {
            if let value = request[name] { return leaveOut("a mapping with \"\(name)\"", at: value) }
        }
        guard let response = wireMockResponse(answer) else { return }
        stub.response = response
        if let scenario = mapping["scenarioName"]?.string {
            let name = Self.plainName(scenario)
            func note(_ state: String, _ draft: inout StubDraft) -> String {
                let value = Self.plainName(state)
                draft.states[name, default: [Self.plainName("Started")]].append(value)
                var seen: Set<String> = []
                draft.states[name]?.removeAll { !seen.insert($0).inserted }
                return value
            }
            if let state = mapping["requiredScenarioState"]?.string {
                stub.condition["state"] = [name: .string(note(state, &self))]
            }
            if let state = mapping["newScenarioState"]?.string {
                stub.response["then"] = [["state": [name: .string(note(state, &self))]]]
            }
        }
        add(stub)
    }

    private mutating func wireMockPath(_ request: JSONValue, _ query: inout JSONObject) -> String? {
        if let text = request["url"]?.string ?? request["urlPath"]?.string {
            let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count > 1 {
                for item in QueryItems(parsing: String(parts[1])).items {
                    query[item.name] = ["equals": .string(item.value)]
                }
            }
            return String(parts.first ?? "/")
        }
        if let text = request["urlPathTemplate"]?.string { return text }
        guard let value = request["urlPathPattern"] ?? request["urlPattern"], let text = value.string else {
            return "/*"
        }
        return patternPath(text, at: value)
    }

    /// A path template of a regular expression whose segments are literal or stand for any text.
    mutating func patternPath(_ text: String, at value: JSONValue) -> String? {
        var count = 0
        var segments: [String] = []
        for segment in text.split(separator: "/", omittingEmptySubsequences: false) {
            if segment.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "-_~".utf8.contains($0) }) {
                segments.append(String(segment))
            } else if ["[0-9]+", "\\d+", "[^/]+", ".+", ".*", "([^/]+)", "[a-z0-9-]+", "[a-zA-Z0-9]+", "([0-9]+)"]
                .contains(String(segment))
            {
                count += 1
                segments.append("{part\(count)}")
            } else {
                leaveOut(
                    "a mapping with the path \(text.printable.shortened), which is a regular expression",
                    at: value
                )
                return nil
            }
        }
        leaveOut("the pattern of each part of the path \(text.printable.shortened); every text is taken", at: value)
        return segments.joined(separator: "/")
    }

    private mutating func wireMockMatcher(_ value: JSONValue) -> JSONValue? {
        if let text = value["equalTo"], !(value["caseInsensitive"]?.bool ?? false) { return ["equals": plain(text)] }
        if let text = value["contains"] { return ["contains": plain(text)] }
        if let text = value["matches"]?.string { return ["matches": .string("^(?:\(text))$")] }
        if let text = value["doesNotMatch"]?.string { return ["not": ["matches": .string("^(?:\(text))$")]] }
        if value["absent"]?.bool ?? false { return ["exists": false] }
        leaveOut("a mapping with the matcher \(value.text().printable.shortened)", at: value)
        return nil
    }

    private mutating func wireMockBody(_ pattern: JSONValue) -> (String, JSONValue)? {
        if let expected = pattern["equalToJson"] {
            let root = expected.string.map { (try? JSONParser().parse($0))?.root } ?? expected
            if let root { return ("", ["equals": plain(root)]) }
        }
        if let path = pattern["matchesJsonPath"] {
            let expression = path.string ?? path["expression"]?.string ?? ""
            let names = expression.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            let isPlain =
                names.count > 1 && names[0] == "$"
                && names.dropFirst().allSatisfy { name in
                    !name.isEmpty && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
                }
            if isPlain {
                let pointer = JSONPointer(tokens: Array(names.dropFirst())).description
                if path.string != nil { return (pointer, ["exists": true]) }
                return wireMockMatcher(path).map { (pointer, $0) }
            }
        }
        leaveOut("a mapping with the body pattern \(pattern.text().printable.shortened)", at: pattern)
        return nil
    }

    private mutating func wireMockResponse(_ value: JSONValue) -> JSONObject? {
        if let proxy = value["proxyBaseUrl"] {
            leaveOut("a mapping that forwards to another server", at: proxy)
            return nil
        }
        var response = JSONObject()
        response["status"] = Self.status(value["status"])
        if let json = value["jsonBody"] {
            response["json"] = plain(json)
        } else if let text = value["body"]?.string {
            setBody(text, in: &response, at: value["body"] ?? value)
        } else if let name = value["bodyFileName"], let text = name.string.flatMap(bodyFile) {
            setBody(text, in: &response, at: name)
        } else {
            for name in ["base64Body", "bodyFileName"] where value[name] != nil {
                leaveOut("the body in \"\(name)\"; put it into a fixture", at: value[name] ?? value)
            }
            response["empty"] = true
        }
        setHeaders(value["headers"]?.object?.members.map { ($0.name, $0.value) } ?? [], in: &response)
        if let delay = value["fixedDelayMilliseconds"]?.int, delay > 0 { response["latency"] = .string("\(delay)ms") }
        if let delay = value["delayDistribution"] {
            if delay["type"] == "uniform", let lower = delay["lower"]?.int, let upper = delay["upper"]?.int {
                response["latency"] = ["uniform": [.string("\(lower)ms"), .string("\(upper)ms")]]
            } else if let median = delay["median"]?.int, let sigma = delay["sigma"] {
                response["latency"] = ["logNormal": ["median": .string("\(median)ms"), "sigma": sigma]]
            }
        }
        let faults = [
            "CONNECTION_RESET_BY_PEER": "reset", "EMPTY_RESPONSE": "empty",
            "MALFORMED_RESPONSE_CHUNK": "malformedChunk",
            "RANDOM_DATA_THEN_CLOSE": "garbage",
        ]
        if let fault = value["fault"]?.string.flatMap({ faults[$0] }) { response["fault"] = .string(fault) }
        return response
    }
}

// MARK: Postman

extension StubDraft {
    private static let deepest = 32

    /// Reads a collection of Postman 2.1: the examples that are saved with its requests.
    init(postman root: JSONValue, file: String) throws(CaptureProblem) {
        self.init(root["info"]?["name"]?.string ?? "Postman", file: file)
        if let auth = root["auth"] { leaveOut("\"auth\": describe the tokens under \"tokens\"", at: auth) }
        for item in root["item"]?.array ?? [] { readPostman(item, depth: 0) }
        guard !stubs.isEmpty else {
            throw CaptureProblem(
                "the collection has no request with a saved example, so no response is known",
                in: file,
                at: root.position,
                advice: "save a response as an example in Postman, and export the collection as v2.1"
            )
        }
    }

    private mutating func readPostman(_ item: JSONValue, depth: Int) {
        guard depth < Self.deepest else { return leaveOut("folders more than \(Self.deepest) deep", at: item) }
        for child in item["item"]?.array ?? [] { readPostman(child, depth: depth + 1) }
        guard let request = item["request"] else { return }
        let title = item["name"]?.string?.printable ?? "a request"
        guard let path = Self.postmanPath(request["url"] ?? request) else {
            return leaveOut("\(title), whose URL has no path", at: request)
        }
        let key = "\(request["method"]?.string?.uppercased() ?? "GET") \(path)"
        let examples = item["response"]?.array ?? []
        if examples.isEmpty { leaveOut("\(title), which has no saved example", at: item) }
        for example in examples {
            var stub = Stub(key: key)
            let asked = example["originalRequest"].flatMap { $0["url"]?["query"]?.array } ?? []
            let own = request["url"]?["query"]?.array ?? []
            if asked != own {
                let pairs = asked.compactMap { item -> (String, JSONValue)? in
                    guard let name = item["key"]?.string, !(item["disabled"]?.bool ?? false) else { return nil }
                    return (name, ["equals": .string(item["value"]?.string ?? "")])
                }
                if !pairs.isEmpty { stub.condition["query"] = .object(JSONObject(pairs)) }
            }
            let isTaken = stubs.contains { $0.key == key && $0.condition == stub.condition }
            guard !isTaken else {
                leaveOut(
                    "the example \(example["name"]?.string?.printable ?? "") of \(title): nothing in its request distinguishes it",
                    at: example
                )
                continue
            }
            stub.response["status"] = Self.status(example["code"])
            setBody(example["body"]?.string ?? "", in: &stub.response, at: example["body"] ?? example)
            setHeaders(Self.fields(example["header"]), in: &stub.response)
            add(stub)
        }
    }

    private static func postmanPath(_ url: JSONValue) -> String? {
        if let segments = url["path"]?.array {
            return template("/" + segments.compactMap(\.string).joined(separator: "/"))
        }
        guard let text = url["raw"]?.string ?? url.string else { return nil }
        // A variable stands for scheme and host: {{baseUrl}}/notes.
        let rest =
            text.hasPrefix("{{")
            ? String(text[(text.firstIndex(of: "/") ?? text.endIndex)...]) : CapturedURL(text)?.target
        return rest.map { template(String($0.prefix { $0 != "?" })) }
    }
}

// MARK: Mockoon

extension StubDraft {
    /// Reads an environment of Mockoon.
    init(mockoon root: JSONValue, file: String) throws(CaptureProblem) {
        self.init(root["name"]?.string ?? "Mockoon", file: file)
        let prefix = root["endpointPrefix"]?.string ?? ""
        for route in root["routes"]?.array ?? [] { readMockoon(route, prefix) }
        for name in ["proxyMode", "tlsOptions"] where root[name]?.bool ?? root[name]?["enabled"]?.bool ?? false {
            leaveOut("\"\(name)\"", at: root[name] ?? root)
        }
        if let data = root["data"], !(data.array?.isEmpty ?? true) {
            leaveOut("data buckets; use \"collections\"", at: data)
        }
        guard !stubs.isEmpty else {
            throw CaptureProblem("the environment has no route that can be imported", in: file, at: root.position)
        }
    }

    private mutating func readMockoon(_ route: JSONValue, _ prefix: String) {
        let endpoint = route["endpoint"]?.string ?? ""
        if let type = route["type"]?.string, type != "http" {
            return leaveOut("\(endpoint.printable), a route of the type \(type.printable)", at: route)
        }
        if endpoint.utf8.contains(where: { "()[]+?".utf8.contains($0) }) {
            return leaveOut("\(endpoint.printable), whose path is a regular expression", at: route)
        }
        let path = Self.template([prefix, endpoint].filter { !$0.isEmpty }.joined(separator: "/"))
        let method = route["method"]?.string?.uppercased() ?? "GET"
        let key = "\(method == "ALL" || method.isEmpty ? "*" : method) \(path)"
        let responses = route["responses"]?.array ?? []
        if route["responseMode"] == "SEQUENTIAL" {
            // One a request, whatever their rules, and then from the first again.
            var list: [JSONValue] = []
            for answer in responses { list.append(.object(mockoonResponse(answer))) }
            guard !list.isEmpty else { return leaveOut("\(key), which has no response", at: route) }
            add(Stub(key: key, response: ["responses": .array(list), "afterLast": "loop"]))
            return
        }
        if let mode = route["responseMode"]?.string {
            leaveOut("the response mode \(mode.printable) of \(key)", at: route)
        }
        let own = responses.firstIndex { $0["default"]?.bool ?? false } ?? 0
        for (index, answer) in responses.enumerated() {
            var stub = Stub(key: key)
            if index != own {
                guard let condition = mockoonCondition(answer) else { continue }
                stub.condition = condition
            }
            stub.response = mockoonResponse(answer)
            add(stub)
        }
    }

    private mutating func mockoonResponse(_ answer: JSONValue) -> JSONObject {
        var response = JSONObject()
        response["status"] = Self.status(answer["statusCode"])
        if let file = answer["filePath"]?.string, !file.isEmpty {
            leaveOut("the body in the file \(file.printable); put it into a fixture", at: answer)
            response["empty"] = true
        } else {
            setBody(answer["body"]?.string ?? "", in: &response, at: answer["body"] ?? answer)
        }
        setHeaders(Self.fields(answer["headers"]), in: &response)
        if let latency = answer["latency"]?.int, latency > 0 { response["latency"] = .string("\(latency)ms") }
        return response
    }

    private mutating func mockoonCondition(_ answer: JSONValue) -> JSONObject? {
        let rules = answer["rules"]?.array ?? []
        guard !rules.isEmpty else {
            leaveOut("a response without a rule, which is never the default", at: answer)
            return nil
        }
        var conditions: [JSONValue] = []
        for rule in rules {
            guard let condition = Self.mockoonRule(rule) else {
                leaveOut("a response with the rule \(rule.text().printable.shortened)", at: rule)
                return nil
            }
            conditions.append(.object(condition))
        }
        if conditions.count == 1 { return conditions[0].object }
        return [answer["rulesOperator"] == "AND" ? "all" : "any": .array(conditions)]
    }

    private static func mockoonRule(_ rule: JSONValue) -> JSONObject? {
        let value = rule["value"]?.string ?? ""
        let name = rule["modifier"]?.string ?? ""
        var matcher: JSONValue
        switch rule["operator"]?.string ?? "equals" {
        case "equals": matcher = ["equals": .string(value)]
        case "regex": matcher = ["matches": .string(value)]
        case "null": matcher = ["exists": false]
        default: return nil
        }
        if rule["invert"]?.bool ?? false { matcher = ["not": matcher] }
        guard !name.isEmpty else { return nil }
        switch rule["target"]?.string {
        case "query": return ["query": [name: matcher]]
        case "header": return ["header": [name: matcher]]
        case "params": return ["path": [name: matcher]]
        case "body":
            guard !name.contains("["), !name.contains("$") else { return nil }
            return ["body": [JSONPointer(tokens: name.split(separator: ".").map(String.init)).description: matcher]]
        default: return nil
        }
    }
}
