import Basics
import HTTPCodec
import JSON

/// Turns a merged tree into a ``Scenario``, and finds mistakes that no shape describes: unknown names, ambiguous
/// routes, missing files.
///
/// It runs even on a tree that the shape check found wanting, so that one run tells everything; what has the wrong
/// shape is skipped here.
struct ScenarioBuilder {
    let root: JSONValue
    /// The backend file alone, for what it has to say itself.
    let base: JSONValue
    var sources: SourceMap
    var assets: AssetReader
    var templates: TemplateParser
    /// The lists of responses that go before the cases of their route.
    var leading: Set<LeadingResponses> = []
    /// The results that need not be read again, because their context is the same.
    var parts = ReadParts()
    private var ownFindings: [Finding] = []

    /// The names that are declared somewhere in the file.
    let names: DeclaredNames

    /// The read fixtures; `nil` for one that is not JSON.
    var fixtures: [String: JSONDocument?] = [:]
    /// The vocabulary of placeholders in the place that is being read.
    var scope: PlaceholderParser.Vocabulary {
        didSet {
            finishedTemplateFindings += templates.findings
            templates = TemplateParser(vocabulary: scope, sources: sources)
        }
    }
    /// The settings for all responses of the route that is being read.
    var line = StubResponse()
    /// A Boolean value that indicates whether these settings are being read, and not a response.
    var readsDefaults = false
    private var finishedTemplateFindings: [Finding] = []

    init(root: JSONValue, base: JSONValue, sources: SourceMap, assets: AssetReader) {
        self.root = root
        self.base = base
        self.sources = sources
        self.assets = assets
        names = DeclaredNames(in: root)
        scope = names.vocabulary
        templates = TemplateParser(vocabulary: names.vocabulary, sources: sources)
    }

    /// A builder for something that comes from elsewhere and only uses the names of a scenario.
    init(namesOf root: JSONValue) {
        self.init(
            root: root,
            base: root,
            sources: SourceMap(),
            assets: AssetReader(files: NoFiles(), folder: "/", project: "/")
        )
    }

    /// Reads everything; what is wrong is among the findings.
    mutating func build() -> Scenario {
        var scenario = Scenario()
        scenario.story = Story(&self)
        scenario.contract = contract()
        scenario.collections = collections()
        if let defaults = root["defaults"] { readDefaults(defaults, ResponseDefaults.keys.list) }
        scenario.issuerPosition = base["issuer"]?.position
        scenario.tokens = tokenRules()
        (scenario.earlyGuards, scenario.lateGuards) = guards()
        Scenario.keys.fill(&scenario, root, &self)
        scenario.forwardRest()
        scenario.routes = routes(root["routes"].members)
        scenario.origins = root["origins"].members.compactMap { member in
            var origin = read(member.value, as: ValueType<Origin>.object)
            origin?.name = member.name
            origin?.position = member.namePosition
            return origin
        }
        scenario.gates = gates(of: scenario.routes)
        scenario.given = PastEvent.all(&self)
        scenario.timeline = (root["timeline"]?.array ?? []).compactMap { TimelineEntry($0, &self) }
        scenario.expectations = expectations()
        scenario.exemptions = Exemption.all(&self)
        scenario.definedTLS = noted.tls
        checkSilence(of: scenario.expectations)
        checkExpectationsAgree()
        let notes = noted
        notes.check(&self)
        return scenario
    }

    /// The contract that the scenario names; whether it can be read is found when it is read.
    mutating func contract() -> ContractReference? {
        guard let tree = root["contract"] else {
            for idle in ["undocumented", "fill"].map({ root.object?.member(named: $0) }) {
                reportIdle(idle, "without a \"contract\"", severity: .warning)
            }
            return nil
        }
        guard let name = tree.string, FilePath.isPath(name) else { return nil }
        do {
            let path = try assets.locate(name, from: sources.path(of: tree.position) ?? "")
            return ContractReference(path: path, position: tree.position)
        } catch {
            report("scenario/contract", error.message, at: tree.position, advice: error.advice)
            return nil
        }
    }

    /// Finds requests that a story expects of a client that is to send nothing.
    mutating func checkSilence(of expectations: [Expectation]) {
        guard root["silent"]?.bool == true else { return }
        for expectation in expectations where expectation.content.wantsRequests {
            report(
                "scenario/broken-silence",
                "this entry expects a request, but the story is \"silent\"",
                at: expectation.position,
                advice: "expect \"count\": 0, or remove \"silent\""
            )
        }
    }

    var context: ReadParts.Context {
        ReadParts.Context(root, names: [names.routes, names.accountData, names.uploadedCollections])
    }

    var findings: [Finding] { ownFindings + finishedTemplateFindings + templates.findings }

    mutating func report(
        _ id: String,
        _ message: String,
        at position: JSONPosition,
        advice: String? = nil,
        severity: Finding.Severity = .error
    ) {
        ownFindings.append(
            Finding(severity, id: id, message.printable, at: sources.place(of: position), advice: advice?.printable)
        )
    }

