import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Reads stub mappings of WireMock.
struct WireMockReader {
    private(set) var draft: StubDraft
    /// The names of states, by those of WireMock's scenarios.
    private var stateNames: [String: String] = [:]

    /// Returns whether a document is one mapping of WireMock, or many.
    static func reads(_ root: JSONValue) -> Bool {
        root["mappings"]?.array != nil || root["request"] != nil && root["response"] != nil
    }

    /// Reads stub mappings of WireMock: documents of one mapping or of many, which answer together.
    init(
        _ documents: [(root: JSONValue, file: String)],
        bodyFile: @escaping @Sendable (String) -> [UInt8]?
    ) throws(CaptureProblem) {
        draft = StubDraft("WireMock", file: documents.first?.file ?? "", bodyFile: bodyFile)
        draft.order = .last
        var count = 0
        for (root, file) in documents where Self.reads(root) {
            draft.begin(root, of: file)
            var mappings = root["mappings"].map { $0.array ?? [] } ?? [root]
            // The admin API lists the newest one first; files are read in their order, and the newest one responds.
            if root["meta"] != nil { mappings.reverse() }
            count += mappings.count
            for mapping in mappings {
                draft.drop()
                read(mapping)
            }
        }
        guard !draft.stubs.isEmpty else {
            throw draft.nothing(
                "found no mapping that can be imported among \(plural(count, "mapping"))",
                at: documents.first?.root.position ?? .unknown
            )
        }
    }

    private mutating func read(_ mapping: JSONValue) {
        guard let request = mapping["request"], let answer = mapping["response"] else {
            return draft.leaveOut("a mapping without \"request\" or \"response\"", at: mapping)
        }
        var stub = StubDraft.Stub(method: "*", path: "", position: mapping.position)
        stub.priority = mapping["priority"]?.int ?? 5
        guard readMethod(request["method"], into: &stub),
            let path = path(request, &stub.condition),
            readConditions(request, into: &stub.condition),
            let response = response(answer)
        else { return }
        stub.path = path
        stub.response = response
        readScenario(mapping, into: &stub)
        for name in ["postServeActions", "serveEventListeners"] {
            if let actions = mapping[name], !(actions.array?.isEmpty ?? actions.object?.isEmpty ?? true) {
                draft.leaveOut("\"\(name)\" of a mapping", at: actions)
            }
        }
        draft.add(stub)
    }

    private mutating func readMethod(_ value: JSONValue?, into stub: inout StubDraft.Stub) -> Bool {
        guard let value else { return true }
        if let method = value.string?.uppercased() {
            switch method {
            case "ANY", "": break
            case "GET_OR_HEAD": stub.method = "GET"
            default: stub.method = method
            }
            return true
        }
        if let methods = (value["oneOf"] ?? value["or"])?.array {
            stub.condition.add([.method: .matcher([.oneOf: .array(methods)])])
            return true
        }
        draft.leaveOut("a mapping with the method \(value.text().printable.shortened)", at: value)
        return false
    }

    private mutating func readScenario(_ mapping: JSONValue, into stub: inout StubDraft.Stub) {
        guard let scenario = mapping["scenarioName"]?.string else { return }
        let name = DraftText.name(scenario, in: &stateNames)
        func note(_ state: String, _ draft: inout StubDraft) -> String {
            let value = DraftText.name(state)
            var values = draft.states[name] ?? ["Started"]
            if !values.contains(value.exact) { values.append(value) }
            draft.states[name] = values
            return value
        }
        if let state = mapping["requiredScenarioState"]?.string {
            stub.condition.require(.state, name, value: .string(note(state, &draft)))
        }
        if let state = mapping["newScenarioState"]?.string {
            stub.response[.then] = [.event([.state: [name: .string(note(state, &draft))]])]
        }
    }

    // MARK: Paths

