import Basics
import HTTPCodec
import JSON

// MARK: Pact

extension StubDraft {
    /// Reads a pact of the versions 2 to 4: its interactions over HTTP.
    init(pact root: JSONValue, file: String) throws(CaptureProblem) {
        self.init(root["provider"]?["name"]?.string ?? "Pact", file: file)
        for interaction in root["interactions"]?.array ?? [] { readPact(interaction) }
        guard !stubs.isEmpty else {
            throw CaptureProblem("the pact has no interaction that can be imported", in: file, at: root.position)
        }
    }

    private mutating func readPact(_ interaction: JSONValue) {
        let title = (interaction["description"]?.string ?? "an interaction").printable
        guard let request = interaction["request"], let answer = interaction["response"],
            let path = request["path"]?.string
        else { return leaveOut("\(title), which is not a request over HTTP", at: interaction) }
        var stub = Stub(key: "\(request["method"]?.string?.uppercased() ?? "GET") \(path)")
        var query = JSONObject()
        if let text = request["query"]?.string {
            for item in QueryItems(parsing: text).items { query[item.name] = ["equals": .string(item.value)] }
        }
        for member in request["query"]?.object?.members ?? [] {
            query[member.name] = ["equals": plain(member.value[0] ?? member.value)]
        }
        if !query.isEmpty { stub.condition["query"] = .object(query) }
        if let rules = request["matchingRules"], rules["body"] != nil || rules.object?.names.contains("$.body") ?? false
        {
            leaveOut("the matching rules for the body of \(title); any body is taken", at: rules)
        } else if let (body, isJSON) = pactBody(request["body"]), isJSON {
            stub.condition["body"] = ["": ["equals": plain(body)]]
        }
        if let token = request["headers"]?.object?.members.first(where: { $0.name.lowercased() == "authorization" }) {
            leaveOut("the Authorization of \(title); describe the token under \"tokens\"", at: token.value)
        }
        guard !stubs.contains(where: { $0.key == stub.key && $0.condition == stub.condition }) else {
            return leaveOut("\(title): nothing in its request distinguishes it; make it a story", at: interaction)
        }
        stub.response["status"] = Self.status(answer["status"])
        if let (body, isJSON) = pactBody(answer["body"]) {
            if isJSON {
                stub.response["json"] = plain(body)
            } else {
                setBody(body.string ?? "", in: &stub.response, at: body)
            }
        } else {
            stub.response["empty"] = true
        }
        let headers = answer["headers"]?.object?.members ?? []
        setHeaders(headers.map { ($0.name, $0.value[0] ?? $0.value) }, in: &stub.response)
        add(stub)
    }

    /// A body, and whether it is JSON and not text: version 4 wraps what earlier ones have plainly.
    private func pactBody(_ value: JSONValue?) -> (JSONValue, isJSON: Bool)? {
        guard let value, !value.isNull else { return nil }
        guard value["contentType"] != nil, let content = value["content"] else { return (value, value.string == nil) }
        return (content, content.string == nil)
    }
}

// MARK: MockServer

extension StubDraft {
    /// Reads expectations of MockServer: one, or an array of them.
    init(mockServer root: JSONValue, file: String) throws(CaptureProblem) {
        self.init("MockServer", file: file)
        for expectation in root.array ?? [root] { readMockServer(expectation) }
        guard !stubs.isEmpty else {
            throw CaptureProblem("no expectation can be imported", in: file, at: root.position)
        }
    }

    private mutating func readMockServer(_ expectation: JSONValue) {
        guard let request = expectation["httpRequest"], request.object != nil else {
            return leaveOut("an expectation without \"httpRequest\"", at: expectation)
        }
        let answer = expectation["httpResponse"]
        let isDropped = expectation["httpError"]?["dropConnection"]?.bool ?? false
        guard answer != nil || isDropped else {
            return leaveOut("an expectation that forwards, calls back or has a template", at: expectation)
        }
        var stub = Stub(
            key: "",
            priority: -(expectation["priority"]?.int.map { min(max($0, -1_000_000), 1_000_000) } ?? 0)
        )
        let text = request["path"]?.string ?? "/*"
        let isPattern = text != "/*" && text.utf8.contains { "()[]+*?\\^$|".utf8.contains($0) }
        guard let path = isPattern ? patternPath(text, at: request["path"] ?? request) : text else { return }
        stub.key = "\(request["method"]?.string?.uppercased() ?? "*") \(path)"
        for (member, part) in [("queryStringParameters", "query"), ("headers", "header")] {
            var matchers = JSONObject()
            for (name, value) in Self.namedValues(request[member]) where name.lowercased() != "content-type" {
                matchers[name] = ["equals": plain(value)]
            }
            if !matchers.isEmpty { stub.condition[part] = .object(matchers) }
        }
        if let body = request["body"] {
            guard let json = body["json"] ?? (body["type"] == nil && body.object != nil ? body : nil) else {
                return leaveOut("an expectation with the body \(body.text().printable.shortened)", at: body)
            }
            let root = json.string.flatMap { (try? JSONParser().parse($0))?.root } ?? json
            var matchers: JSONObject = ["": ["equals": plain(root)]]
            if body["matchType"] != "STRICT", let members = root.object?.members {
                matchers = JSONObject()
                for member in members {
                    matchers[JSONPointer(tokens: [member.name]).description] = ["equals": plain(member.value)]
                }
            }
            stub.condition["body"] = .object(matchers)
        }
        for name in ["cookies", "pathParameters", "keepAlive", "secure"] {
            if let value = request[name] { leaveOut("the condition \"\(name)\" of \(stub.key)", at: value) }
        }
        if let times = expectation["times"], times["unlimited"]?.bool != true, times["remainingTimes"] != nil {
            leaveOut(
                "\"times\" of \(stub.key), which answers always; list what comes in turn in \"responses\"",
                at: times
            )
        }
        stub.response = answer.map { mockServerResponse($0) } ?? ["fault": "empty"]
        add(stub)
    }

