import ScenarioFormat

/// The value that a state has at a moment, for the session or for one account or device.
package struct FinalState: Sendable, Hashable {
    package var name: String
    /// The account or device; `nil` for the session's.
    package var owner: String?
    package var value: String

    /// The name with that of the owner.
    var label: String { owner.map { "\(name) of \($0)" } ?? name }
}

extension FinalState: RecordedObject {
    package init() { self.init(name: "", value: "") }

    package mutating func list(in form: inout RecordedForm) {
        form.member("name", &name)
        form.member("owner", &owner)
        form.member("value", &value)
    }
}