    private mutating func path(_ request: JSONValue, _ condition: inout DraftCondition) -> String? {
        if let value = request["url"] ?? request["urlPath"], let text = value.string {
            let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count > 1 {
                for item in QueryItems(parsing: parts[1]).items {
                    condition.require(.query, item.name, .equals(literal: item.value))
                }
            }
            guard parts[0].hasPrefix("/") else {
                draft.leaveOut(
                    "a mapping with the URL \(text.printable.shortened), which does not begin with \"/\"",
                    at: value
                )
                return nil
            }
            return StubDraft.literalPath(parts[0])
        }
        if let value = request["urlPathTemplate"], let text = value.string {
            guard let path = draft.template(text, at: value, &condition) else { return nil }
            for member in request["pathParameters"]?.object?.members ?? [] {
                guard require(.path, DraftText.name(member.name), member.value, &condition) else { return nil }
            }
            return path
        }
        guard let value = request["urlPathPattern"] ?? request["urlPattern"], let text = value.string else {
            return "/*"
        }
        return draft.patternPath(text, at: value, &condition)
    }

    // MARK: Conditions

    private mutating func readConditions(_ request: JSONValue, into condition: inout DraftCondition) -> Bool {
        for (part, name) in [
            (.query, "queryParameters"), (.header, "headers"), (.cookie, "cookies"), (.form, "formParameters"),
        ] as [(DraftKeys.Condition, String)] {
            for member in request[name]?.object?.members ?? [] {
                guard require(part, member.name, member.value, &condition) else { return false }
            }
        }
        if let credentials = request["basicAuth"] ?? request["basicAuthCredentials"] {
            let basic: DraftCondition = [
                .user: (credentials["username"]?.string).map { .string(DraftText.literal($0)) },
                .password: (credentials["password"]?.string).map { .string(DraftText.literal($0)) },
            ]
            condition.add([.basic: basic.json])
        }
        for pattern in request["bodyPatterns"]?.array ?? [] {
            guard require(body: pattern, &condition) else { return false }
        }
        for name in ["multipartPatterns", "customMatcher"] {
            if let value = request[name] {
                draft.leaveOut("a mapping with \"\(name)\"", at: value)
                return false
            }
        }
        for name in ["host", "port", "scheme", "clientIp"] {
            if let value = request[name] { draft.leaveOut("the condition \"\(name)\"; any value matches", at: value) }
        }
        return true
    }

    /// Requires what a matcher of WireMock requires.
    ///
    /// - Returns: `false` where it cannot be said, which is noted.
    private mutating func require(
        _ part: DraftKeys.Condition,
        _ name: String,
        _ value: JSONValue,
        _ condition: inout DraftCondition
    ) -> Bool {
        for (word, all) in [("and", true), ("or", false)] {
            guard let parts = value[word]?.array, !parts.isEmpty else { continue }
            var conditions: [DraftCondition] = []
            for inner in parts {
                var own = DraftCondition()
                guard require(part, name, inner, &own) else { return false }
                conditions.append(own)
            }
            condition.add(all ? .all(conditions) : .any(conditions))
            return true
        }
        if let inner = value["not"] {
            var own = DraftCondition()
            guard require(part, name, inner, &own) else { return false }
            condition.add([.not: own.json])
            return true
        }
        for word in ["includes", "hasExactly"] {
            guard let parts = value[word]?.array, parts.count == 1 else { continue }
            return require(part, name, parts[0], &condition)
        }
        guard let matcher = matcher(value) else { return false }
        condition.require(part, name, matcher)
        return true
    }

    private mutating func matcher(_ value: JSONValue) -> DraftMatcher? {
        let isInsensitive = value["caseInsensitive"]?.bool ?? false
        if let expected = value["equalTo"] {
            guard let text = expected.string else { return .equals(literal: expected) }
            return isInsensitive ? PathPattern.insensitively(text) : .equals(literal: text)
        }
        if let text = value["contains"]?.string { return [.contains: .string(DraftText.literal(text))] }
        if let text = value["doesNotContain"]?.string { return .not([.contains: .string(DraftText.literal(text))]) }
        if let text = value["matches"]?.string { return PathPattern.matches(text) }
        if let text = value["doesNotMatch"]?.string { return .not(PathPattern.matches(text)) }
        if value["absent"]?.bool ?? false { return [.exists: false] }
        if let number = value["equalToNumber"], number.number != nil { return [.equals: number] }
        draft.leaveOut("a mapping with the matcher \(value.text().printable.shortened)", at: value)
        return nil
    }

