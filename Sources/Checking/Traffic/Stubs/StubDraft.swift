package import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat

/// Stubs of another tool, on their way to a backend: the responses to requests, and the parts that were left out.
package struct StubDraft: Sendable {
    /// One response and the requests that it is for.
    struct Stub: Sendable {
        /// `*` for any.
        var method: String
        /// The path template.
        var path: String
        var condition = DraftCondition()
        /// The condition without what tells it from other examples of its request; `nil` where that is not known.
        var general: DraftCondition?
        var response = DraftRoute()
        /// Smaller ones come first.
        var priority = 5
        var position = JSONPosition.unknown
        /// The comments for readers of the backend.
        var comments: [String] = []

        var key: String { "\(method) \(path)" }
    }

    /// The order in which a tool looks at its stubs.
    enum Order: Sendable {
        /// All stubs that fit the request, the first one by priority and then by place.
        case first
        /// The same, but the last one by place.
        case last
        /// The stubs of the best path alone, in their order.
        case listed
        /// The stubs of the best path alone, and of those the one with most conditions.
        case byPath
    }

    /// The file that is read, as the user would write it.
    var file: String
    var name: String
    var order = Order.byPath
    /// Reads a file that a mapping names as a body; `nil` if the file does not exist.
    var bodyFile: @Sendable (String) -> [UInt8]?
    private(set) var stubs: [Stub] = []
    /// The values of each state, the first of which is the initial one.
    var states: [String: [String]] = [:]
    /// Further parts of the backend.
    var backend = DraftScenario()
    /// Routes in addition to those of the stubs.
    var routes = JSONObject()
    private var fixtures = DraftFixtures()
    /// The parts that were left out, with the reasons, and what a stub cannot do.
    package private(set) var findings: [Finding] = []
    /// The comments of the backend as a whole.
    private var comments: [String] = []
    /// The comments of the stub that is being read.
    private var pending: [String] = []
    /// The files that were read, by the document number of their values.
    private var sources: [Int32: String] = [:]
    /// The routes that give fixed refresh tokens.
    private var fixed: Set<String> = []

    init(_ name: String, file: String, bodyFile: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }) {
        (self.name, self.file, self.bodyFile) = (name, file, bodyFile)
        sources[0] = file
    }

    /// Notes from which file the values of a document come.
    mutating func begin(_ root: JSONValue, of file: String) {
        self.file = file
        sources[root.position.document] = file
    }

    // MARK: Notes

    /// Notes that something was left out, here and in the backend.
    mutating func leaveOut(_ what: String, at value: JSONValue) {
        note("left-out", "left out: \(what)", at: value)
        pending.append("left out: \(what)")
    }

    /// Notes that something is only a guess or differs from the other tool, here and in the backend.
    mutating func assume(_ what: String, at value: JSONValue) {
        note("assumed", what, at: value)
        pending.append(what)
    }

    private mutating func note(_ id: String, _ message: String, at value: JSONValue) {
        let position = value.position.isKnown ? value.position.text : nil
        findings.append(Finding(.note, id: "import/\(id)", message, at: Place(file: file, position: position)))
    }

    /// A file of which nothing can be imported, with the first part that was left out as the reason.
    func nothing(_ sentence: String, at position: JSONPosition) -> CaptureProblem {
        let reason = findings.first.map { "; \($0.message)" } ?? ""
        return CaptureProblem(sentence + reason, in: file, at: position)
    }

    /// Puts the comments of a stub that was not added into the backend.
    mutating func drop() {
        comments += pending
        pending = []
    }

    /// Adds a stub, and says once for a route that it takes any refresh token, because its own never expire.
    mutating func add(_ stub: Stub) {
        var stub = stub
        stub.comments += pending
        pending = []
        stubs.append(stub)
        guard let token = Self.refreshToken(in: stub.response.json), fixed.insert(stub.key).inserted else { return }
        note(
            "fixed-tokens",
            "\(stub.key) grants fixed tokens and accepts any token, so tokens never expire and are never refused. Declare the "
                + "token kinds under \"tokens\"; see: backlot help time-and-tokens",
            at: token
        )
    }

    /// A refresh token in a response's body.
    private static func refreshToken(in value: JSONValue) -> JSONValue? {
        for member in value.object?.members ?? [] {
            if member.value.string != nil, TokenNames.sayToken(member.name),
                TokenNames.kind(of: member.name) == "refresh"
            {
                return member.value
            }
            if let token = refreshToken(in: member.value) { return token }
        }
        for element in value.array ?? [] { if let token = refreshToken(in: element) { return token } }
        return nil
    }

    /// A file with the bytes of a body.
    ///
    /// - Returns: its path relative to the backend.
    mutating func addFile(_ bytes: [UInt8]) -> String {
        fixtures.add(bytes, named: "body-\(fixtures.files.count + 1).bin")
    }

    /// Lets the first success of each route that has only examples with conditions respond to other requests as well.
    mutating func giveDefaults() {
        var routes: [String: [Int]] = [:]
        for (number, stub) in stubs.enumerated() { routes[stub.key, default: []].append(number) }
        for numbers in routes.values where !numbers.contains(where: { stubs[$0].condition == stubs[$0].general }) {
            let first = numbers.first { 200..<300 ~= stubs[$0].response[.status]?.int ?? 0 } ?? numbers[0]
            guard let general = stubs[first].general else { continue }
            stubs[first].condition = general
            stubs[first].comments.append("this response also answers other requests to this route")
        }
    }

    // MARK: Reading

    /// Reads the file of another tool, whichever its form says that it is of; `nil` for any other document.
    ///
    /// - Parameter bodyFile: reads a file that a mapping of WireMock names as a body.
    /// - Throws: where it is of one of them and cannot be read.
    package static func read(
        _ root: JSONValue,
        file: String,
        bodyFile: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }
    ) throws(CaptureProblem) -> StubDraft? {
        if WireMockReader.reads(root) { return try WireMockReader([(root, file)], bodyFile: bodyFile).draft }
        if root["interactions"]?.array != nil { return try PactReader(root, file: file).draft }
        if (root.array?.first ?? root)["httpRequest"] != nil { return try MockServerReader(root, file: file).draft }
        if root["item"] != nil, root["info"] != nil { return try PostmanReader(root, file: file).draft }
        if root["resources"]?.array != nil, root["_type"] == "export" {
            return try StubDraft(insomnia: root, file: file)
        }
        if let environment = MockoonReader.environment(of: root) {
            return try MockoonReader(environment, file: file).draft
        }
        return StubDraft(jsonServer: root, file: file)
    }

    /// The files that ``read(_:file:bodyFile:)`` knows, as a sentence says it.
    package static let known =
        "a HAR file contains \"log\"; WireMock mappings contain \"request\" and \"response\"; a Postman 2.1 collection "
        + "contains \"info\" and \"item\"; an Insomnia export contains \"resources\"; a Mockoon environment contains "
        + "\"routes\"; a Pact contains \"interactions\"; MockServer expectations contain \"httpRequest\"; a "
        + "json-server db.json contains lists of objects with \"id\""

    // MARK: Backend

    private static let mostCases = 1_000

    /// The backend: for each route the stub without a condition is its own response, and the others are its cases.
    ///
    /// - Throws: where `check` refuses a part that cannot be left out, or nothing else remains.
    package func backend(schemaPath: String?) throws(CaptureProblem) -> BackendDraft {
        var draft = self
        draft.drop()
        let states = states.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.strings($0.value)) }
        var object: DraftScenario = [
            .schema: schemaPath.map(JSONValue.string),
            .backend: .string(DraftText.literal(name.isEmpty ? "Imported" : name)),
            .states: states.isEmpty ? nil : .object(JSONObject(states)),
        ]
        object.set(self.backend)
        object[.routes] = .object(JSONObject(draft.composed().members + routes.members))
        var comments = ["Generated by backlot import from \(FilePath.name(of: file))"]
        if stubs.contains(where: { $0.condition[.query] != nil || $0.condition[.form] != nil }) {
            comments.append(
                "A condition checks only the first value of a query item or field"
            )
        }
        object.add(comments: comments + draft.comments)
        var made = try BackendDraft(checking: [.init(object)], with: fixtures.files, from: sources)
        guard made.routeCount > 0 else {
            throw CaptureProblem(
                "nothing can be imported: \(made.findings.first?.message ?? "there is no route")",
                in: file
            )
        }
        made.note(draft.findings)
        return made
    }

    /// Stubs of one route, in the order in which they are looked at.
    private struct Group {
        var key: String
        var method: String
        var template: PathTemplate
        /// The numbers of the stubs that were written for this route.
        var numbers: [Int] = []
    }

    private mutating func composed() -> JSONObject {
        var groups: [Group] = []
        var places: [String: Int] = [:]
        for (number, stub) in stubs.enumerated() {
            guard let template = try? PathTemplate(parsing: stub.path) else {
                note("left-out", "left out: \(stub.key.printable), whose path is not a template", at: value(of: stub))
                continue
            }
            let identity = "\(stub.method) \(template.shape)"
            if let place = places[identity] {
                groups[place].numbers.append(number)
            } else {
                places[identity] = groups.count
                groups.append(Group(key: stub.key, method: stub.method, template: template, numbers: [number]))
            }
        }
        let general = GeneralStubs(
            groups.filter { $0.template.isGeneral || $0.method == "*" }.map {
                (method: $0.method, template: $0.template, numbers: $0.numbers)
            }
        )
        var routes = JSONObject()
        for group in groups { routes[group.key] = route(group, general).json }
        return routes
    }

    private func value(of stub: Stub) -> JSONValue { JSONValue(.null, at: stub.position) }

    private mutating func route(_ group: Group, _ general: GeneralStubs) -> DraftRoute {
        var numbered = group.numbers.map { number in
            var stub = stubs[number]
            if let own = try? PathTemplate(parsing: stub.path) {
                stub.condition = stub.condition.renaming(names(of: own, in: group.template))
            }
            return (number: number, stub: stub)
        }
        var comments: [String] = []
        if order == .first || order == .last {
            for (number, template) in general.covering(group.method, group.template)
            where !group.numbers.contains(number) {
                var stub = stubs[number]
                let names = names(of: template, in: group.template)
                guard stub.condition.pathParameters.allSatisfy({ names[$0] != nil }) else {
                    comments.append("requests that match no case are not forwarded to \(stub.key)")
                    continue
                }
                stub.condition = stub.condition.renaming(names)
                numbered.append((number, stub))
            }
        }
        let (isLast, isByCount) = (order == .last, order == .byPath)
        let ranked = numbered.map { number, stub in
            let rank = (stub.priority, isByCount ? -stub.condition.count : 0, isLast ? -number : number)
            return (number: number, stub: stub, rank: rank)
        }
        .sorted { $0.rank < $1.rank }
        return route(ranked.map { ($0.stub, isOwn: group.numbers.contains($0.number)) }, group, unlessOwn: comments)
    }

    private mutating func route(
        _ sorted: [(stub: Stub, isOwn: Bool)],
        _ group: Group,
        unlessOwn further: [String]
    ) -> DraftRoute {
        var comments: [String] = []
        var cases: [JSONValue] = []
        var own: Stub?
        var seen: Set<DraftCondition> = []
        for (stub, isOwn) in sorted {
            let isPlayed = own == nil && seen.insert(stub.condition).inserted && cases.count < Self.mostCases
            guard isPlayed else {
                guard isOwn else { continue }
                let reason =
                    cases.count < Self.mostCases
                    ? "another stub matches all of its requests"
                    : "a route can contain at most \(Self.mostCases) imported cases"
                let what = "a stub of \(group.key.printable), because \(reason)"
                note("left-out", "left out: \(what)", at: value(of: stub))
                comments.append("left out: \(what)")
                continue
            }
            guard !stub.condition.isEmpty else {
                own = stub
                continue
            }
            var branch: DraftRoute = [.when: stub.condition.json]
            branch.set(stub.response)
            branch.add(comments: stub.comments)
            cases.append(branch.json(at: stub.position))
        }
        var route: DraftRoute = [.cases: cases.isEmpty ? nil : .array(cases)]
        route.set(own?.response ?? [.status: 404, .empty: true])
        route.add(comments: comments + (own?.comments ?? further))
        return route
    }

    /// The names that the parameters of one template have in another one that it covers.
    private func names(of template: PathTemplate, in other: PathTemplate) -> [String: String] {
        var names: [String: String] = [:]
        for (mine, theirs) in zip(template.segments, other.segments) {
            switch (mine, theirs) {
            case (.parameter(let name), .parameter(let other)), (.wildcard(let name?), .wildcard(let other?)):
                names[name] = other
            default: break
            }
        }
        return names
    }
}

