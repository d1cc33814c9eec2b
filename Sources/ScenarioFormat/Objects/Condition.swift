import Basics
package import JSON

/// The condition on a request and the session for a case or a guard to respond.
package indirect enum Condition: Sendable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    case request(RequestPart, Matcher)
    /// One of these parameters occurs more than once in the query and the form together.
    case repeated([String])
    /// The query has no other names than these.
    case onlyQuery([String])
    /// A token that the request carries, whether or not the route requires one.
    case token(TokenTest)
    case proof(ProofState)
    case state(String, [String])
    /// A Boolean value that indicates whether the route has found something under a name.
    case found(String, Bool)
    /// The condition on a value in the items found by a name.
    case foundValue(String, JSONPointer, Matcher)
    /// The conditions on the multipart parts of a name.
    case upload(String, UploadTest)
    /// Another request of the same route is being answered.
    case routeInFlight
    /// A number of other requests of the session are in progress, of any route.
    case inFlight(atLeast: Int)
}

extension Condition: FormatObject {
    static let keys = ObjectKeys<[Condition]>(
        "condition",
        "a condition",
        "conditions that must all hold",
        merging: .whole,
        isReadInFileOrder: true
    ) {
        ObjectKey("method", ValueType<Matcher>.matcher, "The request method.") { $0.append(.request(.method, $1)) }
            .example("POST")
        ObjectKey("path", .matchers(names: .any)) { conditions, tree, builder in
            for member in Optional(tree).members {
                let known = builder.scope.pathParameters
                builder.expect(member.name, among: known, as: "path parameter", at: member.namePosition)
                conditions.append(.request(.pathParameter(member.name), builder.matcher(member.value)))
            }
        }
        .summary("Path parameters, by name.").example(["id": ["matches": "^[0-9]+$"]])
        each("header", .fieldName, "Header fields, by name.", RequestPart.header).example(["X-Version": "2"])
        each("query", .any, "Query items, by name.", RequestPart.query).example(["page": ["exists": false]])
        body("Values in the JSON body, by JSON Pointer.").example(["/user/id": 7])
        each("form", .any, "Fields of the form-urlencoded body, by name.", RequestPart.form)
            .example(["grant_type": "refresh_token"])
        each("parameter", .any, "Nonempty form fields, otherwise query items, by name.", RequestPart.parameter)
            .example(["response_type": "code"])
        ObjectKey("repeated", ValueType<[String]>.list(of: .text(.filled), count: 1...Int.max)) {
            $0.append(.repeated($1))
        }
        .summary("Parameters, one of which is repeated.").example(["client_id"])
        each("part", .any, "The text or file name of each multipart part, by part name.") { .part($0) }
            .example(["title": ["length": ["atMost": 20]]])
        each("cookie", .token, "Cookies, by name.", RequestPart.cookie).example(["theme": "dark"])
        ObjectKey("basic", ValueType<BasicTest>.object, "The HTTP Basic credentials.") { conditions, test in
            if let user = test.user { conditions.append(.request(.basic(.user), user)) }
            if let password = test.password { conditions.append(.request(.basic(.password), password)) }
        }
        .example(["user": "app"])
        ObjectKey("token", ValueType<[TokenTest]>.tokenTests) { $0 += $1.map(Condition.token) }
            .summary("The states and data of the request's tokens, by kind. This condition never refuses a request.")
            .example(["access": "valid"])
        ObjectKey("dpop", ValueType<ProofState>.word) { $0.append(.proof($1)) }
            .summary("The state of the DPoP proof (RFC 9449). `nonce` means a proof without the server's nonce.")
        ObjectKey("device", ValueType<Matcher>.matcher, "The name of the device that sent the request.") {
            $0.append(.request(.device, $1))
        }
        .example("phone")
        ObjectKey("account", ValueType<Matcher>.matcher, "The name of the caller's account.") {
            $0.append(.request(.account, $1))
        }
        .example(["oneOf": ["ada", "bo"]])
        ObjectKey("state", ValueType<[StateValues]>.testedStates, "Named states and their matching values.") {
            $0 += $1.map { .state($0.name, $0.values) }
        }
        .example(["plan": ["trial", "paid"]])
        ObjectKey(
            "found",
            .map(of: .choice([.boolean, .matchers(names: .pointer)]), names: .name),
            "The results of \"find\", by name: true if anything was found, or conditions by JSON Pointer."
        ) { conditions, tree, builder in
            conditions += Optional(tree).members.compactMap { builder.found($0) }
        }
        .example(["post": ["/author/id": 7]])
        ObjectKey(
            "upload",
            ValueType<[Condition]>.map(names: .any, of: .object(UploadTest.self)) { member, builder in
                builder.read(member.value, as: .object).map { .upload(member.name, $0) }
            },
            "Conditions that every multipart part must meet, by part name."
        ) { $0 += $1 }
        .example(["file": ["count": ["atMost": 5], "type": "image/png"]])
        ObjectKey(
            "inFlight",
            ValueType<Condition>.choice(
                .of(.text(.oneOf(["route"]))) { _ in .routeInFlight },
                .of(.object) { (requests: OpenRequests) in .inFlight(atLeast: requests.atLeast) }
            ),
            "Other requests in progress: \"route\" requires one on the same route; \"atLeast\" counts those on all routes."
        ) { $0.append($1) }
        .example("route")
        ObjectKey("all", ValueType<[Condition]>.list(of: .condition, count: 1...Int.max)) { $0 += $1 }
            .summary("Conditions that must all hold.").example([["method": "GET"]])
        ObjectKey("any", ValueType<[Condition]>.list(of: .condition, count: 1...Int.max)) { $0.append(.any($1)) }
            .summary("Conditions, at least one of which must hold.").example([["query": ["a": 1]], ["query": ["b": 1]]])
        ObjectKey("not", ValueType<Condition>.condition, "A condition that must not hold.") { $0.append(.not($1)) }
            .example(["method": "GET"])
    }

