package import Basics
import HTTPCodec
import JSON
import OpenAPI
package import Reports
import ScenarioFormat
import Simulation

/// One check from its first file to its report.
struct CheckRun {
    private let files: any FileReading
    private var contracts: ContractCache
    private var deduplicator: FindingDeduplicator
    private var fixtures: ParsedFixtures
    private var memory = ParseCache()
    private var tally = CoverageTally()
    private var judged = EvaluatedResponses()
    private var checks: [Report.Check] = []
    private var stories = StoryNames()
    private var counts = Counts()

    /// The counts of the closing lines.
    private struct Counts {
        var scenarios = 0
        var responses = 0
        var deliberate = 0
        var others = 0
    }

    init(files: any FileReading, overlays: [String]) {
        self.files = files
        contracts = ContractCache(files: files, overlays: overlays)
        deduplicator = FindingDeduplicator(files: files)
        fixtures = ParsedFixtures(files: files)
    }

    mutating func check(_ file: CheckedFile) {
        switch file.kind {
        case .contract: _ = contract(file.path)
        case .backend, .story: checkScenario(file.path, isBackend: file.kind == .backend)
        case .other: counts.others += 1
        case nil:
            // A scenario that names the file has reported already what is wrong with it.
            guard let finding = file.finding, !deduplicator.hasError(at: finding.place) else { return }
            let format = TextFormat(ofFile: file.path)
            checks.append(Report.Check(group: file.path, name: format.name, findings: deduplicator.pass([finding])))
        }
    }

    /// Loads a contract, and checks it when it is new.
    private mutating func contract(_ path: String) -> CheckedContract? {
        let (contract, isNew) = contracts.contract(at: path)
        if isNew {
            add("contract", of: contract.path, deduplicator.pass(contract.findings))
        }
        return contract.judge == nil ? nil : contract
    }

    /// Loads a file once, for the story itself and each of its variants.
    private mutating func checkScenario(_ path: String, isBackend: Bool) {
        guard let project = ProjectRoot(enclosing: path, files: files) else {
            counts.scenarios += 1
            return
        }
        do {
            let loader = ScenarioLoader(files: files, project: project)
            for loaded in try loader.loadRuns(path, remembering: &memory) {
                if loaded.variant == nil { stories.note(loaded) }
                check(loaded, isBackend: isBackend)
            }
        } catch {
            counts.scenarios += 1
            let findings = deduplicator.pass(error.findings)
            let isTold = findings.allSatisfy { $0.severity != .error }
            let skipped = isTold ? "it cannot be loaded, as reported above" : nil
            add("scenario", of: path, findings, skipped: skipped)
        }
    }

    private mutating func check(_ loaded: LoadedScenario, isBackend: Bool) {
        counts.scenarios += 1
        let findings =
            loaded.findings + UnreachableResponses(loaded: loaded).findings + OpenGrants(loaded: loaded).findings
            + UnplayableParts(loaded: loaded).findings
        add("scenario", of: loaded.path, variant: loaded.variant, deduplicator.pass(findings))
        guard let reference = loaded.scenario.contract else {
            checkStatuses(of: loaded, against: nil)
            return add("responses", of: loaded.path, variant: loaded.variant, skipped: "it names no contract")
        }
        guard let contract = contract(reference.path) else {
            return add("responses", of: loaded.path, variant: loaded.variant, skipped: "its contract cannot be used")
        }
        checkResponses(of: loaded, against: contract, isBackend: isBackend)
        guard let judge = contract.judge else { return }
        checkStatuses(of: loaded, against: judge.contract)
    }

    /// Looks for statuses that the scenario waits for and no response has.
    private mutating func checkStatuses(of loaded: LoadedScenario, against contract: Contract?) {
        let findings = deduplicator.pass(StatusMentions(loaded: loaded, contract: contract).findings)
        if !findings.isEmpty { add("statuses", of: loaded.path, variant: loaded.variant, findings) }
    }

