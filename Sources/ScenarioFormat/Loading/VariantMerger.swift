import Basics
import JSON

/// Takes the variants out of a story's file, and lays each of them over the story.
struct VariantMerger {
    private(set) var findings: [Finding] = []
    private(set) var leading: Set<LeadingResponses> = []
    private let sources: SourceMap
    private var patches: [String: JSONValue] = [:]

    init(sources: SourceMap) {
        self.sources = sources
    }

    /// A file without its variants, which are its own: a story that extends it has none of them.
    static func story(in document: JSONValue) -> JSONValue {
        guard var object = document.object, object.removeMember(named: "variants") != nil else {
            return document
        }
        return JSONValue(.object(object), at: document.position)
    }

    /// The variants of the file that was asked for, each a whole tree.
    ///
    /// - Parameters:
    ///   - document: the file, with its variants.
    ///   - root: the story that it is, laid over its backend.
    ///   - known: what is wrong with the story already.
    mutating func merge(
        variantsOf document: JSONValue,
        over root: JSONValue,
        known: [Finding]
    ) -> [(name: String, root: JSONValue)] {
        guard let variants = Scenario.shape["variants"], let member = document.object?.member(named: "variants") else {
            return []
        }
        var whole = ShapeChecker(sources: sources, isPatch: true)
        whole.check(member.value, against: variants.shape, at: JSONPointer().appending(variants.name))
        findings += whole.findings
        guard document["extends"] != nil else {
            findings.append(
                Finding(
                    .error,
                    id: "scenario/idle-key",
                    "a backend must not define \"variants\"; only a story can define variants",
                    at: sources.place(of: member.namePosition),
                    advice: "move the variants to a file that \"extends\" this file"
                )
            )
            return []
        }
        let told = Set((known + findings).map(\.gist))
        return Optional(member.value).members.filter { $0.value.object != nil }.map { variant in
            (variant.name, merge(variant, over: root, told: told))
        }
    }

    private mutating func merge(_ variant: JSONObject.Member, over root: JSONValue, told: Set<[String]>) -> JSONValue {
        patches[variant.name] = variant.value
        var alone = ShapeChecker(sources: sources, isPatch: true)
        alone.check(variant.value, against: .object(StoryVariant.self))
        var merger = ShapeMerger(sources: sources)
        let merged = merger.merge(variant.value, over: root, along: .object(Scenario.self))
        findings += merger.findings
        leading.formUnion(merger.leading)
        // Mistakes of the patch alone have been reported.
        guard alone.findings.isEmpty else { return merged }
        var whole = ShapeChecker(sources: sources)
        whole.check(merged.withoutRoutes(of: root), against: .object(Scenario.self))
        findings += whole.findings.filter { !told.contains($0.gist) }
        return merged
    }

    /// The findings about a variant that its story does not have, with the variant's name if it is not obvious.
    func naming(_ name: String, in findings: [Finding], besides told: [Finding]) -> [Finding] {
        let told = Set(told)
        return findings.filter { !told.contains($0) }.map { finding in
            guard !isWritten(at: finding.place, in: patches[name]) else { return finding }
            var finding = finding
            let context = "in the variant \"\(name)\"".printable
            finding.advice = finding.advice.map { "\($0); \(context)" } ?? context
            return finding
        }
    }

    /// The changes of a variant, as written in its file.
    func patch(of variant: String) -> JSONValue? { patches[variant] }

    private func isWritten(at place: Place?, in value: JSONValue?) -> Bool {
        guard let value, let place else { return false }
        if sources.place(of: value.position) == place { return true }
        if let object = value.object {
            return object.members.contains { member in
                sources.place(of: member.namePosition) == place || isWritten(at: place, in: member.value)
            }
        }
        return value.array?.contains { isWritten(at: place, in: $0) } ?? false
    }
}