    private mutating func mockServerResponse(_ value: JSONValue) -> JSONObject {
        var response = JSONObject()
        response["status"] = Self.status(value["statusCode"])
        if let body = value["body"] {
            if let text = (body["json"] ?? body["string"] ?? body).string {
                setBody(text, in: &response, at: body)
            } else if body["type"] != nil, body["json"] == nil {
                leaveOut("a body of the type \(body["type"]?.string?.printable ?? "")", at: body)
                response["empty"] = true
            } else {
                response["json"] = plain(body["json"] ?? body)
            }
        } else {
            response["empty"] = true
        }
        setHeaders(Self.namedValues(value["headers"]), in: &response)
        if let delay = value["delay"], let amount = delay["value"]?.int, (1...86_400_000).contains(amount) {
            let units = ["MILLISECONDS": "ms", "SECONDS": "s", "MINUTES": "m"]
            if let unit = units[delay["timeUnit"]?.string ?? "MILLISECONDS"] {
                response["latency"] = .string("\(amount)\(unit)")
            }
        }
        return response
    }

    /// Names with the first of their values: an object of arrays, or an array of `{"name": …, "values": […]}`.
    private static func namedValues(_ value: JSONValue?) -> [(String, JSONValue)] {
        if let members = value?.object?.members { return members.map { ($0.name, $0.value[0] ?? $0.value) } }
        return (value?.array ?? []).compactMap { item in
            item["name"]?.string.map { ($0, item["values"]?[0] ?? "") }
        }
    }
}

// MARK: json-server

extension StubDraft {
    /// Reads a `db.json` of json-server: a collection with its five routes for each list, and a route for each object.
    ///
    /// - Returns: `nil` for a document that is not one: at least one list of objects with `id`, and besides such lists
    ///   nothing but objects and empty lists.
    init?(jsonServer root: JSONValue, file: String) {
        self.init("json-server", file: file)
        let members = root.object?.members ?? []
        let isMade = members.allSatisfy { member in
            let isName = !member.name.isEmpty && Self.plainName(member.name) == member.name
            let items = member.value.array
            return isName && (items?.allSatisfy { $0["id"] != nil } ?? (member.value.object != nil))
        }
        guard isMade, members.contains(where: { !($0.value.array ?? []).isEmpty }) else { return nil }
        for member in members {
            if let items = member.value.array {
                addResource(member.name, items.map { plain($0) })
            } else {
                routes["GET /\(member.name)"] = ["json": plain(member.value)]
            }
        }
    }

    private mutating func addResource(_ name: String, _ items: [JSONValue]) {
        // The name "accounts" stands for those that sign in.
        let collection = name == "accounts" ? "accounts-list" : name
        collections[collection] = ["items": .array(items)]
        counters[name] = .number(JSONNumber(items.compactMap { $0["id"]?.int }.max() ?? 0))
        let isText = items.first?["id"]?.string != nil
        var item: JSONObject = ["id": .string(isText ? "{{counter.\(name) as text}}" : "{{counter.\(name)}}")]
        var changes = JSONObject()
        for member in items.flatMap({ $0.object?.names ?? [] }) where item[member] == nil && !member.contains("}") {
            let pointer = JSONPointer(tokens: [member]).description
            item[member] = .string("{{request.body#\(pointer) ?? omit}}")
            changes[pointer] = .string("{{request.body#\(pointer) ?? omit}}")
        }
        let one: JSONValue = ["item": ["one": .string(collection), "where": ["/id": "{{request.path.id}}"]]]
        let gone: JSONValue = [["when": ["found": ["item": false]], "status": 404, "json": [:]]]
        let page: JSONValue = [
            "number": "{{request.query._page ?? 1}}", "first": 1, "limit": "{{request.query._limit ?? 10}}",
        ]
        routes["GET /\(name)"] = [
            "find": ["items": ["all": .string(collection)], "page": ["all": .string(collection), "page": page]],
            "cases": [
                [
                    "when": ["query": ["_page": ["exists": true]]],
                    "headers": ["X-Total-Count": "{{found.page#/total}}"],
                    "json": "{{found.page#/items}}",
                ]
            ],
            "json": "{{found.items#/items}}",
        ]
        routes["GET /\(name)/{id}"] = ["find": one, "cases": gone, "json": "{{found.item}}"]
        routes["POST /\(name)"] = [
            "then": [["create": .string(collection), "item": .object(item), "as": "item"]],
            "status": 201, "json": "{{found.item}}",
        ]
        if !changes.isEmpty {
            routes["PATCH /\(name)/{id}"] = [
                "find": one, "cases": gone,
                "then": [["update": "item", "set": .object(changes)]],
                "json": "{{found.item}}",
            ]
        }
        routes["DELETE /\(name)/{id}"] = ["find": one, "cases": gone, "then": [["delete": "item"]], "json": [:]]
    }
}
