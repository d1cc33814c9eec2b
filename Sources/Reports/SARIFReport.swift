import Basics
import HTTPCodec
import JSON

/// The report for code scanning: SARIF 2.1.0 (OASIS, 2020), findings only.
struct SARIFReport {
    private static let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

    let report: Report
    /// Every rule that found something, in the order of first mention.
    private let rules: SARIFRules

    init(_ report: Report) {
        self.report = report
        rules = SARIFRules(report.allFindings)
    }

    var text: String { document.text(.pretty) + "\n" }

    private var document: JSONValue {
        var driver: JSONObject = ["name": "backlot"]
        if !report.version.isEmpty { driver["version"] = .string(report.version) }
        driver["rules"] = .array(rules.descriptors)
        var run: JSONObject = [
            "tool": ["driver": .object(driver)],
            "columnKind": "unicodeCodePoints",
            "invocations": [["executionSuccessful": .bool(report.verdict != .nothingChecked)]],
            "results": .array(results),
        ]
        if !report.clients.isEmpty {
            run["properties"] = ["clients": .array(report.clients.map(JSONReport.json))]
        }
        return ["$schema": .string(SARIFReport.schema), "version": "2.1.0", "runs": [.object(run)]]
    }

    private var results: [JSONValue] {
        var fingerprints = FindingFingerprints()
        return report.allFindings.map { finding in
            var result: JSONObject = [
                "ruleId": .string(finding.id),
                "ruleIndex": .number(JSONNumber(rules.index(of: finding.id))),
                "level": .string(finding.severity.rawValue),
                "message": SARIFReport.message(finding.advice.map { "\(finding.message); \($0)" } ?? finding.message),
            ]
            if let location = finding.place.flatMap({ SARIFReport.location($0) }) { result["locations"] = [location] }
            let related = finding.related.enumerated().compactMap { number, related in
                SARIFReport.location(related.place, number: number, message: related.message)
            }
            if !related.isEmpty { result["relatedLocations"] = .array(related) }
            result["partialFingerprints"] = ["backlot/v1": .string(fingerprints.next(for: finding))]
            return .object(result)
        }
    }

    /// A place in a file, or the operation that it is; `nil` for what is neither, and has no message.
    private static func location(_ place: Place, number: Int? = nil, message: String? = nil) -> JSONValue? {
        guard place.file != nil || place.operation != nil || message != nil else { return nil }
        var location = JSONObject()
        location["id"] = number.map { .number(JSONNumber($0)) }
        if let file = place.file {
            var physical: JSONObject = ["artifactLocation": ["uri": .string(ArtifactURI.text(of: file))]]
            if let position = place.position, position.line > 0, position.column > 0 {
                physical["region"] = [
                    "startLine": .number(JSONNumber(position.line)),
                    "startColumn": .number(JSONNumber(position.column)),
                ]
            }
            location["physicalLocation"] = .object(physical)
        }
        if let operation = place.operation {
            location["logicalLocations"] = [["fullyQualifiedName": .string(operation)]]
        }
        location["message"] = message.map(self.message)
        return .object(location)
    }

    private static func message(_ text: String) -> JSONValue { ["text": .string(text)] }
}

/// A file's path as the URI reference that SARIF requires (RFC 3986, section 4.1).
enum ArtifactURI {
    /// Relative paths stay relative; an absolute one becomes a `file` URI.
    static func text(of path: String) -> String {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        // A colon in the first segment would end a scheme, so none is left anywhere.
        return (isAbsolute ? "file://" : "") + PercentEncoding.encode(path, allowing: "/")
    }
}
