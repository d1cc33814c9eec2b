import Findings
import JSONText

/// Reads a tree against a shape and finds everything that is wrong with it, not only the first thing.
struct ShapeChecker {
    private(set) var findings: [Finding] = []
    private let sources: SourceMap

    init(sources: SourceMap) {
        self.sources = sources
    }

    mutating func check(_ value: JSONValue, against shape: Shape, at pointer: JSONPointer = JSONPointer()) {
        switch (shape, value.content) {
        case (.anything, _): break
        case (.text(let form), .string(let text)): check(text, form, of: value, at: pointer)
        case (.integer(let range), .number(let number)):
            guard let int = number.int, range.contains(int) else { return mismatch(value, shape, at: pointer) }
        case (.number(let range), .number(let number)):
            guard range.contains(number.double) else { return mismatch(value, shape, at: pointer) }
        case (.boolean, .bool): break
        case (.list(let element), .array(let values)):
            for (index, value) in values.enumerated() {
                check(value, against: element, at: pointer.appending(String(index)))
            }
        case (.map(let element, let names), .object(let object)):
            for member in object.members where member.name != ObjectShape.comment {
                if case .wrong = names.check(member.name) {
                    report(
                        "scenario/bad-name",
                        "\"\(member.name)\" cannot be a name here; what is wanted is \(names.expectation)",
                        at: member.namePosition,
                        pointer
                    )
                }
                check(member.value, against: element, at: pointer.appending(member.name))
            }
        case (.object(let name), .object(let object)):
            check(object, of: value, against: name.shape, in: name.article, at: pointer)
        case (.variants(let names, let extra), .object(let object)):
            check(object, of: value, amongst: names, plus: extra, at: pointer)
        case (.choice(let shapes), _):
            guard let fitting = shapes.first(where: { $0.kinds.contains(value.kindName) }) else {
                return mismatch(value, shape, at: pointer)
            }
            check(value, against: fitting, at: pointer)
        default: mismatch(value, shape, at: pointer)
        }
    }

    private mutating func check(_ text: String, _ form: TextForm, of value: JSONValue, at pointer: JSONPointer) {
        guard case .wrong(let meant) = form.check(text) else { return }
        report(
            "scenario/bad-value",
            "\"\(text)\" is not \(form.expectation)",
            at: value.position,
            pointer,
            advice: meant.map { "did you mean \"\($0)\"?" }
        )
    }

    private mutating func check(
        _ object: JSONObject,
        of value: JSONValue,
        against shape: ObjectShape,
        in article: String,
        at pointer: JSONPointer
    ) {
        var present: [String] = []
        for member in object.members where member.name != ObjectShape.comment {
            guard let key = shape[member.name] else {
                unknownKey(member, of: shape, in: article, at: pointer)
                continue
            }
            present.append(key.name)
            check(member.value, against: key.shape, at: pointer.appending(key.name))
        }
        for key in shape.keys where key.isRequired && !present.contains(key.name) {
            report(
                "scenario/missing-key",
                "\(article) needs \"\(key.name)\", \(key.shape.expectation)",
                at: value.position,
                pointer
            )
        }
        for group in shape.exclusive {
            let rivals = present.filter(group.contains)
            guard rivals.count > 1, let second = object.members.first(where: { $0.name == rivals[1] }) else { continue }
            report(
                "scenario/rival-keys",
                "\"\(rivals[0])\" and \"\(rivals[1])\" exclude each other in \(article); keep one",
                at: second.namePosition,
                pointer.appending(second.name)
            )
        }
    }

    private mutating func check(
        _ object: JSONObject,
        of value: JSONValue,
        amongst names: [ObjectShape.Name],
        plus extra: [ObjectShape.Key],
        at pointer: JSONPointer
    ) {
        if let name = names.first(where: { object[$0.shape.verb] != nil }) {
            return check(object, of: value, against: name.shape.adding(extra), in: name.article, at: pointer)
        }
        let verbs = names.map { $0.shape.verb }
        let written = object.members.lazy.map(\.name).filter { $0 != ObjectShape.comment }
        let slip = written.lazy.compactMap { name in
            Suggestion.nearest(to: name, among: verbs).map { (name, $0) }
        }.first
        if let (name, verb) = slip, let member = object.members.first(where: { $0.name == name }) {
            report(
                "scenario/unknown-key",
                "unknown key \"\(name)\"",
                at: member.namePosition,
                pointer.appending(name),
                advice: "did you mean \"\(verb)\"?"
            )
        } else {
            report(
                "scenario/missing-key",
                "this object says nothing; it needs one of \(verbs.map { "\"\($0)\"" }.joined(separator: ", "))",
                at: value.position,
                pointer
            )
        }
    }

    private mutating func unknownKey(
        _ member: JSONObject.Member,
        of shape: ObjectShape,
        in place: String,
        at pointer: JSONPointer
    ) {
        let known = shape.keys.map(\.name)
        let meant = Suggestion.nearest(to: member.name, among: known)
        report(
            "scenario/unknown-key",
            "unknown key \"\(member.name)\" in \(place)",
            at: member.namePosition,
            pointer.appending(member.name),
            advice: meant.map { "did you mean \"\($0)\"?" } ?? "allowed here: \(known.joined(separator: ", "))"
        )
    }

    private mutating func mismatch(_ value: JSONValue, _ shape: Shape, at pointer: JSONPointer) {
        let found =
            switch value.content {
            case .number(let number): "the number \(number.text)"
            case .string(let text): "the string \"\(text.prefix(40))\""
            case .bool(let flag): "\(flag)"
            case .null: "null"
            case .array: "an array"
            case .object: "an object"
            }
        report("scenario/wrong-type", "found \(found), but wanted \(shape.expectation)", at: value.position, pointer)
    }

    private mutating func report(
        _ id: String,
        _ message: String,
        at position: JSONPosition,
        _ pointer: JSONPointer,
        advice: String? = nil
    ) {
        var place = sources.place(of: position)
        place.pointer = pointer.description
        findings.append(Finding(.error, id: id, message, at: place, advice: advice))
    }
}