    /// Adds a check of a file as a whole, or of a variant in it.
    private mutating func add(
        _ name: String,
        of path: String,
        variant: String? = nil,
        _ findings: [Finding] = [],
        skipped: String? = nil
    ) {
        let group = Self.group(path, variant)
        var check = Report.Check(
            group: group,
            name: name,
            findings: findings,
            skipped: skipped,
            place: Place(file: path)
        )
        check.kind = Self.kinds[name] ?? name
        checks.append(check)
    }

    /// The kinds of the checks of files, if a kind is not the name itself.
    private static let kinds = ["contract": "contracts", "scenario": "scenarios", "id": "ids of stories"]

    /// The heading of the checks of a file, or of a variant in it, in the report.
    private static func group(_ path: String, _ variant: String?) -> String {
        variant.map { "\(path) (\($0))" } ?? path
    }

    private mutating func checkResponses(
        of loaded: LoadedScenario,
        against contract: CheckedContract,
        isBackend: Bool
    ) {
        guard let judge = contract.judge else { return }
        tally.begin(contract.path, judge.contract, with: loaded.scenario, isBackend: isBackend)
        var survey = ResponseSurvey(loaded.scenario, judge.contract)
        survey.run()
        tally.route(contract.path, survey.played)
        for stray in survey.strays {
            let findings = deduplicator.pass([stray.finding(in: loaded, contract: contract.path)])
            guard !findings.isEmpty else { continue }
            counts.deliberate += findings.count { $0.severity == .note }
            checks.append(
                Report.Check(
                    group: Self.group(loaded.path, loaded.variant),
                    name: stray.route.key.text,
                    findings: findings,
                    place: loaded.sources.place(of: stray.route.position)
                )
            )
        }
        let session = Session(before: loaded.scenario)
        let stored = StoredHashes(session)
        let start = checks.count
        for response in survey.responses {
            tally.cover(contract.path, response)
            guard judged.isNew(response, in: loaded, storing: stored, contract: contract.path) else { continue }
            checks.append(check(response, in: loaded, session, by: judge))
        }
        counts.deliberate += checks[start...].excuseWhatIsStoredOnPurpose()
    }

    private mutating func check(
        _ response: SurveyedResponse,
        in loaded: LoadedScenario,
        _ session: Session,
        by judge: ContractEvaluator
    ) -> Report.Check {
        var check = Report.Check(
            group: Self.group(loaded.path, loaded.variant),
            name: response.label,
            place: loaded.sources.place(of: response.response.statusPosition)
        )
        if let reason = response.exceptions {
            check.skipped = reason
            return check
        }
        counts.responses += 1
        var checker = ResponseChecker(response, in: loaded, with: session, by: judge)
        let findings = checker.findings(fixtures: &fixtures)
        counts.deliberate += checker.deliberate
        check.findings = deduplicator.pass(findings)
        return check
    }

    /// Everything that was found, with the coverage of every contract that a scenario names.
    mutating func report() -> Report {
        for finding in stories.findings { add("id", of: finding.place?.file ?? "", deduplicator.pass([finding])) }
        for (contract, gaps) in tally.gaps {
            let findings = deduplicator.pass(gaps)
            if !findings.isEmpty { add("coverage", of: contract, findings) }
        }
        var report = Report(title: "check", checks: checks)
        report.coverage = tally.coverage
        var parts = [
            "\(plural(counts.responses, "response")) of \(plural(counts.scenarios, "scenario")) judged",
            "\(plural(contracts.count, "contract")) read",
        ]
        if counts.others > 0 { parts.append("\(plural(counts.others, "other file")) ignored") }
        report.summary = [parts.joined(separator: ", ")]
        if checks.isEmpty, counts.others > 0 {
            report.summary.append(
                "A backend has the key \"backend\", a story \"extends\", an OpenAPI file \"openapi\"; fixtures are checked "
                    + "with the backend that names them"
            )
        }
        if counts.deliberate > 0 {
            report.summary.append("\(plural(counts.deliberate, "deliberate violation")), marked \"breaks\"")
        }
        return report
    }
}