    private mutating func require(body pattern: JSONValue, _ condition: inout DraftCondition) -> Bool {
        if let expected = pattern["equalToJson"] ?? pattern["equalTo"] {
            let root = expected.string.map { (try? JSONParser().parse($0))?.root } ?? expected
            if let root, pattern["equalToJson"] != nil || root.object != nil || root.array != nil {
                let ignoresElements = pattern["ignoreExtraElements"]?.bool ?? false
                let ignoresOrder = pattern["ignoreArrayOrder"]?.bool ?? false
                guard ignoresElements || ignoresOrder || root.text().contains("${json-unit") else {
                    condition.require(.body, "", .equals(literal: root))
                    return true
                }
                require(root, at: JSONPointer(), ignoresElements, ignoresOrder, &condition)
                if !ignoresElements {
                    draft.assume("a body with additional members also matches", at: expected)
                }
                return true
            }
        }
        if let path = pattern["matchesJsonPath"], require(jsonPath: path, &condition) { return true }
        draft.leaveOut("a mapping with the body pattern \(pattern.text().printable.shortened)", at: pattern)
        return false
    }

    /// Requires the leaves of a JSON body one by one.
    private func require(
        _ value: JSONValue,
        at pointer: JSONPointer,
        _ ignoresElements: Bool,
        _ ignoresOrder: Bool,
        _ condition: inout DraftCondition
    ) {
        let place = pointer.description
        if let object = value.object, !object.isEmpty {
            for member in object.members {
                require(member.value, at: pointer.appending(member.name), ignoresElements, ignoresOrder, &condition)
            }
        } else if let elements = value.array, ignoresOrder || ignoresElements, !elements.isEmpty {
            if !ignoresElements { condition.require(.body, place, [.length: .number(elements.count)]) }
            for (index, element) in elements.enumerated() {
                if ignoresOrder {
                    condition.require(.body, place, [.contains: DraftText.literal(element)])
                } else {
                    require(element, at: pointer.appending(index), ignoresElements, ignoresOrder, &condition)
                }
            }
        } else if let text = value.string, text.hasPrefix("${json-unit.") {
            condition.require(.body, place, Self.jsonUnit(text))
        } else {
            condition.require(.body, place, .equals(literal: value))
        }
    }

    private static func jsonUnit(_ text: String) -> DraftMatcher {
        for (word, type) in [("any-string", "string"), ("any-number", "number"), ("any-boolean", "boolean")]
        where text.contains(word) { return [.type: .string(type)] }
        if let end = text.firstRange(of: "regex}") { return PathPattern.matches(String(text[end.upperBound...])) }
        return [.exists: true]
    }

    /// Requires what a path of plain names, perhaps with one filter at its end, selects.
    private mutating func require(jsonPath path: JSONValue, _ condition: inout DraftCondition) -> Bool {
        let expression = path.string ?? path["expression"]?.string ?? ""
        var plain = expression[...]
        var filter: (name: String, value: JSONValue)?
        if expression.hasSuffix(")]"), let start = expression.firstRange(of: "[?(@.") {
            let inner = expression[start.upperBound...].dropLast(2)
            let sides = inner.split(separator: "==", maxSplits: 1).map { Self.trimmedText($0) }
            guard sides.count == 2, StubDraft.isPlainName(sides[0]), let value = Self.literal(sides[1]) else {
                return false
            }
            filter = (sides[0], value)
            plain = expression[..<start.lowerBound]
        }
        let names = plain.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.first == "$", names.dropFirst().allSatisfy(StubDraft.isPlainName) else { return false }
        let pointer = JSONPointer(tokens: Array(names.dropFirst()))
        if let filter {
            guard path.string != nil else { return false }
            let single = JSONPointer(tokens: pointer.tokens + [filter.name]).description
            let element = DraftText.literal(.object([filter.name: filter.value]))
            condition.add(
                .any([
                    DraftCondition(.body, pointer.description, [.contains: element]),
                    DraftCondition(.body, single, .equals(literal: filter.value)),
                ])
            )
            return true
        }
        guard !pointer.tokens.isEmpty else { return false }
        if path.string != nil {
            condition.require(.body, pointer.description, [.exists: true])
            return true
        }
        var matcher = path
        if var object = path.object {
            object.removeMember(named: "expression")
            matcher = JSONValue(.object(object), at: path.position)
        }
        // The value of a path is compared as text.
        if let text = matcher["equalTo"]?.string, matcher["caseInsensitive"]?.bool != true {
            condition.require(.body, pointer.description, StubDraft.equalsAsText(text))
            return true
        }
        if let expected = matcher["equalToJson"] {
            let root = expected.string.map { (try? JSONParser().parse($0))?.root } ?? expected
            guard let root else { return false }
            condition.require(.body, pointer.description, .equals(literal: root))
            return true
        }
        return require(.body, pointer.description, matcher, &condition)
    }

