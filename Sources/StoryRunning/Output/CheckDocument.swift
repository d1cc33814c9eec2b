import Basics
import JSON

/// What came of a story's checks, as `checks.json` has it: nothing in it differs between two runs alike.
struct CheckDocument {
    let json: JSONValue

    init(_ result: StoryResult) {
        json = .array(result.checks.map { Self.json($0, of: result) })
    }

    private static func json(_ check: StoryCheck, of result: StoryResult) -> JSONValue {
        var object = JSONObject()
        object["id"] = .string(check.id)
        object["name"] = .string(check.name)
        object["status"] = .string(status(of: check))
        object["description"] = .string(check.findings.first?.message ?? check.excuse ?? check.name)
        let places = [check.place].compactMap { $0 } + check.findings.flatMap { $0.related.map(\.place) }
        object["references"] = .array(places.map { .string($0.description) } + sources(of: check))
        var details = JSONObject()
        details["story"] = .string(result.story.id)
        details["seed"] = .string("\(result.play.seed)")
        if let reason = check.reason { details["why"] = .string(reason) }
        details["exchanges"] = .array(check.exchanges.map { .number(JSONNumber(Int(clamping: $0))) })
        if !check.findings.isEmpty {
            details["findings"] = .array(
                check.findings.map { finding in
                    var told = JSONObject()
                    told["severity"] = .string(finding.severity.rawValue)
                    told["message"] = .string(finding.message)
                    if let advice = finding.advice { told["advice"] = .string(advice) }
                    return .object(told)
                }
            )
        }
        object["details"] = .object(details)
        return .object(object)
    }

    private static func sources(of check: StoryCheck) -> [JSONValue] {
        (check.source?.split(separator: ";") ?? []).map { .string(String($0.drop { $0 == " " })) }
    }

    private static func status(of check: StoryCheck) -> String {
        switch check.status {
        case .failed: "FAILURE"
        case .unknown, .inconclusive: "WARNING"
        case .known: "INFO"
        case .excused: "SKIPPED"
        case .held: check.findings.contains { $0.severity == .warning } ? "WARNING" : "SUCCESS"
        }
    }
}
