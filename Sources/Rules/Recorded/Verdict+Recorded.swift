import Basics
package import JSON
package import Simulation

extension Verdict {
    /// Reads a verdict from its document, which may have members of its own next to it.
    package init(_ json: JSONValue) throws(RecordingProblem) { try self.init(RecordedValue(json)) }

    /// The verdict as a document.
    package var json: JSONObject { object() }
}

extension Verdict: RecordedObject {
    package init() { (outcome, expectations, rules) = (.passed, [], []) }

    package mutating func list(in form: inout RecordedForm) {
        form.member("verdict", &outcome)
        form.member("obstacle", &obstacle)
        form.note("summary", summary)
        form.member("expectations", &expectations, or: [])
        var byRule = rules.grouped(by: \.id).map { RecordedRule(judgements: $0.elements) }
        form.member("rules", &byRule, unless: [])
        var findings = findings
        if form.isReading {
            rules = byRule.flatMap(\.judgements)
            listConsequences()
        }
        form.member("findings", &findings, or: [])
        guard form.isReading else { return }
        let told = Set(self.findings.map(\.message))
        gap = findings.first { !told.contains($0.message) }
            .map { Judgement($0, .incomplete, subject: "a complete journal") }
    }
}

extension Judgement.Outcome: Recorded {}
extension Verdict.Obstacle: Recorded {}

/// The result of an expectation.
extension Judgement: RecordedObject {
    package init() { self.init(.held, id: "", "") }

    package mutating func list(in form: inout RecordedForm) {
        form.member("status", &status, among: [.held, .failed, .incomplete])
        if form.isReading { self = Judgement(status, id: "", "") }
        form.member("rule", &id)
        form.member("wanted", &subject)
        form.member("message", &sentence)
        form.member("advice", &advice)
        form.member("exchanges", &exchanges.asCounts, or: [])
        form.member("place", &place.printed)
        listCause(in: &form)
    }

    fileprivate mutating func listCause(in form: inout RecordedForm) {
        var cause = explainedBy
        form.member("explainedBy", &cause)
        if let cause { self = explained(by: cause) }
    }
}

/// A rule with all its judgements: one for each violation, or one that says why there is none.
private struct RecordedRule: RecordedObject, Equatable {
    var judgements = [Judgement()]

    mutating func list(in form: inout RecordedForm) {
        var rule = judgements[0]
        var number = rule.number
        form.member("number", &number)
        form.member("name", &rule.subject)
        form.member("status", &rule.status, among: [.held, .failed, .excused, .notJudged, .inconclusive])
        if form.isReading { rule = Judgement(rule.status, id: "\(number) \(rule.subject)", "", subject: rule.subject) }
        form.member("why", &rule.why.orEmpty)
        form.member("advice", &rule.advice.orEmpty)
        form.member("source", &rule.source.orEmpty)
        if rule.status != .held, rule.status != .failed { form.member("reason", &rule.sentence, or: "") }
        var violations = judgements.filter { $0.status == .failed || !$0.exchanges.isEmpty }
            .map { RecordedViolation(judgement: $0) }
        if form.isReading { violations = [] }
        form.member("violations", &violations, unless: [])
        guard form.isReading else { return }
        judgements = violations.isEmpty ? [rule] : violations.map { $0.judgement(of: rule) }
        if rule.status != .failed { judgements = [judgements[0]] }
    }
}

private struct RecordedViolation: RecordedObject, Equatable {
    var judgement = Judgement()

    mutating func list(in form: inout RecordedForm) {
        form.member("message", &judgement.sentence)
        form.member("exchanges", &judgement.exchanges.asCounts, or: [])
        form.member("device", &judgement.device)
        judgement.listCause(in: &form)
    }

    func judgement(of rule: Judgement) -> Judgement {
        var whole = rule
        (whole.sentence, whole.exchanges, whole.device) = (judgement.sentence, judgement.exchanges, judgement.device)
        return judgement.explainedBy.map(whole.explained) ?? whole
    }
}

extension Judgement.Cause: RecordedObject {
    package init() { self.init(id: "", exchange: nil) }

    package mutating func list(in form: inout RecordedForm) {
        form.member("rule", &id)
        form.member("exchange", &exchange)
    }
}

extension Finding: RecordedObject {
    package init() { self.init(.note, id: "", "") }

    package mutating func list(in form: inout RecordedForm) {
        var place = place ?? Place()
        var (line, column) = (place.position?.line, place.position?.column)
        form.member("severity", &severity)
        form.member("id", &id)
        form.member("message", &message)
        form.member("advice", &advice)
        form.member("file", &place.file)
        form.member("line", &line)
        form.member("column", &column)
        form.member("exchange", &place.exchange)
        place.position = line.map { TextPosition(line: $0, column: column ?? 1) }
        self.place = place == Place() ? nil : place
    }
}

extension [Int] {
    /// The same as numbers that are never negative.
    fileprivate var asCounts: [UInt64] {
        get { map(\.asCount) }
        set { self = newValue.map { Int(clamping: $0) } }
    }
}

extension Place? {
    fileprivate var printed: String? {
        get { map(\.description) }
        set { self = newValue.map(Place.init(reading:)) }
    }
}

extension String? {
    /// The same as a text that is always there.
    fileprivate var orEmpty: String {
        get { self ?? "" }
        set { self = newValue }
    }
}
