package import JSON

/// The members by which a successful response reports an error: `{"ok": false, "error": …}`.
extension JSONValue {
    /// The places of such members at the top and one level below it, as far as they say that there is one.
    package var errorMembers: [JSONPointer] {
        errorMembers(at: JSONPointer())
            + (object?.members ?? []).flatMap { $0.value.errorMembers(at: JSONPointer().appending($0.name)) }
    }

    /// The places by which a body reports an error, members such as `"ok": false` included.
    package var reportingMembers: [JSONPointer] {
        let flags = (object?.members ?? []).filter { member in
            member.value == false && Self.isFlagOfSuccess(member.name)
        }
        return flags.map { JSONPointer().appending($0.name) } + errorMembers
    }

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