    private static func trimmedText(_ text: Substring) -> String {
        text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }

    /// A literal of JSONPath.
    static func literal(_ text: String) -> JSONValue? {
        if text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") {
            return .string(String(text.dropFirst().dropLast()))
        }
        return (try? JSONParser().parse(text))?.root
    }

    // MARK: Responses

    private mutating func response(_ value: JSONValue) -> DraftRoute? {
        if let proxy = value["proxyBaseUrl"] {
            draft.leaveOut("a mapping that forwards to another server", at: proxy)
            return nil
        }
        var response: DraftRoute = [.status: draft.status(value["status"])]
        let fields = (value["headers"]?.object?.members ?? []).map { ($0.name, $0.value.array ?? [$0.value]) }
        let type = StubDraft.type(fields)
        if let json = value["jsonBody"] {
            draft.setBody(json: json, type: type, in: &response, at: json)
        } else if let body = value["body"], let text = body.string {
            draft.setBody(text, type: type, in: &response, at: body)
        } else if let name = value["bodyFileName"], let bytes = name.string.flatMap(draft.bodyFile) {
            draft.setBody(bytes: bytes, type: type, in: &response, at: name)
        } else if let encoded = value["base64Body"], let bytes = encoded.string.flatMap({ Base64.decode($0) }) {
            draft.setBody(bytes: bytes, type: type, in: &response, at: encoded)
        } else {
            for name in ["base64Body", "bodyFileName"] where value[name] != nil {
                draft.leaveOut("the body in \"\(name)\"; move it to a fixture", at: value[name] ?? value)
            }
            response[.empty] = true
        }
        let hasTemplates = (value["transformers"]?.array ?? []).contains("response-template")
        if hasTemplates { draft.noteTemplate(in: value.text(), at: value) }
        draft.setHeaders(fields, in: &response)
        if let message = value["statusMessage"] {
            draft.leaveOut("the status message \(message.text().printable.shortened)", at: message)
        }
        response[.latency] = draft.latency(value["fixedDelayMilliseconds"])
        readDelay(value, into: &response)
        let faults = [
            "CONNECTION_RESET_BY_PEER": "reset", "EMPTY_RESPONSE": "empty",
            "MALFORMED_RESPONSE_CHUNK": "malformedChunk", "RANDOM_DATA_THEN_CLOSE": "garbage",
        ]
        if let fault = value["fault"]?.string.flatMap({ faults[$0] }) { response[.fault] = .string(fault) }
        return response
    }

    private mutating func readDelay(_ value: JSONValue, into response: inout DraftRoute) {
        if let delay = value["delayDistribution"] {
            if delay["type"] == "fixed" {
                response[.latency] = draft.latency(delay["milliseconds"])
            } else if delay["type"] == "uniform", let lower = delay["lower"]?.int, let upper = delay["upper"]?.int,
                0...upper ~= lower, upper <= 86_400_000
            {
                response[.latency] = .delivery([.uniform: [.string("\(lower)ms"), .string("\(upper)ms")]])
            } else if let median = delay["median"]?.int, let sigma = delay["sigma"], 1...86_400_000 ~= median {
                response[.latency] = .delivery([
                    .logNormal: .delivery([.median: .string("\(median)ms"), .sigma: sigma])
                ])
            } else {
                draft.leaveOut("the delay \(delay.text().printable.shortened)", at: delay)
            }
        }
        if let dribble = value["chunkedDribbleDelay"] {
            if let chunks = dribble["numberOfChunks"]?.int, let over = draft.latency(dribble["totalDuration"]),
                chunks > 0
            {
                response[.dribble] = .delivery([.chunks: .number(chunks), .over: over])
            } else {
                draft.leaveOut("the delay \(dribble.text().printable.shortened)", at: dribble)
            }
        }
    }
}