/// A contract that was looked at, and what is wrong with it.
struct CheckedContract {
    var path: String
    /// `nil` when it cannot be used.
    var judge: ContractEvaluator?
    var findings: [Finding]
}

/// Every contract that a check meets, each loaded once.
struct ContractCache {
    private let files: any FileReading
    private let overlays: [String]
    private var known: [String: CheckedContract] = [:]

    init(files: any FileReading, overlays: [String]) {
        self.files = files
        self.overlays = overlays
    }

    var count: Int { known.count }

    /// A contract, and whether it was met for the first time.
    mutating func contract(at path: String) -> (contract: CheckedContract, isNew: Bool) {
        let key = files.resolve(path) ?? path
        if let contract = known[key] { return (contract, false) }
        let contract = load(path)
        known[key] = contract
        return (contract, true)
    }

    private func load(_ path: String) -> CheckedContract {
        guard let project = ProjectRoot(enclosing: path, files: files) else {
            let finding = Finding(.error, id: "check/missing-contract", "there is no such file", at: Place(file: path))
            return CheckedContract(path: path, judge: nil, findings: [finding])
        }
        do {
            let contract = try ContractLoader(files: files, project: project, overlays: overlays).load(path)
            return CheckedContract(
                path: path,
                judge: ContractEvaluator(contract),
                findings: contract.findings + contract.lint()
            )
        } catch {
            return CheckedContract(path: path, judge: nil, findings: error.findings)
        }
    }
}

/// Remembers which responses were judged, so that a story is judged only for what it changes.
struct EvaluatedResponses {
    /// A response is the same when the same object of the same file says the same, for the same operations.
    private struct Key: Hashable {
        var contract: String
        var label: String
        var operations: [String]
        var file: String
        var position: JSONPosition
        var tree: [UInt8]
        var headers: [String]
        /// A hash of the accounts, where the response may show something of them.
        var accounts: Int
        /// A hash of what is stored, where the response may show what was found.
        var items: Int
    }

    private var seen: Set<Key> = []

    mutating func isNew(
        _ surveyed: SurveyedResponse,
        in loaded: LoadedScenario,
        storing stored: StoredHashes,
        contract: String
    ) -> Bool {
        let response = surveyed.response
        let finds = surveyed.shownFinds
        var position = response.position
        position.document = 0
        let key = Key(
            contract: contract,
            label: surveyed.label,
            operations: surveyed.operations.map(\.label),
            file: loaded.sources.path(of: response.position) ?? "",
            position: position,
            tree: response.tree.utf8(),
            headers: response.headers.map { "\($0.name): \($0.value.constant ?? "")" },
            accounts: !finds.isEmpty || surveyed.showsAccounts ? stored.accounts : 0,
            items: stored.hash(of: finds)
        )
        return seen.insert(key).inserted
    }
}

extension StubResponse {
    /// The position of the status in the scenario, or that of the response without one.
    var statusPosition: JSONPosition { tree["status"]?.position ?? position }

    /// The member of the response that says its body.
    var bodyMember: JSONObject.Member? {
        ["fixture", "json", "text", "file", "empty"].lazy.compactMap { tree.object?.member(named: $0) }.first
    }
}

/// Lets every finding pass once, whichever of the files that share it caused it.
struct FindingDeduplicator {
    private struct Key: Hashable {
        var file: String?
        var position: TextPosition?
        var id: String
        var message: String
    }

    private let files: any FileReading
    private var seen: Set<Key> = []
    private var errors: Set<Key> = []
    private var resolved: [String: String] = [:]

    init(files: any FileReading) {
        self.files = files
    }

    mutating func pass(_ findings: [Finding]) -> [Finding] {
        findings.filter { finding in
            let key = Key(
                file: finding.place?.file.map { self.resolve($0) },
                position: finding.place?.position,
                id: finding.id,
                message: finding.place?.pointer == nil ? finding.message : finding.message.withoutWay
            )
            if finding.severity == .error { errors.insert(place(of: key)) }
            return seen.insert(key).inserted
        }
    }

