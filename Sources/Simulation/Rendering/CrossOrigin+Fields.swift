import Basics
import HTTPCodec
import ScenarioFormat

/// Requests of other origins, as browsers make them.
extension CrossOrigin {
    /// The answer to a preflight for a path that is known; `nil` for every other request.
    func preflight(_ request: HTTPRequest, among routes: RouteTree) -> Problem? {
        guard request.method == .options, request.fields.contains("Origin"),
            request.fields.contains("Access-Control-Request-Method"),
            case .otherMethods(let allowed) = routes.match(request)
        else { return nil }
        var problem = Problem.options(allowed)
        problem.fields.append(("Access-Control-Allow-Methods", allowed.joined(separator: ", ")))
        let asked = request.fields.joinedValue(of: "Access-Control-Request-Headers")
        let fields = headers.isEmpty ? asked : headers.joined(separator: ", ")
        if let fields, !fields.isEmpty { problem.fields.append(("Access-Control-Allow-Headers", fields)) }
        if let age = maximumAge {
            problem.fields.append(("Access-Control-Max-Age", "\(age.components.seconds)"))
        }
        return problem
    }

    /// The response with the fields that let a page of another origin read it.
    func shared(_ whole: ResponseMessage, with request: HTTPRequest) -> ResponseMessage {
        guard let origin = request.fields["Origin"] else { return whole }
        var message = whole.response
        func add(_ name: String, _ value: String) {
            if !message.fields.contains(name) { message.fields.append(name, value) }
        }
        let isForAll = origins == nil && !allowsCredentials
        if !isForAll, !message.fields.contains("Vary", token: "Origin") { message.fields.append("Vary", "Origin") }
        guard origins.map({ $0.contains { $0.exact == origin.exact } }) ?? true else { return .made(message) }
        add("Access-Control-Allow-Origin", isForAll ? "*" : origin)
        if allowsCredentials { add("Access-Control-Allow-Credentials", "true") }
        if !exposed.isEmpty { add("Access-Control-Expose-Headers", exposed.joined(separator: ", ")) }
        return .made(message)
    }
}
