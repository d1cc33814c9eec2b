import Basics
import HTTPCodec
import JSON

/// Turns a merged tree into a ``Scenario``, and finds what no shape can say: names that lead nowhere, routes that
/// cannot be told apart, files that are missing.
///
/// It runs even on a tree that the shape check found wanting, so that one run tells everything; what has the wrong
/// shape is passed over here.
struct ScenarioBuilder {
    let root: JSONValue
    /// The backend file alone, for what it has to say itself.
    let base: JSONValue
    var sources: SourceMap
    var assets: AssetReader
    var templates: TemplateParser
    /// The lists of responses that go before the cases of their route.
    var leading: Set<LeadingResponses> = []
    /// What need not be read again, because it stands in the same surroundings.
    var parts = ReadParts()
    private var ownFindings: [Finding] = []

    // Names that are declared somewhere in the file.
    let kinds: [String]
    /// Those among them that somebody else issues.
    let foreignKinds: [String]
    let accounts: [String]
    var stateValues: [String: [String]] = [:]
    let counters: [String]
    private let stateNames: [String]
    let routeNames: [String]
    let originNames: [String]
    let collectionNames: [String]
    /// What is known of any account, for placeholders.
    let accountData: [String]
    /// The collections that uploaded files go into.
    let uploadedCollections: [String]

    /// What was read of each fixture; `nil` for one that is no JSON.
    var fixtures: [String: JSONDocument?] = [:]
    /// What placeholders may speak of in the place that is being read.
    var scope = TemplateScope() {
        didSet { renewTemplates() }
    }
    /// What the route whose responses are being read says about all of them.
    var line = LineDefaults()
    private var finishedTemplateFindings: [Finding] = []

    init(root: JSONValue, base: JSONValue, sources: SourceMap, assets: AssetReader) {
        self.root = root
        self.base = base
        self.sources = sources
        self.assets = assets
        let containers = Self.containers(in: root)
        let tokenKinds = root[ScenarioKeys.tokens][TokensKeys.kinds]
        kinds = tokenKinds.map(\.name)
        foreignKinds = tokenKinds.filter { $0.value.has(ForeignKindKeys.foreign) }.map(\.name)
        accounts = root[ScenarioKeys.accounts].map(\.name)
        counters = root[ScenarioKeys.counters].map(\.name)
        stateNames = root[ScenarioKeys.states].map(\.name)
        routeNames = root[ScenarioKeys.routes].map(\.name)
        originNames = root[ScenarioKeys.origins].map(\.name)
        let stored = root[ScenarioKeys.collections].map(\.name)
        collectionNames =
            stored + (stored.contains(ItemCollection.accounts) ? [] : [ItemCollection.accounts])
        accountData =
            root[ScenarioKeys.accounts].flatMap { Optional($0.value).memberNames }
            + containers.filter { $0[CreateEventKeys.collection]?.string == ItemCollection.accounts }
            .flatMap { $0[CreateEventKeys.item].memberNames }
        uploadedCollections = containers.filter { $0.has(UploadEventKeys.part) }
            .compactMap { $0[UploadEventKeys.to]?.string }
        for member in root[ScenarioKeys.states] {
            stateValues[member.name] = StateKeys.written(in: member.value).compactMap(\.string)
        }
        templates = TemplateParser(vocabulary: PlaceholderParser.Vocabulary(), sources: sources)
        renewTemplates()
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

    var surroundings: ReadParts.Surroundings {
        ReadParts.Surroundings(root, names: [routeNames, accountData, uploadedCollections])
    }

    var findings: [Finding] { ownFindings + finishedTemplateFindings + templates.findings }

    private mutating func renewTemplates() {
        finishedTemplateFindings += templates.findings
        templates = TemplateParser(
            vocabulary: PlaceholderParser.Vocabulary(
                kinds: kinds,
                counters: counters,
                states: stateNames,
                origins: originNames,
                pathParameters: scope.pathParameters,
                accountData: accountData,
                found: scope.found,
                hasItem: scope.hasItem,
                hasElement: scope.hasElement,
                hasUpload: scope.hasUpload,
                hasRequest: scope.hasRequest,
                mayOmit: scope.mayOmit
            ),
            sources: sources
        )
    }

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

    /// Reports a name that is not among the declared ones; returns whether it is.
    ///
    /// - Parameter message: the sentence, where "there is no NOUN" is none.
    @discardableResult
    mutating func expect(
        _ name: String,
        among known: [String],
        as noun: String,
        at position: JSONPosition,
        message: String? = nil
    ) -> Bool {
        guard !known.containsExactly(name) else { return true }
        let meant = Suggestion.nearest(to: name, among: known)
        report(
            "scenario/unknown-name",
            message ?? "there is no \(noun) \"\(name.shortened)\"",
            at: position,
            advice: meant.map { "did you mean \"\($0)\"?" }
                ?? (known.isEmpty ? "none is declared" : "there are \(known.joined(separator: ", "))")
        )
        return false
    }

    /// The arrays and objects of a tree in their order, each before those that it contains.
    ///
    /// Without recursion, because a response may be as deep as the parser allows, and the stack small.
    private static func containers(in tree: JSONValue) -> [JSONValue] {
        var found: [JSONValue] = []
        var pending = [tree]
        while let value = pending.popLast() {
            guard value.array != nil || value.object != nil else { continue }
            found.append(value)
            pending += (value.array ?? Optional(value).members.map(\.value)).reversed()
        }
        return found
    }

    /// Every change of a state that the file mentions, and every test of one.
    var changedStates: [Event.StateChange] = []
    var testedStates: [(name: String, value: String, position: JSONPosition)] = []
    /// Every device that signs in by its name, and every other mention of one.
    var signedInDevices: [String] = []
    var mentionedDevices: [(name: String, position: JSONPosition)] = []
    /// What items have, and what is asked of them.
    var members = ItemMembers()
    /// The number of the client's last launch so far.
    var lastLaunch = 1
}

extension JSONValue? {
    /// The members of an object, without comments; none for anything else.
    var members: [JSONObject.Member] {
        self?.object?.members.filter { $0.name != ObjectShape.comment } ?? []
    }

    var memberNames: [String] { members.map(\.name) }
}
