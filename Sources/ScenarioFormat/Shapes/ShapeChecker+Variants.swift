import Basics
import JSON

// Objects that are one of several, told apart by their verb: events, expectations, latencies, carriers.
extension ShapeChecker {
    mutating func check(
        _ object: JSONObject,
        of value: JSONValue,
        amongst names: [ObjectShape.Name],
        plus extra: [ObjectShape.Key],
        at pointer: JSONPointer
    ) {
        let chosen = names.first { has(object, $0.shape.verb) }
        let slip = misspeltVerb(in: object, of: names, plus: extra)
        if let slip, chosen.map({ slip.name.shape[$0.shape.verb] != nil }) ?? true {
            // Whatever else is there belongs to what was meant, even if it is another one's verb.
            report(
                "scenario/unknown-key",
                "unknown key \"\(slip.member.name.shortened)\"",
                at: slip.member.namePosition,
                pointer.appending(slip.member.name),
                advice: "did you mean \"\(slip.name.shape.verb)\"?"
            )
            let shape = slip.name.shape.adding(extra)
            check(object, of: value, against: shape, in: slip.name.article, at: pointer, slip: slip.member.name)
        } else if let chosen {
            let shape = chosen.shape.adding(extra)
            let rest = reportingRivals(of: shape, in: object, amongst: names, at: pointer)
            check(rest, of: value, against: shape, in: chosen.article, at: pointer)
        } else if !checkWithoutVerb(object, amongst: names, plus: extra, at: pointer) {
            report(
                "scenario/missing-key",
                "this object does not say what it is; it needs one of \(Self.list(names.map(\.shape.verb)))",
                at: value.position,
                pointer
            )
        }
    }

    private func has(_ object: JSONObject, _ key: String) -> Bool {
        object[key].map { !(isPatch && $0.isNull) } ?? false
    }

    /// The first key that no variant has and that is near to a verb.
    private func misspeltVerb(
        in object: JSONObject,
        of names: [ObjectShape.Name],
        plus extra: [ObjectShape.Key]
    ) -> (member: JSONObject.Member, name: ObjectShape.Name)? {
        let known = Set(names.flatMap { $0.shape.keys.map(\.name) } + extra.map(\.name) + [ObjectShape.comment])
        for member in object.members where !known.contains(member.name) {
            guard
                let verb = Suggestion.nearest(to: member.name, among: names.map(\.shape.verb)),
                let name = names.first(where: { $0.shape.verb == verb })
            else { continue }
            return (member, name)
        }
        return nil
    }

    /// Reports further verbs beside the first one, and returns the object without them.
    private mutating func reportingRivals(
        of shape: ObjectShape,
        in object: JSONObject,
        amongst names: [ObjectShape.Name],
        at pointer: JSONPointer
    ) -> JSONObject {
        var rest = object
        for verb in names.map(\.shape.verb) where shape[verb] == nil {
            guard let second = rest.removeMember(named: verb), !(isPatch && second.value.isNull) else { continue }
            guard let first = object.member(named: shape.verb) else { continue }
            let isInOrder = first.namePosition.text < second.namePosition.text
            reportRivals(isInOrder ? first : second, isInOrder ? second : first, in: "one object", at: pointer)
        }
        return rest
    }

    /// Checks a change of whatever variant the backend has, as far as that can be told; returns whether it could.
    private mutating func checkWithoutVerb(
        _ object: JSONObject,
        amongst names: [ObjectShape.Name],
        plus extra: [ObjectShape.Key],
        at pointer: JSONPointer
    ) -> Bool {
        let written = object.members.filter { $0.name != ObjectShape.comment && !$0.value.isNull }
        let fitting = names.lazy.map { $0.shape.adding(extra) }.first { shape in
            written.allSatisfy { shape[$0.name] != nil }
        }
        guard isPatch, let fitting else { return false }
        for member in written {
            guard let key = fitting[member.name] else { continue }
            check(member.value, against: key.shape, at: pointer.appending(member.name))
        }
        return true
    }
}
