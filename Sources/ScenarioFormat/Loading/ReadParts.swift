import Basics
import JSON

/// The read parts of a scenario, for the next one in which they are identical.
///
/// Stories and variants change little of their backend, so that most routes of one are those of all the others.
struct ReadParts {
    /// The notes about the whole from reading a part, which are checked at the end.
    struct Notes {
        /// Every change of a state, and every test of one.
        var changedStates: [Event.StateChange] = []
        var testedStates: [(name: String, value: String, position: JSONPosition)] = []
        /// Every device that signs in by its name, and every other mention of one.
        var signedInDevices: [String] = []
        var mentionedDevices: [(name: String, position: JSONPosition)] = []
        /// The members that items have, and those that are used.
        var members = ItemMembers()
        var tls: Scenario.PlacedTLS = []

        mutating func add(_ other: Notes) {
            changedStates += other.changedStates
            testedStates += other.testedStates
            signedInDevices += other.signedInDevices
            mentionedDevices += other.mentionedDevices
            members.add(other.members)
            tls += other.tls
        }
    }

    /// A part, the tree that it was read from, and the notes of reading it.
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
    mutating func beginPart() -> (noted: ReadParts.Notes, findings: Int) {
        defer { noted = ReadParts.Notes() }
        return (noted, findings.count)
    }

    /// The notes since; `nil` if there was a finding, which has to be reported again.
    mutating func notes(since start: (noted: ReadParts.Notes, findings: Int)) -> ReadParts.Notes? {
        let own = noted
        noted = start.noted
        noted.add(own)
        return findings.count == start.findings ? own : nil
    }
}

/// Takes the variants out of a story's file, and lays each of them over the story.
struct VariantMerger {
    private(set) var findings: [Finding] = []
    private(set) var leading: Set<LeadingResponses> = []
    private let sources: SourceMap
    private var patches: [String: JSONValue] = [:]

    init(sources: SourceMap) {
        self.sources = sources
    }

    /// A file without its variants, which are its own: a story that extends it has none of them.
    static func story(in document: JSONValue) -> JSONValue {
        guard var object = document.object, object.removeMember(named: "variants") != nil else {
            return document
        }
        return JSONValue(.object(object), at: document.position)
    }

    /// The variants of the file that was asked for, each a whole tree.
    ///
    /// - Parameters:
    ///   - document: the file, with its variants.
    ///   - root: the story that it is, laid over its backend.
    ///   - known: what is wrong with the story already.
    mutating func merge(
        variantsOf document: JSONValue,
        over root: JSONValue,
        known: [Finding]
    ) -> [(name: String, root: JSONValue)] {
        guard let variants = Scenario.shape["variants"], let member = document.object?.member(named: "variants") else {
            return []
        }
        var whole = ShapeChecker(sources: sources, isPatch: true)
        whole.check(member.value, against: variants.shape, at: JSONPointer().appending(variants.name))
        findings += whole.findings
        guard document["extends"] != nil else {
            findings.append(
                Finding(
                    .error,
                    id: "scenario/idle-key",
                    "a backend must not define \"variants\"; only a story can define variants",
                    at: sources.place(of: member.namePosition),
                    advice: "move the variants to a file that \"extends\" this file"
                )
            )
            return []
        }
        let told = Set((known + findings).map(\.gist))
        return Optional(member.value).members.filter { $0.value.object != nil }.map { variant in
            (variant.name, merge(variant, over: root, told: told))
        }
    }

    private mutating func merge(_ variant: JSONObject.Member, over root: JSONValue, told: Set<[String]>) -> JSONValue {
        patches[variant.name] = variant.value
        var alone = ShapeChecker(sources: sources, isPatch: true)
        alone.check(variant.value, against: .object(StoryVariant.self))
        var merger = ShapeMerger(sources: sources)
        let merged = merger.merge(variant.value, over: root, along: .object(Scenario.self))
        findings += merger.findings
        leading.formUnion(merger.leading)
        // Mistakes of the patch alone have been reported.
        guard alone.findings.isEmpty else { return merged }
        var whole = ShapeChecker(sources: sources)
        whole.check(merged.withoutRoutes(of: root), against: .object(Scenario.self))
        findings += whole.findings.filter { !told.contains($0.gist) }
        return merged
    }

    /// The findings about a variant that its story does not have, with the variant's name if it is not obvious.
    func naming(_ name: String, in findings: [Finding], besides told: [Finding]) -> [Finding] {
        let told = Set(told)
        return findings.filter { !told.contains($0) }.map { finding in
            guard !isWritten(at: finding.place, in: patches[name]) else { return finding }
            var finding = finding
            let context = "in the variant \"\(name)\"".printable
            finding.advice = finding.advice.map { "\($0); \(context)" } ?? context
            return finding
        }
    }

    /// The changes of a variant, as written in its file.
    func patch(of variant: String) -> JSONValue? { patches[variant] }

    private func isWritten(at place: Place?, in value: JSONValue?) -> Bool {
        guard let value, let place else { return false }
        if sources.place(of: value.position) == place { return true }
        if let object = value.object {
            return object.members.contains { member in
                sources.place(of: member.namePosition) == place || isWritten(at: place, in: member.value)
            }
        }
        return value.array?.contains { isWritten(at: place, in: $0) } ?? false
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
