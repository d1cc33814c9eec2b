import Basics
import JSON

/// Reads a tree against a shape and finds everything that is wrong with it, not only the first thing.
struct ShapeChecker {
    private(set) var findings: [Finding] = []
    private let sources: SourceMap
    /// A Boolean value that indicates whether the tree is a story without its backend: it may lack what the backend
    /// has, and remove it with `null`.
    private(set) var isPatch: Bool

    init(sources: SourceMap, isPatch: Bool = false) {
        self.sources = sources
        self.isPatch = isPatch
    }

    mutating func check(_ value: JSONValue, against shape: Shape, at pointer: JSONPointer = JSONPointer()) {
        switch (shape, value.content) {
        case (.anything, _): break
        case (_, .null) where isPatch: break
        case (.null, .null): break
        case (.text(let form), .string(let text)): check(text, form, of: value, at: pointer)
        case (.integer(let range), .number(let number)):
            guard let int = number.int, range.contains(int) else { return mismatch(value, shape, at: pointer) }
        case (.number(let range), .number(let number)):
            guard range.contains(number.double) else { return mismatch(value, shape, at: pointer) }
        case (.boolean, .bool): break
        case (.list(let element, let count), .array(let values)):
            guard count.contains(values.count) else { return mismatch(value, shape, at: pointer) }
            check(values, against: element, at: pointer)
        case (.map(let element, let names), .object(let object)):
            for member in object.members where member.name != ObjectShape.comment {
                // What removes nothing under a name that cannot be is one mistake.
                guard check(nameOf: member, names, at: pointer) || !member.value.isNull else { continue }
                check(member.value, against: element, at: pointer.appending(member.name))
            }
        case (.shared(_, let inner), _): check(value, against: inner, at: pointer)
        case (.restricted(let inner, let rules), _):
            check(value, against: inner, at: pointer)
            if !(isPatch && inner.isMerged) { check(value, rules, at: pointer) }
        case (.object(let type), .object(let object)):
            let shape = type.shape
            let wasPatch = isPatch
            if shape.merging != .members { isPatch = shape.merging == .change }
            defer { isPatch = wasPatch }
            check(object, of: value, against: shape, at: pointer)
        case (.variants(let types, let extra), .object(let object)):
            check(object, of: value, amongst: types, plus: extra, at: pointer)
        case (.choice(let shapes), _):
            guard let fitting = shapes.first(where: { $0.kinds.contains(value.kindName) }) else {
                return mismatch(value, shape, at: pointer)
            }
            check(value, against: fitting, at: pointer)
        default: mismatch(value, shape, at: pointer)
        }
    }

    /// Checks an array's elements, which no other file adds anything to.
    private mutating func check(_ values: [JSONValue], against element: Shape, at pointer: JSONPointer) {
        let wasPatch = isPatch
        isPatch = false
        defer { isPatch = wasPatch }
        for (index, value) in values.enumerated() { check(value, against: element, at: pointer.appending(index)) }
    }

    private mutating func check(_ text: String, _ form: TextForm, of value: JSONValue, at pointer: JSONPointer) {
        guard case .wrong(let meant) = form.check(text) else { return }
        let isMissing = text.isEmpty && form == .filled
        report(
            "scenario/bad-value",
            isMissing ? "found an empty string, but expected text" : "\"\(text.shortened)\" is not \(form.expectation)",
            at: value.position,
            pointer,
            advice: Self.question(meant)
        )
    }

