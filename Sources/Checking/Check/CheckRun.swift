import Basics
import JSON
import OpenAPI
import Reports
import ScenarioFormat
import Simulation

/// One check from its first file to its report.
struct CheckRun {
    private let files: any FileReading
    private var contracts: ContractCache
    private var sieve: FindingDeduplicator
    private var fixtures: ParsedFixtures
    private var memory = ParseCache()
    private var tally = CoverageTally()
    private var judged = EvaluatedResponses()
    private var checks: [Report.Check] = []
    private var counts = Counts()

    /// What the closing lines count.
    private struct Counts {
        var scenarios = 0
        var responses = 0
        var deliberate = 0
        var others = 0
    }

    init(files: any FileReading) {
        self.files = files
        contracts = ContractCache(files: files)
        sieve = FindingDeduplicator(files: files)
        fixtures = ParsedFixtures(files: files)
    }

    mutating func check(_ file: CheckedFile) {
        switch file.kind {
        case .contract: _ = contract(file.path)
        case .backend, .story: checkScenario(file.path, isBackend: file.kind == .backend)
        case .other: counts.others += 1
        case .broken:
            // A scenario that names the file has told already what is wrong with it.
            guard let finding = file.finding, !sieve.hasError(at: finding.place) else { return }
            checks.append(Report.Check(group: file.path, name: "JSON", findings: sieve.pass([finding])))
        }
    }

    /// Loads a contract, and checks it when it is new.
    private mutating func contract(_ path: String) -> CheckedContract? {
        let (contract, isNew) = contracts.contract(at: path)
        if isNew {
            checks.append(
                Report.Check(
                    group: contract.path,
                    name: "contract",
                    findings: sieve.pass(contract.findings),
                    place: Place(file: contract.path)
                )
            )
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
                check(loaded, isBackend: isBackend)
            }
        } catch {
            counts.scenarios += 1
            let findings = sieve.pass(error.findings)
            let isTold = findings.allSatisfy { $0.severity != .error }
            let skipped = isTold ? "it cannot be loaded, for reasons told above" : nil
            let place = Place(file: path)
            checks.append(
                Report.Check(group: path, name: "scenario", findings: findings, skipped: skipped, place: place)
            )
        }
    }

    private mutating func check(_ loaded: LoadedScenario, isBackend: Bool) {
        counts.scenarios += 1
        let group = Self.group(loaded.path, loaded.variant)
        let place = Place(file: loaded.path)
        checks.append(
            Report.Check(
                group: group,
                name: "scenario",
                findings: sieve.pass(loaded.findings + UnreachableResponses(loaded).findings),
                place: place
            )
        )
        guard let reference = loaded.scenario.contract else {
            checkStatuses(of: loaded, against: nil)
            checks.append(
                Report.Check(group: group, name: "responses", skipped: "it names no contract", place: place)
            )
            return
        }
        guard let contract = contract(reference.path) else {
            checks.append(
                Report.Check(group: group, name: "responses", skipped: "its contract cannot be used", place: place)
            )
            return
        }
        checkResponses(of: loaded, against: contract, isBackend: isBackend)
        guard let judge = contract.judge else { return }
        checkStatuses(of: loaded, against: judge.contract)
    }

    /// Looks for statuses that the scenario waits for in vain.
    private mutating func checkStatuses(of loaded: LoadedScenario, against contract: Contract?) {
        let findings = sieve.pass(StatusMentions(loaded, contract).findings)
        guard !findings.isEmpty else { return }
        let group = Self.group(loaded.path, loaded.variant)
        checks.append(
            Report.Check(group: group, name: "statuses", findings: findings, place: Place(file: loaded.path))
        )
    }

    /// What the checks of a file, or of a variant in it, stand under in the report.
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
            let findings = sieve.pass([stray.finding(in: loaded, contract: contract.path)])
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
        let session = Session(of: loaded.scenario)
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
        check.findings = sieve.pass(findings)
        return check
    }

    /// Everything that was found, with the coverage of every contract that a scenario names.
    mutating func report() -> Report {
        for (contract, gaps) in tally.gaps {
            let findings = sieve.pass(gaps)
            guard !findings.isEmpty else { continue }
            let place = Place(file: contract)
            checks.append(Report.Check(group: contract, name: "coverage", findings: findings, place: place))
        }
        var report = Report(title: "check", checks: checks)
        report.coverage = tally.coverage
        var parts = [
            "\(counted(counts.responses, "response", "responses")) of \(counted(counts.scenarios, "scenario")) judged",
            "\(counted(contracts.count, "contract")) read",
        ]
        if counts.others > 0 { parts.append("\(counted(counts.others, "other file")) passed over") }
        report.summary = [parts.joined(separator: ", ")]
        if counts.deliberate > 0 {
            report.summary.append("\(counted(counts.deliberate, "deliberate violation")), marked \"breaks\"")
        }
        return report
    }
}

extension Session {
    /// One that nobody has asked anything yet.
    fileprivate init(of scenario: Scenario) {
        self.init(
            CompiledScenario(scenario),
            // The same for every story, so that what they share is seen to be the same.
            start: PlaceholderSampler.now,
            at: RealTime(nanoseconds: 0)
        )
    }
}

/// A number and what it counts.
private func counted(_ count: Int, _ noun: String, _ nouns: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : nouns ?? noun + "s")"
}
