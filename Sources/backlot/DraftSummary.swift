import Checking

/// What `backlot init` says when it is done.
struct DraftSummary {
    private let draft: ScenarioDraft
    /// The paths of all files.
    private let written: [String]
    private let folder: String
    /// Whether parts of the contract cannot be used.
    private let isContractBroken: Bool

    init(_ draft: ScenarioDraft, written: [String], folder: String, isContractBroken: Bool) {
        self.isContractBroken = isContractBroken
        self.draft = draft
        self.written = written
        self.folder = folder
    }

    /// How many files are told by name.
    private static let listed = 12

    var text: String {
        var lines = written.prefix(Self.listed).map { "wrote \($0)" }
        if written.count > Self.listed { lines.append("wrote \(written.count - Self.listed) more files") }
        lines.append("")
        lines.append(draft.routeCount == 1 ? "1 route" : "\(draft.routeCount) routes")
        if !draft.tokenKinds.isEmpty {
            let kinds = draft.tokenKinds.joined(separator: ", ")
            lines.append("token rules, guessed: \(kinds); look at \"tokens\" in backend.json")
        }
        if isContractBroken {
            lines.append("the contract has errors, told above; what they concern is not enforced until they are fixed")
        }
        lines += ["", "next:", "  backlot check \(folder)", "  backlot serve \(folder)"]
        return lines.map { $0 + "\n" }.joined()
    }
}
