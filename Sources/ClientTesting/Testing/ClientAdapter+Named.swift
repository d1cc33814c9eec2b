import Basics

extension [any ClientAdapter] {
    /// The clients with some names, in any case; all of them when none is named.
    ///
    /// - Throws: ``TestChoiceProblem`` for a name that no client has.
    package func named(_ names: [String]) throws(TestChoiceProblem) -> [any ClientAdapter] {
        guard !names.isEmpty else { return self }
        let known = map(\.name)
        let wanted = names.map { $0.lowercased() }
        for (name, wanted) in zip(names, wanted) where !known.contains(where: { $0.lowercased() == wanted }) {
            let meant = Suggestion.nearest(to: name, among: known)
            let advice = meant.map { "did you mean \($0)?" } ?? "there are \(known.joined(lastBy: "and"))"
            throw TestChoiceProblem(sentence: "no client is called \"\(name.shortened)\"; \(advice)".printable)
        }
        return filter { wanted.contains($0.name.lowercased()) }
    }
}