    static var shape: ObjectShape { keys.shape }

    /// A key for conditions on parts of a request that have names.
    static func each(
        _ name: String,
        _ names: TextForm,
        _ summary: String,
        _ part: @escaping @Sendable (String) -> RequestPart
    ) -> ObjectKey<[Condition]> {
        let type = ValueType<[Condition]>.map(names: names, of: .matcher) { member, builder in
            .request(part(member.name), builder.matcher(member.value))
        }
        return ObjectKey(name, type, summary) { $0 += $1 }
    }

    static func body(_ summary: String) -> ObjectKey<[Condition]> {
        ObjectKey("body", ValueType<[PointerMatcher]>.pointerMatchers, summary) {
            $0 += $1.map { .request(.body($0.pointer), $0.matcher) }
        }
    }
}

extension ValueType<Condition> {
    static var condition: Self { Self(.object(Condition.self)) { $1.condition($0) } }
}

extension ScenarioBuilder {
    mutating func condition(_ tree: JSONValue) -> Condition {
        var conditions: [Condition] = []
        Condition.keys.fill(&conditions, tree, &self)
        return .all(conditions)
    }

    fileprivate mutating func found(_ member: JSONObject.Member) -> Condition? {
        guard expectFound(member.name, at: member.namePosition) else { return nil }
        if let isThere = member.value.bool { return .found(member.name, isThere) }
        let found = scope.found.first { $0.name.exact == member.name.exact }
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
}

/// A condition on the credentials that a request sends with Basic.
private struct BasicTest: ModelObject {
    var user: Matcher?
    var password: Matcher?

    static let keys = Keys(
        "basicTest",
        "\"basic\"",
        "conditions on HTTP Basic credentials",
        needed: ["user", "password"]
    ) {
        Key("user", \.user, .matcher, "The user name or client ID.").example("app")
        Key("password", \.password, .matcher, "The password or client secret.").example("secret")
    }
}

private struct OpenRequests: ModelObject {
    var atLeast = 1

