import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import Rules
import ScenarioFormat
import Simulation

extension AdminError {
    static func wrongMethod(_ method: HTTPMethod, _ part: AdminAPI.Part) -> AdminError {
        AdminError(
            "wrong-method",
            status: 405,
            title: "The admin API does not support this method here",
            detail: "/__backlot/\(part.name) does not support \(method.rawValue); use \(part.methods).",
            fields: [("Allow", part.methods)]
        )
    }
}

/// An error of an admin API call.
typealias AdminError = Problem

extension AdminError {
    /// A request that makes no sense, with what would be right.
    init(_ name: String, _ detail: String) {
        self.init(name, status: 400, title: "The request is not valid", detail: detail)
    }

    init(findings: [Finding], name: String = "invalid-event") {
        self.init(
            name,
            status: 400,
            title: "The scenario does not allow this request",
            detail: findings.map(Self.sentence).joined(separator: " "),
            members: [("findings", .array(findings.map { .string($0.description) }))]
        )
    }

    /// A finding with its place in the body, or in a file of the scenario.
    private static func sentence(_ finding: Finding) -> String {
        let place = finding.place?.position == nil ? "" : finding.place.map { "\($0): " } ?? ""
        let advice = finding.advice.map { "; \($0)" } ?? ""
        let end = (advice.isEmpty ? finding.message : advice).hasSuffix("?") ? "" : "."
        return place + finding.message + advice + end
    }

    static func notFound(_ what: String) -> AdminError {
        AdminError("not-found", status: 404, title: "Not found", detail: what)
    }
}
