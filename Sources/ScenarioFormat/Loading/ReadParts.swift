import JSON

/// What was read of the parts of a scenario, for the next one in which they are the very same.
///
/// Stories and variants change little of their backend, so that most routes of one are those of all the others.
struct ReadParts {
    /// What reading a part has told about the whole, which is checked at the end.
    struct Notes {
        var changedStates: ArraySlice<Event.StateChange>
        var testedStates: ArraySlice<(name: String, value: String, position: JSONPosition)>
        var signedInDevices: ArraySlice<String>
        var mentionedDevices: ArraySlice<(name: String, position: JSONPosition)>
        var members: ItemMembers
    }

    /// A part, the tree that it was read from, and what was noted meanwhile.
    struct Part<Value> {
        var tree: JSONObject.Member
        var value: Value
        var notes: Notes
    }

    var collections: (value: [ItemCollection], notes: Notes)?
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
    struct Surroundings {
        private static let keys = ScenarioKeys.shape.keys.map(\.name).filter { !ScenarioKeys.apart.contains($0) }
        private let trees: [JSONValue?]
        private let names: [[String]]

        /// - Parameter names: whatever else is gathered from all of the scenario before its parts are read, such as
        ///   the names of routes.
        init(_ root: JSONValue, names: [[String]]) {
            trees = Self.keys.map { root[$0] }
            self.names = names
        }

        func isSame(as other: Surroundings) -> Bool {
            names.count == other.names.count
                && zip(names, other.names).allSatisfy { own, other in
                    own.count == other.count && zip(own, other).allSatisfy { $0.hasSameUTF8(as: $1) }
                }
                && zip(trees, other.trees).allSatisfy { own, other in
                    guard let own, let other else { return own == nil && other == nil }
                    return own.isSameInstance(as: other)
                }
        }
    }
}

extension ScenarioBuilder {
    /// How much was noted and found so far.
    struct Progress {
        fileprivate var findings: Int
        fileprivate var changedStates: Int
        fileprivate var testedStates: Int
        fileprivate var signedInDevices: Int
        fileprivate var mentionedDevices: Int
        fileprivate var members: ItemMembers
    }

    /// Begins to read a part; ``notes(since:)`` ends it.
    mutating func beginPart() -> Progress {
        defer { members = ItemMembers() }
        return Progress(
            findings: findings.count,
            changedStates: changedStates.count,
            testedStates: testedStates.count,
            signedInDevices: signedInDevices.count,
            mentionedDevices: mentionedDevices.count,
            members: members
        )
    }

    /// What was noted since; `nil` where something was found, which has to be told again.
    mutating func notes(since start: Progress) -> ReadParts.Notes? {
        let own = members
        members = start.members
        members.add(own)
        guard findings.count == start.findings else { return nil }
        return ReadParts.Notes(
            changedStates: changedStates[start.changedStates...],
            testedStates: testedStates[start.testedStates...],
            signedInDevices: signedInDevices[start.signedInDevices...],
            mentionedDevices: mentionedDevices[start.mentionedDevices...],
            members: own
        )
    }

    mutating func take(_ notes: ReadParts.Notes) {
        changedStates += notes.changedStates
        testedStates += notes.testedStates
        signedInDevices += notes.signedInDevices
        mentionedDevices += notes.mentionedDevices
        members.add(notes.members)
    }
}
