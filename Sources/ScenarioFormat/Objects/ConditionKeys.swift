import Basics
import JSON

enum ConditionKeys: FormatObject {
    static let method = Key("method", .json(.matcher), "The request method.", example: "POST")
    static let path = Key(
        "path",
        list: .map(of: .matcher, names: .any),
        "Path parameters, by name.",
        example: ["id": ["matches": "^[0-9]+$"]]
    )
    static let header = Key(
        "header",
        list: .map(of: .matcher, names: .fieldName),
        "Header fields, by name.",
        example: ["X-Version": "2"]
    )
    static let query = Key(
        "query",
        list: .map(of: .matcher, names: .any),
        "Query items, by name.",
        example: ["page": ["exists": false]]
    )
    static let body = Key(
        "body",
        list: .map(of: .matcher, names: .pointer),
        "Values in the JSON body, by JSON Pointer.",
        example: ["/user/id": 7]
    )
    static let form = Key(
        "form",
        list: .map(of: .matcher, names: .any),
        "Fields of the form-urlencoded body, by name.",
        example: ["grant_type": "refresh_token"]
    )
    static let part = Key(
        "part",
        list: .map(of: .matcher, names: .any),
        "The text or file name of each multipart part, by part name.",
        example: ["title": ["length": ["atMost": 20]]]
    )
    static let cookie = Key(
        "cookie",
        list: .map(of: .matcher, names: .token),
        "Cookies, by name.",
        example: ["theme": "dark"]
    )
    static let basic = Key(
        "basic",
        .object(BasicTestKeys.self),
        "The HTTP Basic credentials.",
        example: ["user": "app"]
    )
    static let token = Key(
        "token",
        list: ValueType(shape: .tokenTests) { Optional($0).members },
        "The states and data of the request's tokens, by kind. This condition never refuses a request.",
        example: ["access": "valid"]
    )
    static let dpop = Key(
        "dpop",
        .word(ProofState.self),
        "The state of the DPoP proof (RFC 9449). `nonce` means a proof without the server's nonce."
    )
    static let device = Key(
        "device",
        .json(.matcher),
        "The name of the device that sent the request.",
        example: "phone"
    )
    static let account = Key(
        "account",
        .json(.matcher),
        "The name of the caller's account.",
        example: ["oneOf": ["ada", "bo"]]
    )
    static let state = Key(
        "state",
        list: .map(of: .choice([.text(.name), .names]), names: .name),
        "Named states and their matching values.",
        example: ["plan": ["trial", "paid"]]
    )
    static let found = Key(
        "found",
        list: .map(of: .choice([.boolean, .matchers(names: .pointer)]), names: .name),
        "The results of \"find\", by name: true if anything was found, or conditions by JSON Pointer.",
        example: ["post": ["/author/id": 7]]
    )
    static let upload = Key(
        "upload",
        list: .map(of: .object(UploadTestKeys.self), names: .any),
        "Conditions that every multipart part must meet, by part name.",
        example: ["file": ["count": ["atMost": 5], "type": "image/png"]]
    )
    static let inFlight = Key(
        "inFlight",
        .json(.choice([.text(.oneOf(["route"])), .object(OpenRequestsKeys.self)])),
        "Other requests in progress: \"route\" requires another request on the same route; \"atLeast\" counts requests on all routes.",
        example: "route"
    )
    static let all = Key(
        "all",
        list: .list(of: .object(ConditionKeys.self), count: 1...Int.max),
        "Conditions that must all hold.",
        example: [["method": "GET"]]
    )
    static let any = Key(
        "any",
        list: .list(of: .object(ConditionKeys.self), count: 1...Int.max),
        "Conditions of which at least one must hold.",
        example: [["query": ["a": 1]], ["query": ["b": 1]]]
    )
    static let not = Key(
        "not",
        .object(ConditionKeys.self),
        "A condition that must not hold.",
        example: ["method": "GET"]
    )

    static let shape = ObjectShape(
        "condition",
        "a condition",
        "conditions that must all hold",
        [
            method, path, header, query, body, form, part, cookie, basic, token, dpop, device, account, state, found,
            upload,
            inFlight, all, any, not,
        ],
        merging: .whole
    )
}

