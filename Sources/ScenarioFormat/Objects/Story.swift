import Basics
import JSON

/// The heading of a story.
package struct Story: Sendable {
    package var id = ""
    package var title = ""
    package var about = ""
    /// The bugs that the story brings back, such as `app/B3`.
    package var reproduces: [String] = []
    /// The rules that a client with those bugs fails, by number, each once.
    package var bugClasses: [RuleName] = []
    /// A Boolean value that indicates whether those bugs are only visible on the screen: no request or stored item shows
    /// of them.
    package var isUIOnly = false
    /// A Boolean value that indicates whether a correct client sends nothing at all.
    package var isSilent = false
    /// The variants of the story's file, by name; each is run separately, with the ID `STORY/VARIANT`.
    package var variants: [String] = []
    /// The name of the variant; `nil` for the story itself.
    package var variant: String?

    /// Takes the place of one of the variants of its file.
    mutating func become(variant: String?, of variants: [String]) {
        self.variants = variants
        self.variant = variant
        if let variant { id += "/\(variant)" }
    }
}

extension Story: KeyedModel {
    static let keys = [
        Key("id", \.id, .text(.name), "The story's short name in --story and reports.").withoutDefault
            .example("lost-rotation"),
        Key("title", \.title, .text(.any), "The story's topic, in one line.").withoutDefault
            .example("The response to a refresh is lost"),
        Key("about", \.about, .text(.any), "A short summary for readers who do not know the code.").withoutDefault
            .example("The phone asks for new tokens in a tunnel. The response never arrives."),
        Key("reproduces", \.reproduces, .choice(.of(.bug) { [$0] }, .list(of: .bug)))
            .summary(
                """
                The bugs that the story reproduces. If the backend defines "bugs", each bug must be listed in "bugs".
                """
            )
            .example("smeem/B3"),
        Key("bugClasses", .restricted(.oneOrMore(.text(.rule)), [ObjectRule(reportedByLoader: .distinct)])) {
            $0.bugClasses = RuleName.list($1, &$2)
        }
        .summary(
            "The rules, by number or name, that a client with the story's bugs violates. The story table lists these rules."
        )
        .example("B2"),
        Key("uiOnly", \.isUIOnly, .boolean)
            .summary("If true, the bugs are visible only on the screen, so the client must report them."),
    ]

    static let silent = Key("silent", \.isSilent, .boolean, "If true, a correct client sends no requests.")

    /// Reads the heading; `nil` for a backend without one.
    init?(_ builder: inout ScenarioBuilder) {
        let (root, base) = (builder.root, builder.base)
        if let object = base.object, base["backend"] == nil, base["extends"] == nil {
            let meant = Suggestion.nearest(to: "backend", among: object.names)
            builder.report(
                "scenario/missing-key",
                "found neither \"backend\", which a backend requires, nor \"extends\", which a story requires",
                at: base.position,
                advice: meant.map { "did you mean \"backend\" by \"\($0)\"?" }
            )
        } else if base["backend"] != nil, root["backend"] == nil {
            let sentence = "a story can rename its \"backend\", but must not remove it"
            builder.report("scenario/missing-key", sentence, at: root.position)
        }
        let isStory = root["extends"] != nil
        guard isStory || root["id"] != nil else { return nil }
        for name in ["id", "title"] where isStory && root[name] == nil {
            builder.report("scenario/missing-key", "a story requires \"\(name)\"", at: root.position)
        }
        for key in Self.keys + [Self.silent] { key.read(root, into: &self, &builder) }
    }
}

extension ValueType<String> {
    /// A bug, one of those that the backend defines if it defines any.
    fileprivate static var bug: Self {
        .of(.text(.any)) { name, tree, builder in
            let known = builder.root["bugs"].memberNames
            if !known.isEmpty { builder.expect(name, among: known, as: "bug", at: tree.position) }
            return name
        }
    }
}

extension RuleName {
    /// Reads one rule or several, each once.
    fileprivate static func list(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> [RuleName] {
        var known: [RuleName: String] = [:]
        return (tree.array ?? [tree]).compactMap { written in
            guard let name = written.string, let rule = RuleName(name) else { return nil }
            let first = known.updateValue(name, forKey: rule)
            builder.expectOther(rule: name, than: first, at: written.position)
            return first == nil ? rule : nil
        }
    }
}

extension Exemption {
    static func all(_ builder: inout ScenarioBuilder) -> [Exemption] {
        var known: [RuleName: String] = [:]
        return builder.root["exceptions"].members.compactMap { member in
            guard let reason = member.value.string, let rule = RuleName(member.name) else { return nil }
            let first = known.updateValue(member.name, forKey: rule)
            builder.expectOther(rule: member.name, than: first, at: member.namePosition)
            return Exemption(rule: rule, reason: reason, position: member.namePosition)
        }
    }
}

extension ScenarioBuilder {
    fileprivate mutating func expectOther(rule name: String, than first: String?, at position: JSONPosition) {
        guard let first else { return }
        report("scenario/rival-keys", "\"\(first)\" and \"\(name)\" are the same rule; keep one", at: position)
    }
}
