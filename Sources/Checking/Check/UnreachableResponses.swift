import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// Finds responses that no request can get, because something before them takes every request that they are for.
///
/// It compares what is written, and does not report what a request could decide: a case is behind another one that asks
/// for nothing, or for nothing but what the case itself asks for.
struct UnreachableResponses {
    let loaded: LoadedScenario

    var findings: [Finding] {
        let scenario = loaded.scenario
        var found: [Finding] = []
        for route in scenario.routes + scenario.origins.flatMap(\.routes) {
            let method = route.key.method?.rawValue
            found += findings(route.cases, route.responses, of: route.key.text, method, listsFirst: route.listsFirst)
        }
        for (name, parts) in [("unmatched", scenario.unmatched), ("wrongMethod", scenario.wrongMethod)] {
            guard let parts else { continue }
            found += findings(parts.cases, parts.responses, of: name, nil, listsFirst: parts.listsFirst)
        }
        return found + guards()
    }

    /// - Parameter method: the method of all requests; `nil` if they may have several.
    private func findings(
        _ cases: [Branch],
        _ responses: ResponseSequence,
        of name: String,
        _ method: String?,
        listsFirst: Bool
    ) -> [Finding] {
        let asked = cases.map { ConditionParts($0.writtenCondition, method: method) }
        var findings = ConditionIndex.rivals(of: asked).map { number, first in
            finding(
                "case \(number + 1) of \(name)",
                at: cases[number].position,
                behind: "case \(first + 1)",
                at: cases[first].position,
                because: asked[first].isEmpty ? "matches every request" : "matches all of its requests",
                advice: "move this response before that case, or remove it"
            )
        }
        guard let first = asked.firstIndex(where: \.isEmpty) else { return findings.compactMap(\.self) }
        let listed = listsFirst ? nil : responses.listed.first?.position
        for (position, what) in [(listed, "the response list of"), (responses.ownPosition, "the response of")] {
            guard let position else { continue }
            findings.append(
                finding(
                    "\(what) \(name)",
                    at: position,
                    behind: "case \(first + 1)",
                    at: cases[first].position,
                    because: "matches every request",
                    advice: "add \"when\" to that case, or remove this response"
                )
            )
        }
        return findings.compactMap(\.self)
    }

    private func guards() -> [Finding] {
        let guards = loaded.scenario.earlyGuards + loaded.scenario.lateGuards
        let asked = guards.map { ConditionParts($0.writtenCondition, method: nil) }
        return ConditionIndex.rivals(of: asked).compactMap { number, first in
            finding(
                "the guard \"\(guards[number].name)\"",
                at: guards[number].response.position,
                behind: "the guard \"\(guards[first].name)\"",
                at: guards[first].response.position,
                because: asked[first].isEmpty ? "matches every request" : "matches all of its requests",
                advice: "move this guard before that guard, or remove it"
            )
        }
    }

    private func finding(
        _ what: String,
        at position: JSONPosition,
        behind other: String,
        at place: JSONPosition,
        because reason: String,
        advice: String
    ) -> Finding? {
        // A story that puts something before what its backend has means it.
        guard position.isKnown,
            position.document == loaded.root.position.document || position.document == place.document
        else { return nil }
        let first = loaded.sources.place(of: place)
        return Finding(
            .error,
            id: "check/never-played",
            "\(what) is never used, because \(other) precedes it and \(reason)".printable,
            at: loaded.sources.place(of: position),
            advice: advice.printable,
            related: [RelatedPlace(first, "this response is sent instead")]
        )
    }
}

/// The parts of a condition, all of which must hold.
private struct ConditionParts {
    struct Constraint: Hashable {
        /// The place that it is about: `query`, and the name there.
        var place: [String]
        var value: JSONValue
    }

    private(set) var constraints: Set<Constraint> = []

    var isEmpty: Bool { constraints.isEmpty }

    /// - Parameter method: the method of the route, where it is always the same.
    init(_ tree: JSONValue?, method: String?) {
        for member in tree?.object?.members ?? [] where member.name != "$comment" {
            switch member.name {
            case "all":
                for part in member.value.array ?? [] {
                    constraints.formUnion(ConditionParts(part, method: method).constraints)
                }
            // A route for GET takes HEAD, too.
            case "method" where method != "GET" && method != nil && member.value.string == method: break
            case "path", "query", "body", "form", "part", "state", "found", "upload", "header":
                for field in member.value.object?.members ?? [] where field.name != "$comment" {
                    let name = member.name == "header" ? field.name.lowercased() : field.name
                    constraints.insert(Constraint(place: [member.name, name], value: field.value))
                }
            default: constraints.insert(Constraint(place: [member.name], value: member.value))
            }
        }
    }

