package import JSON

/// The members by which a successful response reports an error: `{"ok": false, "error": …}`.
extension JSONValue {
    /// The places of such members at the top and one level below it, as far as they say that there is one.
    package var errorMembers: [JSONPointer] {
        errorMembers(at: JSONPointer())
            + (object?.members ?? []).flatMap { $0.value.errorMembers(at: JSONPointer().appending($0.name)) }
    }

    /// The places by which a body reports an error, members such as `"ok": false`, `"state": "failed"` and `"code": 1001`
    /// included.
    package var reportingMembers: [JSONPointer] {
        let flags = (object?.members ?? []).filter { member in
            member.value == false && Self.isFlagOfSuccess(member.name)
        }
        return flags.map { JSONPointer().appending($0.name) } + statesOfFailure + codesOfFailure + errorMembers
    }

    /// The places of members at the top and one level below it that say that something has failed, such as
    /// `"state": "failed"`.
    package var statesOfFailure: [JSONPointer] {
        statesOfFailure(at: JSONPointer())
            + (object?.members ?? []).flatMap { $0.value.statesOfFailure(at: JSONPointer().appending($0.name)) }
    }

    /// The places of members of an envelope that have the code of a failure: `{"code": 1001, "data": null}`.
    package var codesOfFailure: [JSONPointer] {
        guard let members = object?.members, members.contains(where: { Self.contents.contains($0.name.lowercased()) })
        else { return [] }
        return members.compactMap { member in
            let name = member.name.lowercased().filter(\.isLetter)
            guard Self.namesOfCode.contains(name), member.value.isCodeOfFailure else { return nil }
            return JSONPointer().appending(member.name)
        }
    }

    /// The names of the members that have the content of an envelope.
    private static let contents: Set<String> = ["data", "result", "payload", "content", "response", "message", "msg"]
    private static let namesOfCode: Set<String> = [
        "code", "errorcode", "errcode", "errno", "resultcode", "returncode", "retcode", "statuscode", "responsecode",
    ]

    /// A Boolean value that indicates whether a code is neither zero nor a status of success nor a word such as `OK`.
    private var isCodeOfFailure: Bool {
        if let text = string {
            let isNumber = text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
            return isNumber ? Self.isCodeOfFailure(Int(text) ?? .max) : !Self.isWordOfSuccess(text)
        }
        return number?.int.map { Self.isCodeOfFailure(Int($0)) } ?? false
    }

    private static func isCodeOfFailure(_ code: Int) -> Bool { code != 0 && !(200..<300 ~= code) }

    private static func isWordOfSuccess(_ text: String) -> Bool {
        ["ok", "success", "succeeded", "successful", "none", "normal", "done"].contains(text.lowercased())
    }

    private func statesOfFailure(at place: JSONPointer) -> [JSONPointer] {
        (object?.members ?? []).compactMap { member in
            let words = member.value.string?.lowercased().filter(\.isLetter) ?? ""
            let name = member.name.lowercased()
            let isState = Self.namesOfState.contains(where: name.hasSuffix)
            return isState && Self.statesOfFailure.contains(words) ? place.appending(member.name) : nil
        }
    }

    private static let namesOfState = ["status", "state", "result", "outcome", "phase"]
    private static let statesOfFailure: Set<String> = [
        "failed", "failure", "fail", "error", "errored", "rejected", "denied", "declined", "canceled", "cancelled",
        "aborted", "timeout", "timedout", "expired",
    ]

    /// Returns whether a member of this name says whether a request was successful: `"ok": true`.
    package static func isFlagOfSuccess(_ name: String) -> Bool {
        ["ok", "success", "succeeded", "issuccess"].contains(name.lowercased())
    }

    private static let signsOfSuccess: [JSONValue] = [.null, false, 0, []]

    private func errorMembers(at place: JSONPointer) -> [JSONPointer] {
        (object?.members ?? []).compactMap { member in
            let name = member.name.lowercased()
            let isOfError = name.contains("error") || ["exception", "failure", "fault"].contains(name)
            return isOfError && !Self.signsOfSuccess.contains(member.value) ? place.appending(member.name) : nil
        }
    }
}
