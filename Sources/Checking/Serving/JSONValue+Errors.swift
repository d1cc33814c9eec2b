package import JSON

/// The members by which a successful response reports an error: `{"ok": false, "error": …}`.
extension JSONValue {
    /// The places of such members at the top and one level below it, as far as they say that there is one.
    package var errorMembers: [JSONPointer] {
        errorMembers(at: JSONPointer())
            + (object?.members ?? []).flatMap { $0.value.errorMembers(at: JSONPointer().appending($0.name)) }
    }

    /// The places by which a body reports an error, members such as `"ok": false` and `"state": "failed"` included.
    package var reportingMembers: [JSONPointer] {
        let flags = (object?.members ?? []).filter { member in
            member.value == false && Self.isFlagOfSuccess(member.name)
        }
        return flags.map { JSONPointer().appending($0.name) } + statesOfFailure + errorMembers
    }

    /// The places of members at the top and one level below it that say that something has failed, such as
    /// `"state": "failed"`.
    package var statesOfFailure: [JSONPointer] {
        statesOfFailure(at: JSONPointer())
            + (object?.members ?? []).flatMap { $0.value.statesOfFailure(at: JSONPointer().appending($0.name)) }
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