    /// Returns whether some error was reported at a place already.
    mutating func hasError(at place: Place?) -> Bool {
        guard let place, let file = place.file else { return false }
        return errors.contains(Key(file: resolve(file), position: place.position, id: "", message: ""))
    }

    private func place(of key: Key) -> Key {
        Key(file: key.file, position: key.position, id: "", message: "")
    }

    private mutating func resolve(_ file: String) -> String {
        if let known = resolved[file] { return known }
        let path = files.resolve(file) ?? file
        resolved[file] = path
        return path
    }
}

extension String {
    /// The sentence about a value without the path that leads to it: the same value appears elsewhere with another
    /// path.
    fileprivate var withoutWay: String {
        let quote = UInt8(ascii: "`")
        guard utf8.first == quote, let end = utf8.dropFirst().firstIndex(of: quote) else { return self }
        let way = utf8[..<end].dropFirst()
        let name = way.lastIndex(of: UInt8(ascii: ".")).map { way[way.index(after: $0)...] } ?? way
        return String(Substring(name.prefix { $0 != UInt8(ascii: "[") })) + String(Substring(utf8[end...]))
    }
}

/// The stored items of a session, as a number for each collection that shows whether another session stores the same.
struct StoredHashes {
    /// One number for all accounts, as the scenario declares them.
    let accounts: Int
    private let collections: [ItemCollection]
    private var hashes: [ExactText: Int] = [:]

    init(_ session: Session) {
        collections = session.played.scenario.collections
        var hasher = Hasher()
        for account in session.played.scenario.accounts {
            hasher.combine(ExactText(account.name))
            JSONValue.object(account.data).hash(into: &hasher)
        }
        accounts = hasher.finalize()
        for stored in session.items {
            var hasher = Hasher()
            hasher.combine(hashes[ExactText(stored.collection)])
            for item in stored.items { item.hash(into: &hasher) }
            hashes[ExactText(stored.collection)] = hasher.finalize()
        }
    }

    /// One number for all that some finds may show, embedded items included; 0 where they show nothing.
    func hash(of finds: [Find]) -> Int {
        var waiting = finds.map(\.selection.collection)
        var seen: Set<ExactText> = []
        var hasher = Hasher()
        while let name = waiting.popLast() {
            guard seen.insert(ExactText(name)).inserted else { continue }
            hasher.combine(hashes[ExactText(name)])
            guard let collection = collections.first(where: { $0.name.hasSameUTF8(as: name) }) else { continue }
            waiting += collection.embeds.map(\.selection.collection)
        }
        return seen.isEmpty ? 0 : hasher.finalize()
    }
}

/// Checks contracts, scenarios and fixtures against each other, offline.
package struct Check: Sendable {
    private let files: any FileReading
    private let overlays: [String]

    /// - Parameter overlays: files of changes that are laid over every contract, in this order.
    package init(files: any FileReading, overlays: [String] = []) {
        self.files = files
        self.overlays = overlays
    }

    /// Checks files and folders; with none, the `Contracts` and `Scenarios` folders of the project.
    ///
    /// Contracts come first, then backends, then the stories laid over them, so that what a backend does wrong is
    /// reported once, at the backend, and a story is judged for what it changes.
    ///
    /// - Throws: ``CheckProblem`` for a path that does not exist, and when there is nothing to check.
    package func run(_ paths: [String] = []) throws(CheckProblem) -> Report {
        let found = try CheckedFiles(files).find(paths)
        var run = CheckRun(files: files, overlays: overlays)
        let kinds: [DocumentKind?] = [.contract, .backend, .story, .other, nil]
        for kind in kinds {
            for file in found where file.kind == kind { run.check(file) }
        }
        return run.report()
    }
}

/// The reason why a check cannot begin.
package struct CheckProblem: Error, Hashable {
    /// The finding and what would be right, without a closing full stop.
    package var sentence: String
}
