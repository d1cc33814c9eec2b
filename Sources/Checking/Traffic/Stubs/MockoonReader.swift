import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Reads an environment of Mockoon.
struct MockoonReader {
    private(set) var draft: StubDraft
    private let prefix: String
    /// Data buckets by id.
    private var buckets: [String: JSONValue] = [:]
    /// The paths, by method, that an earlier route takes.
    private var taken: [(method: String, template: PathTemplate)] = []

    /// The environment of a document: the document itself, or the first one of an export of Mockoon 1; `nil` for others.
    static func environment(of root: JSONValue) -> JSONValue? {
        func isEnvironment(_ value: JSONValue) -> Bool {
            value["routes"]?.array != nil && (value["endpointPrefix"] != nil || value["uuid"] != nil)
        }
        if isEnvironment(root) { return root }
        guard root["source"]?.string?.hasPrefix("mockoon") ?? false else { return nil }
        let items = (root["data"]?.array ?? []).map { $0["item"] ?? $0 }
        return items.first(where: isEnvironment) ?? root
    }

    init(_ root: JSONValue, file: String) throws(CaptureProblem) {
        draft = StubDraft(root["name"]?.string ?? "Mockoon", file: file)
        prefix = root["endpointPrefix"]?.string ?? ""
        for bucket in root["data"]?.array ?? [] {
            for name in ["id", "uuid"] { if let id = bucket[name]?.string { buckets[id] = bucket } }
        }
        draft.begin(root, of: file)
        draft.order = .listed
        readSettings(root)
        for route in Self.ordered(root) {
            draft.drop()
            read(route)
        }
        draft.drop()
        guard !draft.stubs.isEmpty || !draft.routes.isEmpty else {
            throw draft.nothing("the environment contains no route that can be imported", at: root.position)
        }
    }

    /// The routes in the order of the folders, in which they are looked at.
    private static func ordered(_ root: JSONValue) -> [JSONValue] {
        let routes = root["routes"]?.array ?? []
        var byID: [String: Int] = [:]
        for (index, route) in routes.enumerated() {
            if let id = route["uuid"]?.string { byID[id] = byID[id] ?? index }
        }
        var folders: [String: JSONValue] = [:]
        for folder in root["folders"]?.array ?? [] { if let id = folder["uuid"]?.string { folders[id] = folder } }
        var ordered: [Int] = []
        var seen: Set<String> = []
        func walk(_ children: [JSONValue]) {
            for child in children {
                guard let id = child["uuid"]?.string, seen.insert(id).inserted else { continue }
                if let index = byID[id] { ordered.append(index) }
                if let folder = folders[id] { walk(folder["children"]?.array ?? []) }
            }
        }
        walk(root["rootChildren"]?.array ?? [])
        // Two routes may have one id, and a route may be in no folder.
        let placed = Set(ordered)
        return (ordered + routes.indices.filter { !placed.contains($0) }).map { routes[$0] }
    }

    private mutating func readSettings(_ root: JSONValue) {
        for name in ["proxyMode", "tlsOptions"] where root[name]?.bool ?? root[name]?["enabled"]?.bool ?? false {
            draft.leaveOut("\"\(name)\"", at: root[name] ?? root)
        }
        var defaults: DraftScenario = [.latency: draft.latency(root["latency"])]
        var response = DraftRoute()
        let fields = StubDraft.fields(root["headers"]).filter { $0.0.lowercased() != "content-type" }
        draft.setHeaders(fields, in: &response)
        defaults[.headers] = response[.headers]
        if !defaults.isEmpty { draft.backend[.defaults] = defaults.json }
        if root["cors"]?.bool ?? false { draft.backend[.cors] = true }
        for field in StubDraft.fields(root["headers"]) where field.0.lowercased() == "content-type" {
            if field.1.first?.string != "application/json" {
                draft.leaveOut("the header field Content-Type in all responses", at: root["headers"] ?? root)
            }
        }
    }

    private mutating func read(_ route: JSONValue) {
        let endpoint = route["endpoint"]?.string ?? ""
        let type = route["type"]?.string ?? "http"
        guard route["enabled"]?.bool ?? true else {
            return draft.leaveOut("\(endpoint.printable), which is disabled", at: route)
        }
        guard type == "http" || type == "crud" else {
            return draft.leaveOut("\(endpoint.printable), a route with the type \(type.printable)", at: route)
        }
        let text = [prefix, endpoint].filter { !$0.isEmpty }.joined(separator: "/")
        if type == "crud" {
            let bucket = route["responses"]?[0]?["databucketID"]?.string.flatMap { buckets[$0] }
            guard let items = bucket?["value"]?.string.flatMap({ (try? JSONParser().parse($0))?.root.array }),
                items.allSatisfy({ $0["id"] != nil }), !items.isEmpty, !text.contains(":"), !text.contains("*")
            else {
                return draft.leaveOut(
                    "\(endpoint.printable), a route with the type crud but without a list of items",
                    at: route
                )
            }
            return draft.addResource(StubDraft.literalPath(text), named: bucket?["name"]?.string ?? endpoint, items)
        }
        for (path, condition) in paths(text, at: route) {
            var stub = StubDraft.Stub(method: StubDraft.method(route["method"]), path: path, position: route.position)
            if stub.method == "ALL" { stub.method = "*" }
            stub.condition = condition
            if let template = try? PathTemplate(parsing: path), condition.isEmpty {
                let isTaken = taken.contains { other in
                    ["*", stub.method].contains(other.method) && other.template.covers(template)
                }
                guard !isTaken else {
                    draft.leaveOut(
                        "\(stub.key.printable), because an earlier route matches all of its requests",
                        at: route
                    )
                    continue
                }
                if route["responseMode"] != "FALLBACK" { taken.append((stub.method, template)) }
            }
            add(route, stub)
        }
    }