    /// Returns whether everything that it asks for is asked for by another one.
    func isSubset(of other: ConditionParts) -> Bool { constraints.isSubset(of: other.constraints) }
}

/// Conditions in their order, each listed under its rarest constraint, so that a later condition is compared with few.
private struct ConditionIndex {
    private let conditions: [ConditionParts]
    /// The first condition without constraints.
    private var open: Int?
    private var numbers: [ConditionParts.Constraint: [Int]] = [:]

    /// The conditions that require all that an earlier one requires, each with the first such one.
    static func rivals(of conditions: [ConditionParts]) -> [(number: Int, first: Int)] {
        var index = ConditionIndex(conditions: conditions)
        return conditions.indices.compactMap { number in index.rival(of: number).map { (number, $0) } }
    }

    private init(conditions: [ConditionParts]) { self.conditions = conditions }

    private mutating func rival(of number: Int) -> Int? {
        let condition = conditions[number]
        let listed = condition.constraints.compactMap { constraint in
            numbers[constraint]?.first { conditions[$0].isSubset(of: condition) }
        }
        if let rival = (listed + [open].compactMap(\.self)).min() { return rival }
        let rarest = condition.constraints.min { numbers[$0, default: []].count < numbers[$1, default: []].count }
        if let rarest { numbers[rarest, default: []].append(number) } else { open = number }
        return nil
    }
}

extension Condition {
    /// The known facts about the requests that a guard looks at.
    struct Requests {
        var method: HTTPMethod
        var template: PathTemplate
        /// A Boolean value that indicates whether a request says which device or account it comes from.
        var isAnonymous: Bool
    }

    /// Returns whether a condition may hold for some of these requests.
    func mayHold(for requests: Requests) -> Bool {
        let verdict = holds { part in
            switch part {
            case .request(.method, let matcher): matcher.accepts(requests.method.rawValue)
            case .request(.pathParameter(let name), let matcher) where !requests.template.parameterNames.contains(name):
                matcher.accepts(nil)
            case .request(let part, let matcher) where part.isOfCaller && requests.isAnonymous:
                matcher.accepts(nil)
            default: nil
            }
        }
        return verdict != false
    }

    /// Returns whether it holds; `nil` where what is known of its parts does not decide.
    private func holds(_ part: (Condition) -> Bool?) -> Bool? {
        switch self {
        case .all(let conditions): conditions.map { $0.holds(part) }.allHold
        // One of them holds unless all do not.
        case .any(let conditions): conditions.map { $0.holds(part).map { !$0 } }.allHold.map { !$0 }
        case .not(let condition): condition.holds(part).map { !$0 }
        default: part(self)
        }
    }
}

extension [Bool?] {
    /// A Boolean value that indicates whether each of them holds; `nil` where one is not known, and no other decides.
    fileprivate var allHold: Bool? { contains(false) ? false : contains(nil) ? nil : true }
}

extension Matcher {
    /// Returns whether a text, or its absence, is accepted; `nil` where only the engine knows.
    fileprivate func accepts(_ text: String?) -> Bool? {
        switch self {
        case .all(let matchers): return matchers.map { $0.accepts(text) }.allHold
        case .not(let matcher): return matcher.accepts(text).map { !$0 }
        case .equals(let wanted): return text.map { wanted == .string($0) } ?? false
        case .oneOf(let wanted): return text.map { wanted.contains(.string($0)) } ?? false
        case .exists(let wanted): return (text != nil) == wanted
        default: return nil
        }
    }
}

extension SurveyedResponse {
    /// Returns whether the response may be given where the route has found a value under a name.
    func isPossible(where name: String, is value: JSONValue) -> Bool {
        condition?.holds(where: name, is: value) != false
            && !earlier.contains { $0.holds(where: name, is: value) == true }
    }
}

extension Condition {
    /// Returns whether it holds where a value was found under a name; `nil` where that does not decide.
    fileprivate func holds(where name: String, is value: JSONValue) -> Bool? {
        holds { part in
            switch part {
            case .found(let found, let isThere) where found.exact == name.exact:
                (value["exists"]?.bool ?? true) == isThere
            case .foundValue(let found, let pointer, let matcher) where found.exact == name.exact:
                matcher.operands.isEmpty ? try? matcher.isMet(by: pointer.value(in: value)) : nil
            default: nil
            }
        }
    }
}
