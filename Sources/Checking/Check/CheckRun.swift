import Basics
import HTTPCodec
import JSON
import OpenAPI
import Reports
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

    init(files: any FileReading, overlays: [String], mappings: [URLMapping]) {
        self.files = files
        contracts = ContractCache(files: files, overlays: overlays, mappings: mappings)
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
            let skipped = isTold ? "the scenario cannot be loaded, as reported above" : nil
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
            return add(
                "responses",
                of: loaded.path,
                variant: loaded.variant,
                skipped: "the scenario specifies no contract"
            )
        }
        guard let contract = contract(reference.path) else {
            return add(
                "responses",
                of: loaded.path,
                variant: loaded.variant,
                skipped: "the scenario's contract cannot be used"
            )
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
                "A backend contains the key \"backend\", a story contains \"extends\", and an OpenAPI file "
                    + "contains \"openapi\"; fixtures are checked with the backend that names them"
            )
        }
        if counts.deliberate > 0 {
            report.summary.append("\(plural(counts.deliberate, "deliberate violation")), marked \"breaks\"")
        }
        return report
    }
}