enum BasicTestKeys: FormatObject {
    static let user = Key("user", .json(.matcher), "The user name or client ID.", example: "app")
    static let password = Key("password", .json(.matcher), "The password or client secret.", example: "secret")

    static let shape = ObjectShape(
        "basicTest",
        "\"basic\"",
        "conditions on HTTP Basic credentials",
        [user, password],
        needed: [user, password]
    )
}

enum TokenTestKeys: FormatObject {
    static let `is` = Key(
        "is",
        .json(.tokenStates),
        "The matching states.",
        otherwise: "`\"valid\"`",
        example: ["valid", "expired"]
    )
    static let carriers = Key(
        "in",
        list: .oneOrMore(.json(.carrier)),
        "The token's location in the request.",
        otherwise: "the location that the kind defines",
        example: ["form": "token"]
    )
    static let facts = Key(
        "has",
        list: .map(of: .matcher, names: .pointer),
        "The token's stored data, by JSON Pointer; see `remember`.",
        example: ["/client": "{{request.form.client_id}}"]
    )

    static let shape = ObjectShape(
        "tokenTest",
        "a token's condition",
        "conditions on a token in a request",
        [`is`, carriers, facts],
        needed: [`is`, carriers, facts]
    )
}

extension Shape {
    fileprivate static let tokenTests = Shape.shared("tokenTests", .map(of: .tokenTest, names: .name))
    private static let tokenTest = Shape.choice([
        .shared("tokenState", .words(TokenStanding.self)),
        .list(of: .shared("tokenState", .words(TokenStanding.self)), count: 1...Int.max),
        .object(TokenTestKeys.self),
    ])
}

enum UploadTestKeys: FormatObject {
    static let count = Key(
        "count",
        .json(.count),
        "The number of parts.",
        otherwise: "at least one",
        example: ["atMost": 5]
    )
    static let size = Key("size", .json(.matcher), "Each part's size in bytes.", example: ["atMost": 5_000_000])
    static let filename = Key("filename", .json(.matcher), "Each part's file name.", example: ["matches": "[.]png$"])
    static let type = Key("type", .json(.matcher), "Each part's media type.", example: "image/png")

    static let shape = ObjectShape(
        "uploadTest",
        "\"upload\"",
        "conditions on uploaded parts",
        [count, size, filename, type]
    )
}

enum OpenRequestsKeys: FormatObject {
    static let atLeast = Key(
        "atLeast",
        .integer(1...1_000_000),
        "The minimum number of other requests in progress.",
        required: true
    )

    static let shape = ObjectShape("openRequests", "\"inFlight\"", "the number of requests in progress", [atLeast])
}

// MARK: - Reading

extension ScenarioBuilder {
    mutating func condition(_ tree: JSONValue?) -> Condition {
        guard let tree else { return .all([]) }
        return .all(Optional(tree).members.flatMap { conditions($0, of: tree) })
    }

