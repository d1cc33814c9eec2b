package import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat

/// Faults for the next requests of a route, which the story or a user has armed.
extension Session {
    struct ArmedFault: Sendable {
        /// Counts from one in each session.
        var number = 0
        /// The route's id, or the operation of the contract.
        var route: String
        /// The number of requests left; `nil` for as many as arrive until ``end``.
        var remaining: Int?
        var end: VirtualTime?
        /// The failure of the connection.
        var fault: Fault?
        var latency: Latency?
        /// The response that is sent instead of the route's.
        var response: CompiledResponse?
        /// A Boolean value that indicates whether the response does not define a body.
        var lacksBody = false
        /// The part of the story that it is; `nil` where a user has armed it.
        var part: StoryPart?
    }

    /// The maximum number of armed faults: 1,000.
    package static let mostFaults = 1_000

    /// Arms a fault for the next requests of a route; returns `false` if there are too many.
    package mutating func arm(_ fault: LiveFault, at now: MonotonicTime) -> Bool {
        let time = catchUp(at: now)
        return arm(
            ArmedFault(
                route: fault.route,
                remaining: fault.times,
                end: fault.duration.map { time + $0 },
                fault: fault.response.fault,
                latency: fault.response.latency,
                // Other numbers than those of the scenario's responses.
                response: fault.replacesResponse
                    ? CompiledResponse(fault.response, number: -(lastFault + 1)) : nil,
                lacksBody: !fault.hasBody
            )
        )
    }

    @discardableResult
    mutating func arm(_ fault: ArmedFault) -> Bool {
        guard allowsFaults(1) else { return false }
        lastFault += 1
        var fault = fault
        fault.number = lastFault
        armedFaults.append(fault)
        return true
    }

    /// Returns whether so many more faults can be armed.
    package func allowsFaults(_ count: Int) -> Bool { armedFaults.count + count <= Self.mostFaults }

    /// Clears an armed fault, or all of them; returns how many there were.
    @discardableResult
    package mutating func clearFaults(number: Int? = nil) -> Int {
        let count = armedFaults.count
        armedFaults.removeAll { number == nil || $0.number == number }
        return count - armedFaults.count
    }

    /// Removes the faults whose time is over.
    mutating func endFaults(at time: VirtualTime) {
        armedFaults.removeAll { $0.end.map { $0 <= time } ?? false }
    }

    package var faultsJSON: JSONValue { ["armed": .array(armedFaults.map(\.json))] }
}

extension Session.ArmedFault {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["number": .number(JSONNumber(number)), "route": .string(route)]
        if let response { object["status"] = .number(JSONNumber(response.response.status)) }
        if let latency { object["latency"] = .string(latency.words) }
        if let fault { object["fault"] = .string(fault.kind.rawValue) }
        if let remaining { object["times"] = .number(JSONNumber(remaining)) }
        if let end { object["until"] = .string(end.description) }
        return .object(object)
    }
}

extension Latency {
    fileprivate var words: String {
        switch distribution {
        case .fixed(let duration): DurationText.text(duration)
        case .uniform(let least, let most): "\(DurationText.text(least)) to \(DurationText.text(most))"
        case .logNormal(let median, _, _): "\(DurationText.text(median)) in the median"
        }
    }
}

extension Session {
    /// Takes the first armed fault of the request's route.
    mutating func takeFault(in context: inout ExchangeContext) {
        guard !armedFaults.isEmpty else { return }
        let match = context.match ?? played.script.backend.tree.match(context.request.request)
        context.match = match
        var route = context.evaluation?.fill?.operation
        if case .route(let index, _) = match { route = played.script.backend.routes[index].id }
        guard let index = armedFaults.firstIndex(where: { fault in route.map(fault.route.hasSameUTF8) ?? false }) else {
            return
        }
        context.armed = armedFaults[index]
        guard let remaining = armedFaults[index].remaining else { return }
        armedFaults[index].remaining = remaining - 1
        if remaining <= 1 { armedFaults.remove(at: index) }
    }

    /// The response of the fault that was taken; `nil` where the route is to respond.
    ///
    /// Tokens are noted and not judged, and nothing changes: it is as if another server in front had responded.
    mutating func armedAnswer(in context: inout ExchangeContext) -> ChosenResponse? {
        guard let armed = context.armed, let response = armed.response else { return nil }
        if case .route(let index, let parameters) = context.match {
            context.route = played.script.backend.routes[index]
            context.request.parameters = parameters
        } else {
            context.operation = context.evaluation?.fill?.operation
        }
        noteTokens(in: &context)
        context.answeredBy = "fault \(armed.number)"
        guard armed.lacksBody, impossibility(of: response, in: &context) == nil,
            let answer = usualAnswer(with: response.response.status, in: &context)
        else { return ChosenResponse(response) }
        context.armedHeaders = response.response.headers
        return answer
    }

    /// The response that the backend has for a status: one of the route's own, the contract's, or, for a failure of the
    /// server, that of another route.
    private mutating func usualAnswer(with status: Int, in context: inout ExchangeContext) -> ChosenResponse? {
        func fits(_ response: CompiledResponse) -> Bool {
            let stub = response.response
            return stub.status == status && stub.fault == nil && stub.grants.isEmpty && stub.signIn == nil
                && !response.isWebSocket
        }
        for response in context.route?.allResponses ?? [] where fits(response) {
            if impossibility(of: response, in: &context) == nil { return ChosenResponse(response) }
        }
        if let documented = context.evaluation?.documented?(status) { return answer(by: documented, in: &context) }
        if status >= 500,
            let response = played.script.backend.routes.lazy.flatMap(\.allResponses).first(where: { response in
                fits(response) && response.isConstant
            })
        {
            return ChosenResponse(response)
        }
        return HTTPStatus(status).forbidsBody || status < 400 ? nil : ChosenResponse(.armed(status))
    }
}

extension CompiledRoute {
    /// Its responses, the refusals of tokens last.
    fileprivate var allResponses: [CompiledResponse] {
        let sequences = [responses] + cases.map(\.responses)
        let requirements = requirements + cases.flatMap(\.requirements)
        return sequences.flatMap { [$0.own].compactMap(\.self) + $0.listed }
            + requirements.flatMap { requirement in
                TokenStanding.allCases.compactMap { requirement.rejections[$0] }
            }
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
