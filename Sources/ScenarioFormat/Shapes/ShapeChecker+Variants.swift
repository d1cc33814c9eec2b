import Basics
import JSON

// Objects that are one of several, told apart by their verb: events, expectations, latencies, carriers.
extension ShapeChecker {
    mutating func check(
        _ object: JSONObject,
        of value: JSONValue,
        amongst shapes: [ObjectShape],
        plus extra: [ObjectShape.Key],
        at pointer: JSONPointer
    ) {
        let chosen = shapes.first { has(object, $0.verb) }
        let slip = misspeltVerb(in: object, of: shapes, plus: extra)
        if let slip, chosen.map({ slip.shape[$0.verb] != nil }) ?? true {
            // Whatever else is there belongs to what was meant, even if it is another one's verb.
            report(
                "scenario/unknown-key",
                "unknown key \"\(slip.member.name.shortened)\"",
                at: slip.member.namePosition,
                pointer.appending(slip.member.name),
                advice: "did you mean \"\(slip.shape.verb)\"?"
            )
            let shape = slip.shape.adding(extra)
            check(object, of: value, against: shape, at: pointer, slip: slip.member.name)
        } else if let chosen {
            let shape = chosen.adding(extra)
            let rest = reportingRivals(of: shape, in: object, amongst: shapes, at: pointer)
            check(rest, of: value, against: shape, at: pointer)
        } else if !checkWithoutVerb(object, amongst: shapes, plus: extra, at: pointer) {
            report(
                "scenario/missing-key",
                "this object does not say what it is; it needs one of \(Self.list(shapes.map(\.verb)))",
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
        of shapes: [ObjectShape],
        plus extra: [ObjectShape.Key]
    ) -> (member: JSONObject.Member, shape: ObjectShape)? {
        let known = Set(shapes.flatMap { $0.keys.map(\.name) } + extra.map(\.name) + [ObjectShape.comment])
        for member in object.members where !known.contains(member.name) {
            guard
                let verb = Suggestion.nearest(to: member.name, among: shapes.map(\.verb)),
                let shape = shapes.first(where: { $0.verb == verb })
            else { continue }
            return (member, shape)
        }
        return nil
    }

    /// Reports further verbs beside the first one, and returns the object without them.
    private mutating func reportingRivals(
        of shape: ObjectShape,
        in object: JSONObject,
        amongst shapes: [ObjectShape],
        at pointer: JSONPointer
    ) -> JSONObject {
        var rest = object
        for verb in shapes.map(\.verb) where shape[verb] == nil {
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
        amongst shapes: [ObjectShape],
        plus extra: [ObjectShape.Key],
        at pointer: JSONPointer
    ) -> Bool {
        let written = object.members.filter { $0.name != ObjectShape.comment && !$0.value.isNull }
        let fitting = shapes.lazy.map { $0.adding(extra) }.first { shape in
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