    private mutating func conditions(_ member: JSONObject.Member, of tree: JSONValue) -> [Condition] {
        let value = member.value
        switch member.name {
        case ConditionKeys.method.name: return [.method(matcher(value))]
        case ConditionKeys.path.name:
            return tree[ConditionKeys.path].map { field in
                expect(field.name, among: scope.pathParameters, as: "path parameter", at: field.namePosition)
                return .pathParameter(field.name, matcher(field.value))
            }
        case ConditionKeys.header.name:
            return tree[ConditionKeys.header].map { .header($0.name, matcher($0.value)) }
        case ConditionKeys.query.name: return tree[ConditionKeys.query].map { .query($0.name, matcher($0.value)) }
        case ConditionKeys.body.name:
            return tree[ConditionKeys.body].compactMap { field in
                pointer(field.name, at: field.namePosition).map { .body($0, matcher(field.value)) }
            }
        case ConditionKeys.form.name: return tree[ConditionKeys.form].map { .form($0.name, matcher($0.value)) }
        case ConditionKeys.part.name: return tree[ConditionKeys.part].map { .part($0.name, matcher($0.value)) }
        case ConditionKeys.cookie.name: return tree[ConditionKeys.cookie].map { .cookie($0.name, matcher($0.value)) }
        case ConditionKeys.basic.name:
            let parts = [(BasicPart.user, value[BasicTestKeys.user]), (.password, value[BasicTestKeys.password])]
            return parts.compactMap { part, tree in tree.map { .basic(part, matcher($0)) } }
        case ConditionKeys.token.name: return tree[ConditionKeys.token].map { .token(tokenTest($0)) }
        case ConditionKeys.dpop.name: return tree[ConditionKeys.dpop].map { [.proof($0)] } ?? []
        case ConditionKeys.device.name: return [.device(matcher(value))]
        case ConditionKeys.account.name: return [.account(matcher(value))]
        case ConditionKeys.state.name:
            return statesAndValues(tree[ConditionKeys.state]).map { state in
                for value in state.values { noted.testedStates.append((state.name, value.text, value.position)) }
                return .state(state.name, state.values.map(\.text))
            }
        case ConditionKeys.found.name: return tree[ConditionKeys.found].compactMap { found($0) }
        case ConditionKeys.upload.name:
            return tree[ConditionKeys.upload].map { .upload($0.name, uploadTest($0.value)) }
        case ConditionKeys.inFlight.name:
            return [value[OpenRequestsKeys.atLeast].map(Condition.inFlight) ?? .routeInFlight]
        case ConditionKeys.all.name: return tree[ConditionKeys.all].map { condition($0) }
        case ConditionKeys.any.name: return [.any(tree[ConditionKeys.any].map { condition($0) })]
        case ConditionKeys.not.name: return [.not(condition(value))]
        default: return []
        }
    }

    private mutating func tokenTest(_ member: JSONObject.Member) -> TokenTest {
        expect(member.name, among: kinds, as: "token kind", at: member.namePosition)
        let object = member.value.object == nil ? nil : member.value
        let states = standings(object == nil ? member.value : object[TokenTestKeys.is])
        expectForeignStates(of: member.name, in: object == nil ? member.value : object.written(TokenTestKeys.is))
        return TokenTest(
            kind: member.name,
            accepted: states.isEmpty ? [.valid] : states,
            carriers: object?.has(TokenTestKeys.carriers) == true ? carriers(object[TokenTestKeys.carriers]) : nil,
            facts: object[TokenTestKeys.facts].compactMap { field in
                pointer(field.name, at: field.namePosition).map { ($0, matcher(field.value)) }
            }
        )
    }

    private mutating func found(_ member: JSONObject.Member) -> Condition? {
        guard expectFound(member.name, at: member.namePosition) else { return nil }
        if let isThere = member.value.bool { return .found(member.name, isThere) }
        let found = scope.found.first { $0.name.hasSameUTF8(as: member.name) }
        return .all(
            Optional(member.value).members.compactMap { field in
                guard let pointer = pointer(field.name, at: field.namePosition) else { return nil }
                if let problem = found?.problem(with: pointer) {
                    report("scenario/unknown-name", problem.message, at: field.namePosition, advice: problem.advice)
                }
                return .foundValue(member.name, pointer, matcher(field.value))
            }
        )
    }

    private mutating func uploadTest(_ tree: JSONValue) -> UploadTest {
        var test = UploadTest()
        if let count = tree[UploadTestKeys.count] { test.count = self.count(count) }
        test.size = tree[UploadTestKeys.size].map { matcher($0) }
        test.filename = tree[UploadTestKeys.filename].map { matcher($0) }
        test.type = tree[UploadTestKeys.type].map { matcher($0) }
        return test
    }

    /// Reads states and values that fit, and leaves out those that do not exist.
    mutating func statesAndValues(
        _ members: [JSONObject.Member]
    ) -> [(name: String, values: [(text: String, position: JSONPosition)])] {
        let names = root[ScenarioKeys.states].map(\.name)
        return members.compactMap { member in
            guard expect(member.name, among: names, as: "state", at: member.namePosition) else { return nil }
            let known = stateValues[member.name] ?? []
            let written = (member.value.array ?? [member.value]).compactMap { value in
                value.string.map { (text: $0, position: value.position) }
            }
            let values = written.filter { value in
                expect(
                    value.text,
                    among: known,
                    as: "value",
                    at: value.position,
                    message: "the state \"\(member.name)\" does not define the value \"\(value.text.shortened)\""
                )
            }
            return (member.name, values)
        }
    }
}
