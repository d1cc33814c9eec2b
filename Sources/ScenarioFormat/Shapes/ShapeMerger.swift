import Basics
import JSON

/// Lays a story's tree over its backend's, as RFC 7396 describes it, but along the format.
///
/// Objects of the format merge member by member, and `null` removes a member. Arrays and content
/// (``Shape/anything``) are replaced as a whole: a `null` inside them is a value and stays. A key of an exclusive
/// group removes its rivals: a story that says `"status": 500, "text": "…"` need not delete the backend's fixture
/// first.
///
/// The `responses` that a story gives to a route go before the `cases` that the route has already; which those are is
/// among ``leading``, because the merged tree does not show it.
struct ShapeMerger {
    private(set) var findings: [Finding] = []
    /// The lists of responses that go before the cases of their route.
    private(set) var leading: Set<LeadingResponses> = []
    private let sources: SourceMap
    /// A Boolean value that indicates whether what is changed is in no file, so that a `null` that removes nothing there is
    /// a mistake.
    private let isOverExpansion: Bool

    init(sources: SourceMap, isOverExpansion: Bool = false) {
        self.sources = sources
        self.isOverExpansion = isOverExpansion
    }

    mutating func merge(_ patch: JSONValue, over base: JSONValue?, along shape: Shape) -> JSONValue {
        guard case .object(let changes) = patch.content, let fields = shape.fields(of: changes, over: base?.object)
        else { return patch }
        var merged = base?.object ?? JSONObject()
        for foreign in fields.foreign(in: merged) { merged[foreign] = nil }
        // What is removed goes first, so that the order of the story's keys does not matter.
        for change in changes.members where change.isRemoval {
            guard merged.removeMember(named: change.name) == nil, base?[change.name] == nil else { continue }
            if fields.allows(change.name), !isOverExpansion {
                report(change, among: merged.names)
            } else {
                // Kept, so that the check says what is wrong with it.
                merged.set(change)
            }
        }
        for change in changes.members where !change.isRemoval {
            for rival in fields.rivals(of: change.name) where changes[rival]?.isNull != false { merged[rival] = nil }
            let value =
                fields.shape(of: change.name).map { merge(change.value, over: merged[change.name], along: $0) }
                ?? change.value
            merged.set(JSONObject.Member(name: change.name, namePosition: change.namePosition, value: value))
        }
        if let responses = changes["responses"], !responses.isNull,
            changes["cases"] == nil,
            let cases = base?["cases"],
            fields.allows("responses"), fields.allows("cases")
        {
            leading.insert(LeadingResponses(responses: responses.position, cases: cases.position))
        }
        return JSONValue(.object(merged), at: patch.position)
    }

    private mutating func report(_ change: JSONObject.Member, among names: [String]) {
        let meant = Suggestion.nearest(to: change.name, among: names)
        findings.append(
            Finding(
                .warning,
                id: "scenario/idle-null",
                "null removes a key from the extended file, but that file does not set \"\(change.name)\""
                    .printable,
                at: sources.place(of: change.namePosition),
                advice: meant.map { "did you mean \"\($0)\"?" }
            )
        )
    }
}

/// A list of responses that a story adds to a route, and the cases of the file below that it goes before.
struct LeadingResponses: Hashable {
    var responses: JSONPosition
    var cases: JSONPosition
}

extension JSONObject.Member {
    fileprivate var isRemoval: Bool { value.isNull && name != ObjectShape.comment }
}

extension Shape {
    /// The members of an object of this shape; `nil` when a story replaces the object as a whole.
    fileprivate func fields(of patch: JSONObject, over base: JSONObject?) -> MergedFields? {
        switch self {
        case .object(let type): type.shape.merging == .members ? .named(type.shape) : nil
        case .variants(let types, let extra):
            Self.variant(of: types, plus: extra, in: patch, over: base)
        case .map(let element, let names): .chosen(element, names: names)
        case .choice(let shapes): shapes.first { $0.kinds == ["object"] }?.fields(of: patch, over: base)
        case .shared(_, let shape), .restricted(let shape, _): shape.fields(of: patch, over: base)
        default: nil
        }
    }

    private static func variant(
        of shapes: [ObjectShape],
        plus extra: [ObjectShape.Key],
        in patch: JSONObject,
        over base: JSONObject?
    ) -> MergedFields? {
        let chosen =
            shapes.first { patch[$0.verb]?.isNull == false } ?? shapes.first { base?[$0.verb] != nil }
        guard let chosen = chosen?.adding(extra) else { return nil }
        let siblings = shapes.flatMap(\.keys).map(\.name).filter { chosen[$0] == nil }
        return .variant(chosen, siblings: Set(siblings))
    }
}
