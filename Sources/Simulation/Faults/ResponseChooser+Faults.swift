import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Responses to requests for which a fault was armed.
extension ResponseChooser {
    /// Takes the first armed fault of the request's route.
    mutating func takeFault(in context: inout ExchangeContext, _ backend: inout MockBackend) {
        guard !armedFaults.isEmpty else { return }
        let match = context.match ?? backend.played.script.backend.tree.match(context.request.request)
        context.match = match
        var route = context.evaluation?.fill?.operation
        if case .route(let index, _) = match { route = backend.played.script.backend.routes[index].id }
        let isForwarded = route == nil && backend.played.script.unmatched?.responses.own?.isForwarded == true
        context.armed = armedFaults.take(for: context.request.request, on: route, isForwarded: isForwarded)
    }

    /// The response of the fault that was taken; `nil` where the route is to respond.
    ///
    /// Tokens are noted and not judged, and nothing changes: it is as if another server in front had responded.
    mutating func armedAnswer(in context: inout ExchangeContext, _ backend: inout MockBackend) -> ChosenResponse? {
        guard let armed = context.armed, let response = armed.response else { return nil }
        if case .route(let index, let parameters) = context.match {
            context.route = backend.played.script.backend.routes[index]
            context.request.parameters = parameters
        } else {
            context.operation = context.evaluation?.fill?.operation
            context.request.parameters = armed.forwarded?.template.match(context.request.request.path) ?? []
        }
        backend.noteTokens(in: &context)
        context.answeredBy = "fault \(armed.number)"
        let status = response.response.status
        guard armed.lacksBody, impossibility(of: response, in: &context, &backend) == nil,
            let answer = usualAnswer(with: status, in: &context, &backend)
        else {
            context.requiredFields = context.fields(requiredBy: status, backend.played.script.backend.tree)
            return ChosenResponse(response)
        }
        context.armedHeaders = response.response.headers
        // The backend's own response is sent as the backend sends it.
        if case .scenario = answer.source { return answer }
        context.requiredFields = context.fields(requiredBy: status, backend.played.script.backend.tree)
        return answer
    }

    /// The response that the backend has for a status: one of the route's own, that of a guard or of `wrongMethod`, the
    /// contract's, or, for a failure of the server, that of another route.
    private mutating func usualAnswer(with status: Int, in context: inout ExchangeContext, _ backend: inout MockBackend)
        -> ChosenResponse?
    {
        func fits(_ response: CompiledResponse) -> Bool {
            let stub = response.response
            return stub.status == status && stub.fault == nil && stub.grants.isEmpty && stub.signIn == nil
                && !response.isWebSocket
        }
        for response in context.route?.allResponses ?? [] where fits(response) {
            if impossibility(of: response, in: &context, &backend) == nil { return ChosenResponse(response) }
        }
        let script = backend.played.script
        let common = (script.earlyGuards + script.lateGuards).map(\.response)
        let wrongMethod = status == 405 ? [script.wrongMethod?.responses.own].compactMap(\.self) : []
        for response in common + wrongMethod
        where fits(response) && impossibility(of: response, in: &context, &backend) == nil {
            var answer = ChosenResponse(response)
            if status == 405 { answer.allowedMethods = context.otherMethods(of: script.backend.tree) }
            return answer
        }
        if let documented = context.evaluation?.documented?(status) {
            return answer(by: documented, in: &context, &backend)
        }
        if status >= 500,
            let response = backend.played.script.backend.routes.lazy.flatMap(\.allResponses).first(where: { response in
                fits(response) && response.isConstant
            })
        {
            return ChosenResponse(response)
        }
        return HTTPStatus(status).forbidsBody || status < 400 ? nil : ChosenResponse(.armed(status))
    }
}

extension Problem {
    /// The response of a fault that has no body, to a route without a response of the same status.
    fileprivate static func armed(_ status: Int) -> Problem {
        Problem(
            "armed-fault",
            status: status,
            title: "A fault was armed for this route",
            detail: "Neither the backend nor a contract has a response with status \(status) for this route."
        )
    }
}

extension ExchangeContext {
    /// The message with the header fields of the armed fault.
    mutating func addArmedFields(to message: ResponseMessage, _ backend: inout MockBackend) -> ResponseMessage {
        guard !armedHeaders.isEmpty || !requiredFields.isEmpty else { return message }
        var response = message.response
        for header in armedHeaders { response.fields.remove(header.name) }
        backend.render(armedHeaders, to: &response.fields, in: &self)
        for (name, value) in requiredFields where !response.fields.contains(name) {
            response.fields.append(name, value)
        }
        return .made(response)
    }

    /// The header fields that a response must have because of its status (RFC 9110, sections 15.5.2, 15.5.6 and 15.5.8).
    fileprivate func fields(requiredBy status: Int, _ routes: RouteTree) -> [(name: String, value: String)] {
        switch status {
        case 401:
            let kind = route.flatMap { ($0.requirements + $0.cases.flatMap(\.requirements)).first?.kind }
            return Problem.refused(kind ?? "", kind == nil ? .missing : .unknown).fields
        case 405: return [("Allow", otherMethods(of: routes).joined(separator: ", "))]
        case 407: return [("Proxy-Authenticate", "Basic realm=\"backlot\"")]
        default: return []
        }
    }

    /// The methods that the request's path allows if it does not allow that of the request.
    fileprivate func otherMethods(of routes: RouteTree) -> [String] {
        guard case .route(let index, _) = match else { return [] }
        return routes.methods(of: routes.keys[index].template, without: request.request.method)
    }
}
