import Basics
import JSON

/// The read parts of a scenario, for the next one in which they are identical.
///
/// Stories and variants change little of their backend, so that most routes of one are those of all the others.
struct ReadParts {
    /// A part, the tree that it was read from, and the notes of reading it.
    struct Part<Value: Sendable> {
        var tree: JSONObject.Member
        var value: Value
        var notes: ScenarioNotes
    }

    var collections: (value: [ItemCollection], notes: ScenarioNotes)?
    private var routes: [String: [Part<Route>]] = [:]

    func route(_ member: JSONObject.Member) -> Part<Route>? {
        routes[member.name]?.first { part in
            part.tree.namePosition == member.namePosition && part.tree.value.isSameInstance(as: member.value)
        }
    }

    mutating func keep(_ route: Part<Route>) {
        routes[route.tree.name, default: []].append(route)
    }

    /// Everything outside a route that what is read of it may depend on.
    struct Context {
        private static let keys = Scenario.shape.keys.map(\.name).filter { !Scenario.apart.contains($0) }
        private let trees: [JSONValue?]
        private let names: [[String]]

        /// - Parameter names: other data gathered from the whole scenario before its parts are read, such as
        ///   the names of routes.
        init(_ root: JSONValue, names: [[String]]) {
            trees = Self.keys.map { root[$0] }
            self.names = names
        }

        func isSame(as other: Context) -> Bool {
            names.count == other.names.count
                && zip(names, other.names).allSatisfy { own, other in
                    own.count == other.count && zip(own, other).allSatisfy { $0.exact == $1.exact }
                }
                && zip(trees, other.trees).allSatisfy { own, other in
                    guard let own, let other else { return own == nil && other == nil }
                    return own.isSameInstance(as: other)
                }
        }
    }
}

extension ScenarioBuilder {
    /// Begins to read a part; ``notes(since:)`` ends it.
    mutating func beginPart() -> (noted: ScenarioNotes, findings: Int) {
        defer { noted = ScenarioNotes() }
        return (noted, findings.count)
    }

    /// The notes since; `nil` if there was a finding, which has to be reported again.
    mutating func notes(since start: (noted: ScenarioNotes, findings: Int)) -> ScenarioNotes? {
        let own = noted
        noted = start.noted
        noted.add(own)
        return findings.count == start.findings ? own : nil
    }
}

extension Finding {
    /// The same for two findings that tell the same of the same value, wherever that was written.
    var gist: [String] { [id, message, place?.pointer ?? ""] }
}

extension JSONValue {
    /// A scenario's tree without the routes that it shares with another one, whose shape need not be checked again.
    func withoutRoutes(of other: JSONValue) -> JSONValue {
        guard var tree = object, let routes = self["routes"], let members = routes.object?.members,
            let others = other["routes"]?.object
        else { return self }
        let own = members.filter { member in
            guard let known = others.member(named: member.name) else { return true }
            return known.namePosition != member.namePosition || !known.value.isSameInstance(as: member.value)
        }
        tree["routes"] = JSONValue(.object(JSONObject(own)), at: routes.position)
        return JSONValue(.object(tree), at: position)
    }
}