    /// Asks whether one of these was meant.
    private static func question(_ meant: [String]) -> String? {
        meant.isEmpty ? nil : "did you mean \(meant.map { "\"\($0)\"" }.joined(lastBy: "or"))?"
    }

    /// Checks a name that the author has chosen; returns whether it is right.
    private mutating func check(nameOf member: JSONObject.Member, _ form: TextForm, at pointer: JSONPointer) -> Bool {
        do {
            if form == .route { _ = try RouteKey(parsing: member.name) }
        } catch {
            report("scenario/bad-route", error.message, at: member.namePosition, pointer, advice: error.advice)
            return false
        }
        guard case .wrong(let meant) = form.check(member.name) else { return true }
        report(
            "scenario/bad-name",
            "\"\(member.name.shortened)\" is not allowed as a name here; expected \(form.expectation)",
            at: member.namePosition,
            pointer,
            advice: Self.question(meant)
        )
        return false
    }

    // MARK: Objects

    /// Checks the members of an object, one by one and together.
    ///
    /// - Parameter slip: a key that was reported as a misspelling of the verb of this shape.
    mutating func check(
        _ object: JSONObject,
        of value: JSONValue,
        against shape: ObjectShape,
        at pointer: JSONPointer,
        slip: String? = nil
    ) {
        var present: [JSONObject.Member] = []
        for member in object.members where member.name != ObjectShape.comment && member.name != slip {
            guard let key = shape[member.name] else {
                unknownKey(member, of: shape, besides: object, at: pointer)
                continue
            }
            if !(isPatch && member.value.isNull) { present.append(member) }
            if isPatch && member.value.isNull && key.isRequired {
                mismatch(member.value, key.shape, at: pointer.appending(key.name))
            }
            if !(isPatch && member.value.isNull) && !key.shape.kinds.contains(member.value.kindName) {
                mismatch(member.value, key.shape, at: pointer.appending(key.name), advice: Self.example(of: key))
            } else {
                check(member.value, against: key.shape, at: pointer.appending(key.name))
            }
        }
        checkSaysSomething(object, of: value, against: shape, at: pointer)
        let names = present.map(\.name)
        if !isPatch {
            for key in shape.keys
            where key.isRequired && !names.contains(key.name) && (slip == nil || key.name != shape.verb) {
                report(
                    "scenario/missing-key",
                    "\(shape.article) needs \"\(key.name)\", \(key.shape.expectation)",
                    at: value.position,
                    pointer
                )
            }
        }
        // What a misspelt key was to say is not known.
        if !isPatch, slip == nil, object.names.allSatisfy({ shape[$0] != nil || $0 == ObjectShape.comment }) {
            for rules in shape.rules { check(value, rules, at: pointer) }
        }
        for group in shape.exclusive where present.count > 1 {
            let rivals = present.filter { group.contains($0.name) }
            guard rivals.count > 1 else { continue }
            reportRivals(rivals[0], rivals[1], in: shape.article, at: pointer)
        }
    }

    private mutating func check(_ value: JSONValue, _ rules: ObjectRules, at pointer: JSONPointer) {
        for rule in rules.rules {
            guard let finding = rule.finding, !rule.test.holds(for: value) else { continue }
            let member = finding.key.flatMap { value.object?.member(named: $0) }
            report(
                finding.id,
                finding.message(value),
                at: member?.namePosition ?? value.position,
                member.map { pointer.appending($0.name) } ?? pointer,
                advice: finding.advice
            )
        }
    }

    /// Checks that an object has one of the keys of which it needs one; a misspelt one is reported already.
    private mutating func checkSaysSomething(
        _ object: JSONObject,
        of value: JSONValue,
        against shape: ObjectShape,
        at pointer: JSONPointer
    ) {
        guard let wanted = shape.needed.first else { return }
        let names = object.names.filter { $0 != ObjectShape.comment }
        guard let first = shape[wanted],
            !shape.needed.contains(where: { names.contains($0.exact) }),
            names.allSatisfy({ shape[$0] != nil })
        else { return }
        let needed = shape.needed.map { "\"\($0)\"" }.joined(lastBy: "or")
        report(
            "scenario/missing-key",
            shape.needed.count == shape.keys.count
                ? "\(shape.article) requires at least one of \(Self.list(shape.needed))"
                : "\(shape.article) requires \(needed), \(first.shape.expectation)",
            at: value.position,
            pointer
        )
    }

    // MARK: Words

    /// An example of a value that is not a single word or number.
    private static func example(of key: ObjectShape.Key) -> String? {
        guard let example = key.example, example.array != nil || example.object != nil else { return nil }
        return "such as \(example.text(.compact))"
    }

    static func list(_ names: [String]) -> String {
        names.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    private mutating func unknownKey(
        _ member: JSONObject.Member,
        of shape: ObjectShape,
        besides object: JSONObject,
        at pointer: JSONPointer
    ) {
        let known = shape.keys.map(\.name)
        // A key that is there already is hardly meant a second time.
        let likely = known.filter { !object.contains($0) } + [ObjectShape.comment]
        let meant =
            Suggestion.nearest(to: member.name, among: likely) ?? Suggestion.nearest(to: member.name, among: known)
        report(
            "scenario/unknown-key",
            "unknown key \"\(member.name.shortened)\" in \(shape.article)",
            at: member.namePosition,
            pointer.appending(member.name),
            advice: ForeignWords.advice(for: member.name, among: known, unless: meant) ?? meant.map {
                "did you mean \"\($0)\"?"
            }
                ?? "allowed here: \(known.joined(separator: ", "))"
        )
    }

    mutating func reportRivals(
        _ first: JSONObject.Member,
        _ second: JSONObject.Member,
        in article: String,
        at pointer: JSONPointer
    ) {
        report(
            "scenario/rival-keys",
            "\"\(first.name)\" and \"\(second.name)\" cannot be combined in \(article); keep one",
            at: second.namePosition,
            pointer.appending(second.name)
        )
    }

    private mutating func mismatch(
        _ value: JSONValue,
        _ shape: Shape,
        at pointer: JSONPointer,
        advice: String? = nil
    ) {
        let meant = shape.takesDurations ? value.number.map { DurationText.guesses($0.text) } ?? [] : []
        report(
            "scenario/wrong-type",
            "found \(value.shownBriefly), but expected \(shape.expectation)",
            at: value.position,
            pointer,
            advice: value.isNull
                ? "null removes a key from the extended file, but that file does not set this key"
                : advice ?? Self.question(meant)
        )
    }

    mutating func report(
        _ id: String,
        _ message: String,
        at position: JSONPosition,
        _ pointer: JSONPointer,
        advice: String? = nil
    ) {
        var place = sources.place(of: position)
        place.pointer = pointer.description
        findings.append(Finding(.error, id: id, message.printable, at: place, advice: advice?.printable))
    }
}

// Objects that are one of several, identified by their verb: events, expectations, latencies, carriers.
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
            // Other keys belong to the intended object, even if one is another one's verb.
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
                "this object requires one of \(Self.list(shapes.map(\.verb)))",
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
        func isKnown(_ name: String) -> Bool {
            if name == ObjectShape.comment { return true }
            for key in extra where key.name == name { return true }
            for shape in shapes where shape[name] != nil { return true }
            return false
        }
        for member in object.members where !isKnown(member.name) {
            guard
                let verb = Suggestion.nearest(to: member.name, among: shapes.map(\.verb)),
                let shape = shapes.first(where: { $0.verb == verb })
            else { continue }
            return (member, shape)
        }
        return nil
    }

    /// Reports further verbs next to the first one, and returns the object without them.
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

    /// Checks a change of the backend's variant of the object, if it can be determined; returns whether it could.
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
