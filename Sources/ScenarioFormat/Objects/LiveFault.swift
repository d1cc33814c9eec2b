import Basics
package import JSON

/// A failure that a user arms on a running server: a response, a delay or a broken connection for the next requests of a
/// route.
///
/// No file contains it. A story lists `responses` instead, or arms a fault with an event.
package struct LiveFault: Sendable {
    /// The key of a route, an operation of the contract, or the text of ``forwarded``.
    package var route = ""
    /// The method and the path of requests that have no route and are sent on to the upstream server.
    package fileprivate(set) var forwarded: RouteKey?
    /// The number of requests; `nil` for as many as arrive during ``duration``.
    package var times: Int?
    /// The virtual time after which it ends.
    package var duration: Duration?
    /// The response that replaces the route's response, or only the manner in which the route's response is sent.
    package var response = StubResponse()
    /// A Boolean value that indicates whether a response is sent instead of the route's.
    package private(set) var replacesResponse = false
    /// A Boolean value that indicates whether the response has a body; without one, its body is the one that the backend
    /// or the contract has for its status.
    package private(set) var hasBody = false

    /// The keys that it shares with responses of the format.
    private static let responseKeys = ["status", "headers", "json", "text", "latency", "fault"]
}

extension LiveFault: ModelObject {
    static let keys = Keys(
        "liveFault",
        "a fault",
        "a failure of the next requests to a route",
        exclusive: [["json", "text"]],
        rules: [
            ObjectRule(
                .hasAny(["fault", "status", "json", "text", "latency"]),
                "scenario/missing-key",
                "a fault requires \"status\", \"json\", \"text\", \"latency\" or \"fault\""
            )
        ]
    ) {
        Key("route", \.route, .text(.filled), "The route, or the operation of the contract.").required
        Key("times", \.times, .integer(1...1_000_000), "The number of requests.")
        Key("for", \.duration, .longDuration, "The virtual time after which the fault ends.")
        StubResponse.keys.list.filter { responseKeys.contains($0.name) }.map { $0.inside(\.response) }
    }

    mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        hasBody = tree["json"] != nil || tree["text"] != nil
        replacesResponse = hasBody || tree["status"] != nil
        if times == nil, duration == nil { times = 1 }
    }
}

extension LoadedScenario {
    /// Reads a fault, as the admin API receives it.
    ///
    /// - Parameter operations: the operations of the contract that have no route here.
    /// - Throws: ``ScenarioError`` with everything that is wrong with it.
    package func fault(from tree: JSONValue, operations: [String]) throws(ScenarioError) -> LiveFault {
        var checker = ShapeChecker(sources: SourceMap())
        checker.check(tree, against: .object(LiveFault.self))
        var builder = ScenarioBuilder(namesOf: root)
        let name = tree["route"]?.string ?? ""
        let key = Result { () throws(RouteKey.Problem) in try RouteKey(parsing: name) }
        var forwarded: RouteKey?
        if let route = tree["route"], !(builder.names.routes + operations).contains(name.exact) {
            switch key {
            case .success(let key) where scenario.unmatched?.isForwarded == true: forwarded = key
            case .failure(let problem) where scenario.unmatched?.isForwarded == true:
                builder.report("scenario/bad-route", problem.message, at: route.position, advice: problem.advice)
            default: builder.expect(name, among: builder.names.routes + operations, as: "route", at: route.position)
            }
        }
        builder.scope.pathParameters = (try? key.get())?.template.parameterNames ?? []
        var fault = LiveFault.keys.read(tree, &builder)
        fault?.forwarded = forwarded
        let findings = checker.findings + builder.findings
        guard let fault, !findings.contains(where: { $0.severity == .error }) else { throw ScenarioError(findings) }
        return fault
    }
}