    /// Reports a key that has no effect in its place, if it exists.
    ///
    /// - Parameter reason: the text after "has no effect".
    mutating func reportIdle(
        _ member: JSONObject.Member?,
        _ reason: String,
        advice: String? = nil,
        severity: Finding.Severity = .error
    ) {
        guard let member else { return }
        let message = "\"\(member.name)\" has no effect \(reason)"
        report("scenario/idle-key", message, at: member.namePosition, advice: advice, severity: severity)
    }

    /// Reports a name that is not among the declared ones; returns whether it is.
    ///
    /// - Parameter message: the sentence, if not "unknown NOUN".
    @discardableResult
    mutating func expect(
        _ name: String,
        among known: [String],
        as noun: String,
        at position: JSONPosition,
        message: String? = nil
    ) -> Bool {
        guard !known.contains(name.exact) else { return true }
        report(
            "scenario/unknown-name",
            message ?? "unknown \(noun) \"\(name.shortened)\"",
            at: position,
            advice: Suggestion.advice(for: name, among: known) ?? "none is declared"
        )
        return false
    }

    /// The notes of the file's parts about the whole.
    var noted = ScenarioNotes()
    /// The number of the client's last launch so far.
    var lastLaunch = 1
}

extension Expectation.Content {
    fileprivate var wantsRequests: Bool {
        switch self {
        case .exchanges(_, let count, _, _, _): count.atLeast > 0
        case .order: true
        default: false
        }
    }
}

extension JSONValue? {
    /// The members of an object, without comments; none for anything else.
    var members: [JSONObject.Member] {
        self?.object?.members.filter { $0.name != ObjectShape.comment } ?? []
    }

    var memberNames: [String] { members.map(\.name) }
}

extension ScenarioBuilder {
    /// Items may show items that show items, but not themselves again, and not too many in each other.
    mutating func checkEmbedsEnd(_ collections: [ItemCollection]) {
        var walk = EmbedWalk(collections)
        for (number, collection) in collections.enumerated() {
            for index in collection.embeds.indices {
                let (message, advice): (String, String)
                do {
                    _ = try walk.height(of: EmbedWalk.Place(collection: number, embed: index))
                    continue
                } catch {
                    switch error {
                    case .circle(let places):
                        message = "these selections embed one another in a cycle: \(walk.words(for: places))"
                        advice = "remove the member that closes the cycle from \"show\""
                    case .tooDeep:
                        message = "more than \(Embed.greatestDepth) items would be nested here"
                        advice = "remove members with further selections from \"show\""
                    }
                }
                report(
                    "scenario/embed-circle",
                    message,
                    at: collection.embeds[index].selection.position,
                    advice: advice
                )
                return
            }
        }
    }
}

extension ScenarioBuilder {
    /// Where the body comes from, once it has been read.
    func fixture(of tree: JSONValue) -> FixtureReference? {
        guard let fixture = tree["fixture"], let name = fixture.string, FilePath.isPath(name) else {
            return nil
        }
        let path = path(ofFixture: name, at: fixture.position)
        guard case .some(.some(let document)) = fixtures[path] else { return nil }
        return FixtureReference(path: path, document: document.root.position.document, position: fixture.position)
    }

    mutating func asset(_ name: String, at position: JSONPosition) -> [UInt8]? {
        guard FilePath.isPath(name) else { return nil }
        do {
            return try assets.read(name, from: sources.path(of: position) ?? "")
        } catch {
            report("scenario/fixture", error.message, at: position, advice: error.advice)
            return nil
        }
    }

    /// A JSON file of the backend, read; its faults are reported once.
    mutating func document(named name: String, at origin: JSONPosition) -> JSONDocument? {
        asset(name, at: origin).flatMap { fixture($0, named: name, at: origin) }
    }

    func path(ofFixture name: String, at origin: JSONPosition) -> String {
        FilePath.join(FilePath.folder(of: sources.path(of: origin) ?? ""), name)
    }

    mutating func fixture(_ bytes: [UInt8], named name: String, at origin: JSONPosition) -> JSONDocument? {
        let path = path(ofFixture: name, at: origin)
        if let known = fixtures[path] { return known }
        let number = sources.add(path)
        templates.sources = sources
        do {
            let document = try JSONParser(document: number, duplicateNames: .refused).parse(bytes, ofFile: path)
            fixtures[path] = .some(document)
            return document
        } catch {
            report(
                "scenario/fixture",
                "the fixture is not valid \(TextFormat(ofFile: path).name): \(error.sentence)",
                at: error.position,
                advice: "the fixture is used at \(sources.place(of: origin)); use \"file\" for a body that is not JSON"
            )
            fixtures[path] = .some(nil)
            return nil
        }
    }
}

extension ScenarioBuilder {
    /// Reads something in a scope that differs from the one around it.
    mutating func within<Result>(
        _ change: (inout PlaceholderParser.Vocabulary) -> Void,
        read: (inout ScenarioBuilder) -> Result
    ) -> Result {
        let outer = scope
        change(&scope)
        defer { scope = outer }
        return read(&self)
    }

    /// Reads something in which placeholders may omit values.
    mutating func omitting<Result>(_ read: (inout ScenarioBuilder) -> Result) -> Result {
        let origin = templates.origin
        return within {
            $0.mayOmit = true
        } read: { builder in
            builder.templates.origin = origin
            return read(&builder)
        }
    }
}
