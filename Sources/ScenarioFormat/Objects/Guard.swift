import Basics
import HTTPCodec
package import JSON

/// A check that may answer instead of any route.
package struct Guard: Sendable {
    enum Order: String, CaseIterable {
        case beforeTokens
        case afterTokens
    }

    package var name = ""
    package var condition = Condition.all([])
    /// The condition as the file has it, with its place; `nil` where it is left out.
    package var writtenCondition: JSONValue?
    package var response = StubResponse()
    var order = Order.beforeTokens
}

extension Guard: ModelObject {
    static let keys = Keys(
        "guardRule",
        "a guard",
        "a check on every route",
        exclusive: [StubResponse.bodies],
        rules: StubResponse.rules,
        StubResponse.deliveryRules,
        StubResponse.noUploadRate
    ) {
        Key("name", \.name, .text(.any), "The guard's name in the log.").otherwise("guard 1, …").example("version")
        Key("when", \.condition, .condition)
            .summary("The condition under which the guard responds instead of the route.")
            .required.example(["header": ["X-Version": ["exists": false]]])
        Key("order", \.order, .word, "The position of the guard: before or after the token check.")
        StubResponse.keys.list as [any FormatKey]
    }

    mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        response = builder.response(tree)
        writtenCondition = tree["when"]
    }
}
