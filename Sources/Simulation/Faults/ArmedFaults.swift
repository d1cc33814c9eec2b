import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The faults for the next requests of routes, which the story or a user has armed, in the order of their numbers.
struct ArmedFaults: Sendable {
    /// The maximum number of armed faults.
    static let most = 1_000

    private(set) var faults: [ArmedFault] = []
    /// The number of the fault that was armed last.
    private(set) var lastNumber = 0

    var isEmpty: Bool { faults.isEmpty }

    /// Returns whether so many more faults can be armed.
    func hasRoom(for count: Int) -> Bool { faults.count + count <= Self.most }

    /// Arms a fault, which gets a number; returns `false` if there are too many.
    mutating func arm(_ fault: ArmedFault) -> Bool {
        guard hasRoom(for: 1) else { return false }
        lastNumber += 1
        var fault = fault
        fault.number = lastNumber
        faults.append(fault)
        return true
    }

    /// Arms a fault from a moment on.
    mutating func arm(_ fault: LiveFault, at time: VirtualTime) -> Bool {
        arm(
            ArmedFault(
                route: fault.route,
                forwarded: fault.forwarded,
                remaining: fault.times,
                end: fault.duration.map { time + $0 },
                fault: fault.response.fault,
                latency: fault.response.latency,
                // Other numbers than those of the scenario's responses.
                response: fault.replacesResponse ? CompiledResponse(fault.response, number: -(lastNumber + 1)) : nil,
                lacksBody: !fault.hasBody
            )
        )
    }

    /// Removes the faults whose time is over.
    mutating func end(at time: VirtualTime) {
        if !faults.isEmpty { remove { $0.end.map { $0 <= time } ?? false } }
    }

    /// Removes some faults; returns their number.
    @discardableResult
    mutating func remove(where isRemoved: (ArmedFault) -> Bool) -> Int {
        let count = faults.count
        faults.removeAll(where: isRemoved)
        return count - faults.count
    }

    /// Takes the first fault that is for a request, once.
    ///
    /// - Parameters:
    ///   - route: the request's route or operation; `nil` without one.
    ///   - isForwarded: whether a request without a route is sent on.
    mutating func take(for request: HTTPRequest, on route: String?, isForwarded: Bool) -> ArmedFault? {
        let index = faults.firstIndex { fault in
            if let route { return fault.forwarded == nil && fault.route.exact == route.exact }
            return isForwarded && fault.forwarded?.matches(request) == true
        }
        guard let index else { return nil }
        let fault = faults[index]
        guard let remaining = fault.remaining else { return fault }
        faults[index].remaining = remaining - 1
        if remaining <= 1 { faults.remove(at: index) }
        return fault
    }
}

/// A fault for the next requests of a route.
struct ArmedFault: Sendable {
    /// Counts from one in each session.
    var number = 0
    /// The route's id, the operation of the contract, or the text of ``forwarded``.
    var route: String
    /// The requests that are sent on and have no route; `nil` for a fault of a route or operation.
    var forwarded: RouteKey?
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

extension ArmedFault {
    var json: JSONValue {
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
