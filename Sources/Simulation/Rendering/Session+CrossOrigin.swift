import Basics
import HTTPCodec
import ScenarioFormat

/// Requests of other origins, as browsers make them.
extension Session {
    /// The answer to a preflight for a path that is known; `nil` for every other request.
    func preflight(_ context: ExchangeContext) -> ChosenResponse? {
        let request = context.request.request
        guard let rule = played.scenario.crossOrigin, context.origin == nil, request.method == .options,
            request.fields.contains("Origin"), request.fields.contains("Access-Control-Request-Method"),
            case .otherMethods(let allowed) = played.script.backend.tree.match(request)
        else { return nil }
        var problem = Problem.options(allowed)
        problem.fields.append(("Access-Control-Allow-Methods", allowed.joined(separator: ", ")))
        let asked = request.fields.joinedValue(of: "Access-Control-Request-Headers")
        let fields = rule.headers.isEmpty ? asked : rule.headers.joined(separator: ", ")
        if let fields, !fields.isEmpty { problem.fields.append(("Access-Control-Allow-Headers", fields)) }
        if let age = rule.maximumAge {
            problem.fields.append(("Access-Control-Max-Age", "\(age.components.seconds)"))
        }
        return ChosenResponse(problem)
    }

    /// The fields that let a page of another origin read the response.
    func shared(_ whole: ResponseMessage, with request: HTTPRequest) -> ResponseMessage {
        guard let rule = played.scenario.crossOrigin, let origin = request.fields["Origin"] else { return whole }
        var message = whole.response
        func add(_ name: String, _ value: String) {
            if !message.fields.contains(name) { message.fields.append(name, value) }
        }
        let isForAll = rule.origins == nil && !rule.allowsCredentials
        if !isForAll, !message.fields.contains("Vary", token: "Origin") { message.fields.append("Vary", "Origin") }
        guard rule.origins.map({ $0.contains { $0.exact == origin.exact } }) ?? true else { return .made(message) }
        add("Access-Control-Allow-Origin", isForAll ? "*" : origin)
        if rule.allowsCredentials { add("Access-Control-Allow-Credentials", "true") }
        if !rule.exposed.isEmpty { add("Access-Control-Expose-Headers", rule.exposed.joined(separator: ", ")) }
        return .made(message)
    }
}
