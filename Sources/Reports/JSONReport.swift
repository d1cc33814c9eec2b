import Basics
package import JSON

/// The report for programs: everything that the run found, under names that stay.
struct JSONReport {
    let report: Report

    var text: String { document.text(.pretty) + "\n" }

    var document: JSONValue {
        var document: JSONObject = ["tool": "backlot"]
        if !report.version.isEmpty { document["version"] = .string(report.version) }
        document["command"] = .string(report.title)
        document["verdict"] = .string(report.verdict.rawValue)
        document["counts"] = report.counts.json
        document["findings"] = .array(report.findings.map(JSONReport.json))
        document["checks"] = .array(report.checks.map(json))
        document["coverage"] = .array(report.coverage.map(json))
        if !report.clients.isEmpty { document["clients"] = .array(report.clients.map(JSONReport.json)) }
        if !report.stories.isEmpty { document["stories"] = .array(report.stories.map(JSONReport.json)) }
        document["summary"] = .array(report.summary.map(JSONValue.string))
        return .object(document)
    }

    private func json(_ check: Report.Check) -> JSONValue {
        var object: JSONObject = [
            "group": .string(check.group),
            "name": .string(check.name),
            "outcome": .string(report.outcome(of: check).rawValue),
        ]
        object["skipped"] = check.skipped.map(JSONValue.string)
        object["place"] = check.place.map(JSONReport.json)
        object["findings"] = .array(check.findings.map(JSONReport.json))
        if !check.repeated.isEmpty { object["repeated"] = .array(check.repeated.map(JSONReport.json)) }
        return .object(object)
    }

    private func json(_ coverage: Coverage) -> JSONValue {
        var object: JSONObject = [
            "contract": .string(coverage.contract),
            "operation": .string(coverage.operation),
        ]
        object["place"] = coverage.place.map(JSONReport.json)
        object["responses"] = .array(
            coverage.answers.map { answer in
                [
                    "status": .string(answer.status),
                    "covered": .bool(answer.basis != .nothing),
                    "by": .string(answer.basis.rawValue),
                ]
            }
        )
        return .object(object)
    }

    static func json(_ coverage: ClientCoverage) -> JSONValue {
        var object: JSONObject = [
            "client": .string(coverage.client),
            "contract": .string(coverage.contract),
            "operation": .string(coverage.operation),
        ]
        object["place"] = coverage.place.map(json)
        object["responses"] = .array(
            coverage.answers.map { answer in
                [
                    "response": .string(answer.answer),
                    "outcome": .string(answer.outcome),
                    "sound": .bool(answer.isSound),
                ]
            }
        )
        return .object(object)
    }

    static func json(_ finding: Finding) -> JSONValue {
        var object: JSONObject = [
            "severity": .string(finding.severity.rawValue),
            "id": .string(finding.id),
            "message": .string(finding.message),
        ]
        object["advice"] = finding.advice.map(JSONValue.string)
        object["place"] = finding.place.map(json)
        if !finding.related.isEmpty {
            object["related"] = .array(
                finding.related.map { ["message": .string($0.message), "place": json($0.place)] }
            )
        }
        return .object(object)
    }

    static func json(_ place: Place) -> JSONValue {
        var object = JSONObject()
        object["file"] = place.file.map(JSONValue.string)
        object["line"] = (place.position?.line).map { .number(JSONNumber($0)) }
        object["column"] = (place.position?.column).map { .number(JSONNumber($0)) }
        object["pointer"] = place.pointer.map(JSONValue.string)
        object["operation"] = place.operation.map(JSONValue.string)
        object["exchange"] = place.exchange.map { .number(JSONNumber($0)) }
        return .object(object)
    }
}

extension JSONReport {
    /// A story with everything that was looked at; its exchanges are in its journal.
    static func json(_ story: PlayedStory) -> JSONValue {
        var object: JSONObject = ["id": .string(story.id), "title": .string(story.title)]
        if !story.about.isEmpty { object["about"] = .string(story.about) }
        if !story.reproduces.isEmpty { object["reproduces"] = .array(story.reproduces.map(JSONValue.string)) }
        object["file"] = story.file.map(JSONValue.string)
        object["outcome"] = .string(story.outcome.rawValue)
        object["summary"] = .string(story.summary)
        object["expectations"] = .array(story.expectations.map(json))
        object["rules"] = .array(story.rules.map(json))
        object["contract"] = .array(story.contract.compactMap(\.finding).map(json))
        object["notes"] = .array(story.notes.map(JSONValue.string))
        object["exchanges"] = .number(JSONNumber(story.diagram.exchanges.count + story.diagram.lost))
        object["command"] = story.command.map(JSONValue.string)
        return .object(object)
    }

    private static func json(_ judgement: Judgement) -> JSONValue {
        var object: JSONObject = ["id": .string(judgement.id), "status": .string(judgement.word)]
        if !judgement.statement.isEmpty { object["sentence"] = .string(judgement.statement) }
        object["place"] = judgement.place.map(json)
        if !judgement.exchanges.isEmpty {
            object["exchanges"] = .array(judgement.exchanges.map { .number(JSONNumber($0)) })
        }
        if let cause = judgement.explainedBy {
            var explanation: JSONObject = ["rule": .string(cause.id)]
            explanation["exchange"] = cause.exchange.map { .number(JSONNumber($0)) }
            object["explainedBy"] = .object(explanation)
            return .object(object)
        }
        guard judgement.isOpen || judgement.status == .known else { return .object(object) }
        object["reason"] = judgement.why.map(JSONValue.string)
        object["advice"] = judgement.advice.map(JSONValue.string)
        object["source"] = judgement.source.map(JSONValue.string)
        return .object(object)
    }
}

extension Report {
    /// The whole report as a document, as `--report json=FILE` writes it.
    package var json: JSONValue { JSONReport(report: self).document }
}

extension Report.Counts {
    package var json: JSONValue {
        [
            "errors": .number(JSONNumber(errors)),
            "warnings": .number(JSONNumber(warnings)),
            "notes": .number(JSONNumber(notes)),
            "checks": .number(JSONNumber(checks)),
            "passed": .number(JSONNumber(passed)),
            "failed": .number(JSONNumber(failed)),
            "skipped": .number(JSONNumber(skipped)),
        ]
    }
}
