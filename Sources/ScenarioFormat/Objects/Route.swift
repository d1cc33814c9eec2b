import Basics
import HTTPCodec
package import JSON

/// The responses to one method and path.
package struct Route: Sendable {
    package var key: RouteKey
    package var requirements: [TokenRequirement] = []
    /// The selections to look up before the cases, in this order.
    package var finds: [Find] = []
    package var cases: [Branch] = []
    package var responses = ResponseSequence()
    package var position: JSONPosition

    /// A Boolean value that indicates whether the listed responses go before the cases, because a story adds them to a
    /// route that has cases.
    package var listsFirst = false
    /// The fastest that a request's body is read, in bytes a second.
    package var uploadRate: Int?
    package var rate: RateLimit?

    /// The tokens that it requires, and those that its cases require.
    package var allRequirements: [TokenRequirement] { requirements + cases.flatMap(\.requirements) }

    /// The kinds of those, each once.
    package var requiredKinds: [String] {
        allRequirements.map(\.kind).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// All responses that it may give, in any case.
    package var allResponses: [StubResponse] {
        ([responses] + cases.map(\.responses)).flatMap(\.all) + [rate?.exceeded].compactMap(\.self)
    }
}

extension Route: FormatObject {
    static let keys = ObjectKeys<Route>(
        "route",
        "a route",
        "the responses to one method and path",
        exclusive: [StubResponse.bodies],
        rules: StubResponse.rules,
        StubResponse.deliveryRules,
        ResponseSequence.rules(alsoWith: ["cases"]),
        discussion: """
            A route's name is a method and a path, such as `"GET /diaries/{id}"`. `*` matches every method; as the \
            last part of a path, it matches the rest of the path. A literal part takes precedence over a parameter, \
            and a parameter over `*`. A path with a trailing slash is a different path. A `GET` route also responds to \
            `HEAD`. The server responds to `OPTIONS` with `Allow` unless a route exists for `OPTIONS`.

            The server evaluates a request in this order: the guards before the tokens, the tokens, the guards after \
            the tokens, `rate`, `find`, the `responses` that a story adds to a route with cases, the cases, and the responses. \
            A matching case then checks the tokens that it `requires`. For example, one token endpoint can define a \
            case for each grant, and one GraphQL URL can offer open and secured operations. In a route, the keys of a \
            response define the route's own response; `optional` applies to all of the route's responses.
            """
    ) {
        ObjectKey.requires(\.requirements)
        ObjectKey("rate", \.rate, .object, "The limit on requests in a window of time.")
            .example(["requests": 60, "window": "1m", "per": "account"])
        ObjectKey("find", .map(of: .object(Selection.self), names: .name)) { route, tree, builder in
            route.finds = Find.all(Optional(tree).members, &builder)
        }
        .summary("Item selections for the cases and responses, by name, evaluated in the listed order.")
        .example(["note": ["one": "notes", "where": ["/id": "{{request.path.id}}"]]])
        ObjectKey.cases(\.cases)
        ObjectKey("hold", .object(Gate.self), "The gate at which the route's requests wait for each other.")
            .example(["until": 2])
        StubResponse.keys.list as [any FormatKey]
        ResponseSequence.keys as [any FormatKey]
    }

    static var shape: ObjectShape { keys.shape }
}

extension ObjectKey {
    /// The key for the tokens that a route or a fallback requires.
    fileprivate static func requires(
        _ property: any WritableKeyPath<Root, [TokenRequirement]> & Sendable,
        _ summary: String = "The tokens that the route requires, by kind and state.",
        example: JSONValue = ["refresh": "valid", "access": ["expired", "valid"]]
    ) -> Self {
        Self("requires", ValueType<[TokenRequirement]>.requirements, summary) { $0[keyPath: property] = $1 }
            .example(example)
    }

    /// The key for the cases of a route or a fallback.
    fileprivate static func cases(_ property: any WritableKeyPath<Root, [Branch]> & Sendable) -> Self {
        Self(
            "cases",
            ValueType<[Branch]>.list(of: .object),
            "Conditional responses. The first response whose condition holds is sent."
        ) { $0[keyPath: property] = $1 }
        .example([["when": ["query": ["page": "0"]], "status": 400, "empty": true]])
    }
}

/// The responses to requests without a route: as a route, without a key.
package struct Fallback: Sendable {
    package var requirements: [TokenRequirement] = []
    package var cases: [Branch] = []
    /// A Boolean value that indicates whether the listed responses go before the cases.
    package var listsFirst = false
    /// Without any response, what no case takes is left to the tool.
    package var responses = ResponseSequence()

    /// The tokens that it requires, and those that its cases require.
    package var allRequirements: [TokenRequirement] { requirements + cases.flatMap(\.requirements) }

    /// All responses that it may give, in any case; without the refusals of the token kinds.
    package var allResponses: [StubResponse] {
        allRequirements.flatMap(\.rejections).map(\.response)
            + (cases.map(\.responses) + [responses]).flatMap(\.all)
    }
}

extension Fallback: FormatObject {
    static let keys = ObjectKeys<Fallback>(
        "fallback",
        "a fallback response",
        "the response to requests that match no route",
        exclusive: [StubResponse.bodies],
        rules: StubResponse.rules,
        StubResponse.deliveryRules,
        StubResponse.noUploadRate,
        ResponseSequence.rules(alsoWith: ["requires", "cases"])
    ) {
        ObjectKey.requires(\.requirements)
        ObjectKey.cases(\.cases)
        StubResponse.keys.list as [any FormatKey]
        ResponseSequence.keys as [any FormatKey]
    }

    static var shape: ObjectShape { keys.shape }

    /// Reads what is answered where no route is.
    ///
    /// With cases or tokens to look at, it has a response next to them only if it says so.
    fileprivate init(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        let outer = builder.line
        defer { builder.line = outer }
        builder.readDefaults(tree)
        Self.keys.fill(&self, tree, &builder)
        listsFirst = builder.listsFirst(in: tree)
        let always = tree["cases"] == nil && tree["requires"] == nil
        responses = ResponseSequence(tree, always: always, &builder)
    }
}

extension ValueType<Fallback> {
    static var fallback: Self { Self(.object(Fallback.self)) { Fallback($0, &$1) } }
}

/// Answers for requests that meet a condition.
package struct Branch: Sendable {
    package var condition = Condition.all([])
    /// The condition as the file has it, with its place; `nil` where it is left out.
    package var writtenCondition: JSONValue?
    /// The tokens that it requires in addition to those of its route, checked after the condition.
    package var requirements: [TokenRequirement] = []
    package var responses = ResponseSequence()
    package var position = JSONPosition.unknown
}

extension Branch: ModelObject {
    static let keys = Keys(
        "branch",
        "a case",
        "a response for requests that meet a condition",
        exclusive: [StubResponse.bodies],
        rules: StubResponse.rules,
        StubResponse.deliveryRules,
        StubResponse.noUploadRate,
        ResponseSequence.rules(alsoWith: [])
    ) {
        Key("when", \.condition, .condition, "The condition on the request.").required
            .example(["query": ["page": "0"]])
        ObjectKey.requires(
            \.requirements,
            "The tokens that the case requires in addition to its route's tokens, checked after the condition.",
            example: "refresh"
        )
        StubResponse.keys.list as [any FormatKey]
        ResponseSequence.keys as [any FormatKey]
    }

    mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        let outer = builder.line
        defer { builder.line = outer }
        builder.readDefaults(tree)
        responses = ResponseSequence(tree, always: true, &builder)
        (writtenCondition, position) = (tree["when"], tree.position)
    }
}
