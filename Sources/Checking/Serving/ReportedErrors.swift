package import JSON

/// The places by which a response reports an error, regardless of its status: `{"ok": false, "error": …}`.
///
/// They are at the top of the body or one level below it.
package struct ReportedErrors: Sendable {
    /// Members such as `error`, as far as their values say that there is one.
    package let members: [JSONPointer]
    /// Members that say that something has failed, such as `"state": "failed"`.
    package let states: [JSONPointer]
    /// Members of an envelope that have the code of a failure: `{"code": 1001, "data": null}`.
    package let codes: [JSONPointer]
    private let flags: [JSONPointer]

    /// All places, those of flags such as `"ok": false` first.
    package var places: [JSONPointer] { flags + states + codes + members }

    package init(in body: JSONValue) {
        let root = JSONPointer()
        let outer = body.object?.members ?? []
        let objects = [(root, body)] + outer.map { (root.appending($0.name), $0.value) }
        func places(where isWanted: (String, JSONValue) -> Bool) -> [JSONPointer] {
            objects.flatMap { place, object in
                (object.object?.members ?? []).filter { isWanted($0.name, $0.value) }.map { place.appending($0.name) }
            }
        }
        members = places { Self.isOfError($0.lowercased()) && !Self.signsOfSuccess.contains($1) }
        states = places { Self.isOfState($0.lowercased()) && Self.isFailure($1) }
        flags = outer.filter { $0.value == false && Self.isFlagOfSuccess($0.name) }.map { root.appending($0.name) }
        let isEnvelope = outer.contains { Self.contents.contains($0.name.lowercased()) }
        let failures = outer.filter { isEnvelope && Self.isCodeOfFailure($0.name, $0.value) }
        codes = failures.map { root.appending($0.name) }
    }

    /// Returns whether a member of this name says whether a request was successful: `"ok": true`.
    package static func isFlagOfSuccess(_ name: String) -> Bool {
        ["ok", "success", "succeeded", "issuccess"].contains(name.lowercased())
    }

    // MARK: Errors

    private static func isOfError(_ name: String) -> Bool {
        name.contains("error") || ["exception", "failure", "fault"].contains(name)
    }

    private static let signsOfSuccess: [JSONValue] = [.null, false, 0, []]

    // MARK: States

    private static func isOfState(_ name: String) -> Bool {
        ["status", "state", "result", "outcome", "phase"].contains(where: name.hasSuffix)
    }

    private static func isFailure(_ state: JSONValue) -> Bool {
        failures.contains(state.string?.lowercased().filter(\.isLetter) ?? "")
    }

    private static let failures: Set<String> = [
        "failed", "failure", "fail", "error", "errored", "rejected", "denied", "declined", "canceled", "cancelled",
        "aborted", "timeout", "timedout", "expired",
    ]

    // MARK: Codes

    /// The names of the members that have the content of an envelope.
    private static let contents: Set<String> = ["data", "result", "payload", "content", "response", "message", "msg"]
    private static let namesOfCode: Set<String> = [
        "code", "errorcode", "errcode", "errno", "resultcode", "returncode", "retcode", "statuscode", "responsecode",
    ]
    private static let wordsOfSuccess: Set<String> = [
        "ok", "success", "succeeded", "successful", "none", "normal", "done",
    ]

    /// Returns whether a member has a code that is neither zero nor a status of success nor a word such as `OK`.
    private static func isCodeOfFailure(_ name: String, _ code: JSONValue) -> Bool {
        guard namesOfCode.contains(name.lowercased().filter(\.isLetter)) else { return false }
        let text = code.string ?? code.number?.text ?? ""
        if let number = Int(text) { return number != 0 && !(200..<300 ~= number) }
        return code.string.map { !wordsOfSuccess.contains($0.lowercased()) } ?? false
    }
}