    /// The paths of an endpoint: two where its last part is optional.
    private mutating func paths(_ text: String, at route: JSONValue) -> [(String, DraftCondition)] {
        var paths: [(DraftPath, DraftCondition)] = [(DraftPath(), DraftCondition())]
        let segments = text.split(separator: "/", omittingEmptySubsequences: false)
            .drop { $0.isEmpty }
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            var (path, condition) = paths[0]
            var name = segment
            let isOptional = isLast && segment.hasPrefix(":") && segment.hasSuffix("?")
            if isOptional {
                paths.append((path, condition))
                name = name.dropLast()
            }
            if segment == "*" {
                if isLast {
                    path.append(rest: nil)
                } else {
                    path.append(parameter: "any")
                    draft.assume("\"*\" within \(text.printable.shortened) matches only one path segment", at: route)
                }
            } else if segment.hasPrefix(":"), let open = name.firstIndex(of: "("), name.hasSuffix(")") {
                let made = path.append(parameter: name[..<open].dropFirst())
                condition.require(.path, made, PathPattern.matches(String(name[open...].dropFirst().dropLast())))
            } else if name.hasPrefix(":"), StubDraft.isPlainName(String(name.dropFirst())) {
                path.append(parameter: name.dropFirst())
            } else if segment.contains(where: { "()[]+?{}".contains($0) }) {
                draft.leaveOut("\(text.printable.shortened), whose path is a regular expression", at: route)
                return []
            } else if segment.contains(":") || segment.contains("*") {
                let (pattern, spans) = Self.pattern(segment)
                if spans, isLast {
                    path.append(rest: "rest")
                    condition.require(.path, "rest", PathPattern.matches(pattern))
                } else {
                    condition.require(.path, path.append(parameter: "part"), PathPattern.matches(pattern))
                }
            } else {
                path.append(literal: segment)
            }
            paths[0] = (path, condition)
        }
        return paths.map { ($0.0.text, $0.1) }
    }

    /// An expression for a segment such as `a-:id` or `:name.json`.
    private static func pattern(_ segment: Substring) -> (pattern: String, spans: Bool) {
        var pattern = ""
        var rest = segment
        while let first = rest.first {
            if first == ":" {
                pattern += "[^/]+"
                rest = rest.dropFirst().drop { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            } else if first == "*" {
                pattern += ".*"
                rest = rest.dropFirst()
            } else {
                let literal = rest.prefix { $0 != ":" && $0 != "*" }
                pattern += PathPattern.escaped(String(literal))
                rest = rest[literal.endIndex...]
            }
        }
        return (pattern, segment.contains("*"))
    }

    private mutating func add(_ route: JSONValue, _ stub: StubDraft.Stub) {
        // The first versions had one response in the route itself.
        let responses = route["responses"]?.array ?? [route]
        let mode = route["responseMode"]?.string ?? (route["sequential"]?.bool ?? false ? "SEQUENTIAL" : "")
        if mode == "SEQUENTIAL" || mode == "RANDOM" || route["randomResponse"]?.bool ?? false {
            var stub = stub
            var list: [JSONValue] = []
            for answer in responses { list.append(response(answer).json(at: answer.position)) }
            guard !list.isEmpty else {
                return draft.leaveOut("\(stub.key.printable), which has no response", at: route)
            }
            if mode != "SEQUENTIAL" {
                draft.assume("the responses of \(stub.key.printable) are sent in order, not at random", at: route)
            }
            stub.response =
                list.count == 1 ? DraftRoute(list[0].object ?? [:]) : [.responses: .array(list), .afterLast: "loop"]
            return draft.add(stub)
        }
        let hasRules = mode != "DISABLE_RULES"
        if !["", "DISABLE_RULES", "FALLBACK"].contains(mode) {
            draft.leaveOut("the response mode \(mode.printable) of \(stub.key.printable)", at: route)
        }
        let own = responses.firstIndex { $0["default"]?.bool ?? false } ?? 0
        // Only the editor shows a response that has no rule and is not the default.
        var silent = 0
        defer {
            if silent > 0 {
                draft.leaveOut("\(plural(silent, "response")) of \(stub.key.printable) that no rule chooses", at: route)
                draft.drop()
            }
        }
        // Rules come first, regardless of the place of the default.
        for (index, answer) in responses.enumerated().sorted(by: {
            ($0.offset == own ? 1 : 0, $0.offset) < ($1.offset == own ? 1 : 0, $1.offset)
        }) {
            var stub = stub
            stub.position = answer.position
            let isOwn = index == own && mode != "FALLBACK"
            if !isOwn {
                guard !(answer["rules"]?.array ?? []).isEmpty else {
                    silent += 1
                    continue
                }
                guard hasRules, let condition = condition(answer, stub) else { continue }
                stub.condition.require(condition)
            }
            stub.response = response(answer)
            draft.add(stub)
        }
    }

    private mutating func response(_ answer: JSONValue) -> DraftRoute {
        var response: DraftRoute = [.status: draft.status(answer["statusCode"])]
        let fields = StubDraft.fields(answer["headers"])
        let bucket = answer["databucketID"]?.string.flatMap { buckets[$0] }
        let kind = answer["bodyType"]?.string
        if kind == "FILE" || kind == nil, let file = answer["filePath"]?.string, !file.isEmpty {
            draft.leaveOut("the body in the file \(file.printable.shortened); move it to a fixture", at: answer)
            response[.empty] = true
        } else {
            let body = kind == "DATABUCKET" ? bucket?["value"] : answer["body"]
            draft.setBody(body?.string ?? "", type: StubDraft.type(fields), in: &response, at: body ?? answer)
            if answer["disableTemplating"]?.bool != true { draft.noteTemplate(in: body?.string, at: body ?? answer) }
        }
        draft.setHeaders(fields, in: &response)
        response[.latency] = draft.latency(answer["latency"])
        return response
    }

    private mutating func condition(_ answer: JSONValue, _ stub: StubDraft.Stub) -> DraftCondition? {
        let rules = answer["rules"]?.array ?? []
        var conditions: [DraftCondition] = []
        for rule in rules {
            guard let condition = Self.rule(rule, stub) else {
                draft.leaveOut("a response with the rule \(rule.text().printable.shortened)", at: rule)
                return nil
            }
            conditions.append(condition)
        }
        var condition = DraftCondition()
        if conditions.count == 1 {
            condition.require(conditions[0])
        } else {
            let isAll = (answer["rulesOperator"]?.string ?? "OR") == "AND"
            condition.add(isAll ? .all(conditions) : .any(conditions))
        }
        return condition
    }

    /// The condition of a rule; `nil` for one that cannot be said.
    private static func rule(_ rule: JSONValue, _ stub: StubDraft.Stub) -> DraftCondition? {
        let value = rule["value"]?.string ?? ""
        let name = rule["modifier"]?.string ?? ""
        guard !value.contains("{{"), !name.contains("{{") else { return nil }
        let isPattern = rule["isRegex"]?.bool ?? false
        var matcher: DraftMatcher
        switch rule["operator"]?.string ?? (isPattern ? "regex" : "equals") {
        case "equals": matcher = StubDraft.equalsAsText(value)
        case "regex": matcher = [.matches: .string(value)]
        case "regex_i": matcher = [.matches: .string(PathPattern.insensitive(value))]
        case "null": matcher = [.exists: false]
        case "empty_array": matcher = [.length: 0]
        default: return nil
        }
        let isInverted = rule["invert"]?.bool ?? false
        if isInverted { matcher = .not(matcher) }
        let target = rule["target"]?.string
        guard !name.isEmpty || target == "method" || target == "body" else { return nil }
        switch target {
        case "query": return DraftCondition(.query, name.hasSuffix(".0") ? String(name.dropLast(2)) : name, matcher)
        case "header": return DraftCondition(.header, name, matcher)
        case "cookie": return DraftCondition(.cookie, name, matcher)
        case "method": return [.method: matcher.json]
        case "params":
            let names = (try? PathTemplate(parsing: stub.path))?.parameterNames ?? []
            return names.contains(DraftText.name(name)) ? DraftCondition(.path, DraftText.name(name), matcher) : nil
        case "body":
            guard !name.contains("["), !name.contains("$"), !name.hasPrefix("/") || JSONPointer(name) != nil else {
                return nil
            }
            let pointer =
                name.hasPrefix("/")
                ? name : JSONPointer(tokens: name.split(separator: ".").map(String.init)).description
            let inBody = DraftCondition(.body, pointer, matcher)
            guard StubDraft.isPlainName(name) else { return inBody }
            // The same rule is about the field of a form; one that holds for an absent value has to hold for both.
            let isNegative = (rule["operator"] == "null") != isInverted
            let both = [inBody, DraftCondition(.form, name, matcher)]
            return isNegative ? .all(both) : .any(both)
        default: return nil
        }
    }
}