    static let keys = Keys("openRequests", "\"inFlight\"", "the number of requests in progress") {
        Key("atLeast", \.atLeast, .integer(1...1_000_000), "The minimum number of other requests in progress.").required
    }
}

/// The state of a request's proof of possession (RFC 9449, section 4.3).
package enum ProofState: String, Sendable, CaseIterable {
    case valid
    case missing
    case invalid
    /// Valid but for the server's nonce, which it lacks or has an old one of.
    case nonce
}

/// The conditions on a token that a request carries.
package struct TokenTest: Sendable {
    package var kind = ""
    package var accepted = [TokenStanding.valid]
    /// The locations of the token, instead of the kind's own locations.
    package var carriers: [TokenCarrier]?
    /// Its data, by JSON Pointer.
    package var facts: [(pointer: JSONPointer, matcher: Matcher)] = []
}

extension TokenTest: ModelObject {
    static let keys = Keys(
        "tokenTest",
        "a token's condition",
        "conditions on a token in a request",
        needed: ["is", "in", "has"]
    ) {
        Key("is", \.accepted, .tokenStates, "The matching states.")
            .otherwise("`\"valid\"`").example(["valid", "expired"])
        Key("in", \.carriers, .oneOrMore(.carrier), "The token's location in the request.")
            .otherwise("the location that the kind defines").example(["form": "token"])
        Key("has", \.facts, .pointerMatchers, "The token's stored data, by JSON Pointer; see `remember`.")
            .example(["/client": "{{request.form.client_id}}"])
    }
}

extension ValueType<[TokenTest]> {
    fileprivate static var tokenTests: Self {
        let type = ValueType<TokenTest>.choice(
            .of(.tokenState) { TokenTest(accepted: [$0]) },
            .of(.list(of: .tokenState, count: 1...Int.max)) { TokenTest(accepted: $0) },
            .object
        )
        return map(names: .name, of: type.shape) { member, builder in
            builder.expect(member.name, of: .tokenKind, at: member.namePosition)
            let states = member.value.object == nil ? member.value : member.value["is"]
            builder.expectForeignStates(of: member.name, in: states)
            var test = builder.read(member.value, as: type)
            test?.kind = member.name
            return test
        }
        .shared("tokenTests")
    }
}

/// The conditions on every multipart part of one name.
package struct UploadTest: Sendable {
    package var count = CountRange(atLeast: 1, atMost: .max)
    /// The number of bytes that a part has.
    package var size: Matcher?
    package var filename: Matcher?
    /// Its media type.
    package var type: Matcher?

    package init() {}
}

extension UploadTest: ModelObject {
    static let keys = Keys("uploadTest", "\"upload\"", "conditions on uploaded parts") {
        Key("count", \.count, .count, "The number of parts.").otherwise("at least one").example(["atMost": 5])
        Key("size", \.size, .matcher, "Each part's size in bytes.").example(["atMost": 5_000_000])
        Key("filename", \.filename, .matcher, "Each part's file name.").example(["matches": "[.]png$"])
        Key("type", \.type, .matcher, "Each part's media type.").example("image/png")
    }
}

/// A state and values of it.
typealias StateValues = (name: String, values: [String])

extension ValueType<[StateValues]> {
    /// States that a condition or an expectation tests.
    static var testedStates: Self {
        Self(.map(of: .choice([.text(.name), .names]), names: .name)) { tree, builder in
            builder.statesAndValues(Optional(tree).members).map { state in
                builder.noted.testedStates += state.values.map { (state.name, $0.text, $0.position) }
                return (state.name, state.values.map(\.text))
            }
        }
    }
}

extension ScenarioBuilder {
    /// Reads states and values that fit, and leaves out those that do not exist.
    mutating func statesAndValues(
        _ members: [JSONObject.Member]
    ) -> [(name: String, values: [(text: String, position: JSONPosition)])] {
        members.compactMap { member in
            let position = member.namePosition
            guard expect(member.name, among: names.vocabulary.states, as: "state", at: position) else { return nil }
            let known = names.states[member.name] ?? []
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