/// The stubs that may take requests of more specific routes as well, found by the first part of their paths.
private struct GeneralStubs {
    private typealias Entry = (method: String, template: PathTemplate, numbers: [Int])

    private var byFirst: [String: [Entry]] = [:]
    private var others: [Entry] = []
    /// The maximum number of templates that a route is compared with.
    private static let most = 2_000

    init(_ groups: [(method: String, template: PathTemplate, numbers: [Int])]) {
        for group in groups {
            if case .literal(let first)? = group.template.segments.first {
                byFirst[first, default: []].append(group)
            } else {
                others.append(group)
            }
        }
    }

    /// The numbers of stubs that take every request of a route, each with its template.
    func covering(_ method: String, _ template: PathTemplate) -> [(number: Int, template: PathTemplate)] {
        var near: [Entry] = []
        if case .literal(let first)? = template.segments.first { near = byFirst[first] ?? [] }
        return (near.prefix(Self.most) + others.prefix(Self.most)).flatMap { entry in
            let isMethod = entry.method == "*" || entry.method == method
            return isMethod && entry.template.covers(template) ? entry.numbers.map { ($0, entry.template) } : []
        }
    }
}

extension PathTemplate {
    /// A Boolean value that indicates whether it takes more than one path.
    fileprivate var isGeneral: Bool { segments.contains { if case .literal = $0 { false } else { true } } }

    /// Returns whether it takes every path of another template.
    func covers(_ other: PathTemplate) -> Bool {
        for (index, segment) in segments.enumerated() {
            if case .wildcard = segment { return index <= other.segments.count }
            guard index < other.segments.count else { return false }
            switch (segment, other.segments[index]) {
            case (.literal(let mine), .literal(let theirs)):
                guard mine.exact == theirs.exact else { return false }
            case (.parameter, .literal(let theirs)): guard !theirs.isEmpty else { return false }
            case (.parameter, .parameter): break
            default: return false
            }
        }
        return segments.count == other.segments.count
    }
}
