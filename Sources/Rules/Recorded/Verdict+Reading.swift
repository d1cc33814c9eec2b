import Basics
import JSON
import Simulation

extension Verdict {
    /// Reads a verdict from its document.
    init(_ json: RecordedValue) throws(RecordingProblem) {
        var expectations: [ExpectationResult] = []
        for expectation in try json.list("expectations") { expectations.append(try ExpectationResult(expectation)) }
        var rules: [RuleResult] = []
        for rule in try json.list("rules") { rules.append(try RuleResult(rule)) }
        var findings: [Finding] = []
        for finding in try json.list("findings") { findings.append(try Finding(finding)) }
        self.init(
            outcome: try json.member("verdict").choice(among: [.passed, .failed, .incomplete]),
            obstacle: try json.optional("obstacle")?.choice(among: [.nothingExpected, .noRequest]),
            expectations: expectations,
            rules: rules,
            findings: findings
        )
    }
}

extension RuleResult {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        var violations: [RuleViolation] = []
        for violation in try json.list("violations") { violations.append(try RuleViolation(violation)) }
        self.init(
            try RuleProfile(json),
            try json.member("status").choice(among: [.held, .failed, .excused, .notJudged, .inconclusive]),
            violations: violations,
            reason: try json.optional("reason")?.string()
        )
    }
}

extension RuleProfile {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        self.init(
            try json.member("number").string(),
            try json.member("name").string(),
            try json.member("severity").choice(among: Finding.Severity.allCases),
            reason: try json.member("why").string(),
            advice: try json.member("advice").string(),
            source: try json.member("source").string()
        )
    }
}

extension RuleViolation {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        var exchanges: [UInt64] = []
        for exchange in try json.list("exchanges") { exchanges.append(try exchange.count()) }
        self.init(
            try json.member("message").string(),
            exchanges: exchanges,
            device: try json.optional("device")?.string()
        )
    }
}

extension ExpectationResult {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        status = try json.member("status").choice(among: [.held, .failed, .incomplete])
        rule = try json.member("rule").string()
        wanted = try json.member("wanted").string()
        message = try json.member("message").string()
        advice = try json.optional("advice")?.string()
        place = try json.optional("place").map { json throws(RecordingProblem) in Place(reading: try json.string()) }
        for exchange in try json.list("exchanges") { exchanges.append(try exchange.count()) }
    }
}

extension Finding {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        var place = Place(file: try json.optional("file")?.string())
        if let line = json.optional("line") {
            place.position = TextPosition(line: try line.int(), column: try json.optional("column")?.int() ?? 1)
        }
        place.exchange = try json.optional("exchange")?.int()
        self.init(
            try json.member("severity").choice(among: Severity.allCases),
            id: try json.member("id").string(),
            try json.member("message").string(),
            at: place == Place() ? nil : place,
            advice: try json.optional("advice")?.string()
        )
    }
}
