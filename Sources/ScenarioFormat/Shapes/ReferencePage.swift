import Basics
import JSON

/// The reference of the format in Markdown: every object with its keys, written from the declarations.
package enum ReferencePage {
    package static var text: String {
        var parts = [introduction, contents]
        for section in sections {
            parts.append("## \(section.title)")
            if !section.text.isEmpty { parts.append(section.text) }
            parts += section.objects.map(entry)
        }
        parts += ["## Types of text", textForms, placeholders]
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// A heading, the text common to its objects, and the objects below it.
    private struct Section {
        var title: String
        var text: String
        var objects: [ObjectShape] = []
    }

    /// The sections, each with the objects that it begins with; what those mention, and no section begins with, follows.
    private static let sections: [Section] = {
        let begun: [(title: String, text: String, starts: [ObjectShape])] = [
            ("Files", ReferenceText.files, [Scenario.shape]),
            ("Routes", "", [Route.shape, Fallback.shape, Branch.shape, Guard.shape, Origin.shape]),
            (
                "Responses", ReferenceText.responses,
                [StubResponse.shape, SignIn.shape, ResponseDefaults.shape] + Latency.variants.map(\.shape)
                    + [LogNormal.shape, Dribble.shape, Bandwidth.shape, Fault.shape]
            ),
            ("Conditions", ReferenceText.conditions, [Condition.shape]),
            ("Token rules", ReferenceText.tokens, [TokenRules.shape, TokenRequirement.shape]),
            ("Collections", ReferenceText.collections, [ItemCollection.shape, Selection.shape]),
            ("Events", ReferenceText.events, Event.variants.map(\.shape) + [AwaitedExchange.shape]),
            ("Gates", "", [Hold.shape, Gate.shape]),
            ("Expectations", ReferenceText.expectations, Expectation.variants.map(\.shape)),
        ]
        var taken = Set(begun.flatMap(\.starts).map(\.name))
        return begun.map { section in
            var objects: [ObjectShape] = []
            func add(_ shape: ObjectShape) {
                objects.append(shape)
                for object in shape.keys.flatMap(\.shape.objects) where taken.insert(object.name).inserted {
                    add(object)
                }
            }
            for start in section.starts { add(start) }
            return Section(title: section.title, text: section.text, objects: objects)
        }
    }()

    private static let introduction = """
        # Scenario format

        <!-- Written by `backlot schema --reference` from the declarations in Sources/ScenarioFormat/Objects. -->

        \(ReferenceText.introduction)
        """

    private static var contents: String {
        let sections = sections.map { section in
            let objects = section.objects.map { "[\($0.name)](#\(anchor($0.name)))" }.joined(separator: ", ")
            return "- [\(section.title)](#\(anchor(section.title))): \(objects)"
        }
        let rest = ["Types of text", "Placeholders"].map { "- [\($0)](#\(anchor($0)))" }
        return (sections + rest).joined(separator: "\n")
    }

    // MARK: Objects

    private static func entry(of shape: ObjectShape) -> String {
        var parts = ["### \(shape.name)", shape.sentence]
        if shape.merging == .whole { parts.append("A story replaces this object as a whole.") }
        if !shape.discussion.isEmpty { parts.append(shape.discussion) }
        if shape.merging == .change {
            parts.append(
                """
                A variant can use the keys of a [scenario](#scenario) except `$schema`, `backend`, `extends`, `id` and \
                `variants`.
                """
            )
        } else {
            let common = shape.responseKeys
            if !common.isEmpty { parts.append("The keys of a [response](#response) are also allowed.") }
            let rows = shape.keys.filter { !common.contains($0.name) }.map { row(of: $0, in: shape) }
            parts.append(
                (["| key | type | default | meaning | example |", "|---|---|---|---|---|"] + rows)
                    .joined(separator: "\n")
            )
        }
        return parts.joined(separator: "\n\n")
    }

    private static func row(of key: ObjectShape.Key, in shape: ObjectShape) -> String {
        let rivals = shape.exclusive.first { $0.contains(key.name) }?.filter { $0 != key.name } ?? []
        let besides = rivals.isEmpty ? "" : " Not allowed with \(rivals.map { "`\($0)`" }.joined(lastBy: "or"))."
        let fallback = key.isRequired ? "**required**" : key.fallback ?? ""
        let example = "`\(key.sample.text(.compact))`"
        let cells = ["`\(key.name)`", type(key.shape), fallback, meaning(key.summary) + besides, example]
        return "| \(cells.map { $0.replacingBars }.joined(separator: " | ")) |"
    }

    /// Placeholders are shown as code, because Markdown would take them for something else.
    private static func meaning(_ summary: String) -> String {
        var text = summary
        var shown = ""
        while let start = text.firstRange(of: "{{"), let end = text[start.upperBound...].firstRange(of: "}}") {
            shown += "\(text[..<start.lowerBound])`\(text[start.lowerBound..<end.upperBound])`"
            text = String(text[end.upperBound...])
        }
        return shown + text
    }

    private static func type(_ shape: Shape) -> String {
        switch shape {
        case .text(.oneOf(let words)): words.map { "`\"\($0)\"`" }.joined(separator: " or ")
        case .text(let form): link(form.title, to: "types of text")
        case .integer(let range): "integer\(bounds(range))"
        case .number(let range):
            // Without the point and zero of whole numbers.
            range.lowerBound == -.infinity
                ? "number" : "number \(shown(range.lowerBound))–\(shown(range.upperBound))"
        case .boolean: "boolean"
        case .null: "null"
        case .anything: "any JSON"
        case .list(let element, let count):
            (count.lowerBound == count.upperBound ? "array of \(count.lowerBound): " : "array of ") + type(element)
        case .map(let element, let names): "object by \(link(names.title, to: "types of text")) of \(type(element))"
        case .object(let object): link(object.shape.name, to: object.shape.name)
        case .shared("event", _), .shared("pastEvent", _), .shared("timelineEvent", _): link("event", to: "events")
        case .shared("expectation", _): link("expectation", to: "expectations")
        case .shared("tokenState", _): link("token state", to: TokenRules.shape.name)
        case .shared(_, let shape), .restricted(let shape, _): type(shape)
        case .variants(let types, _): types.map { link($0.name, to: $0.name) }.joined(separator: " or ")
        case .choice(let shapes): shapes.map(type).joined(separator: " or ")
        }
    }

    private static func shown(_ number: Double) -> String { JSONNumber(number)?.description ?? "\(number)" }

    private static func bounds(_ range: ClosedRange<Int>) -> String {
        switch (range.lowerBound == .min, range.upperBound == .max) {
        case (true, true): ""
        case (true, false): " up to \(range.upperBound)"
        case (false, true): " from \(range.lowerBound)"
        case (false, false): " \(range.lowerBound)–\(range.upperBound)"
        }
    }

    private static func link(_ text: String, to heading: String) -> String { "[\(text)](#\(anchor(heading)))" }

    private static func anchor(_ heading: String) -> String {
        String(heading.lowercased().map { $0 == " " ? "-" : $0 })
    }

    // MARK: Texts

    private static var textForms: String {
        let forms: [TextForm] = [
            .any, .filled, .duration, .signedDuration, .rate, .instant, .start, .path, .route, .pointer, .name,
            .fieldName, .token, .kindOrAll, .rule, .longDuration, .placeholder, .numeral, .plain, .line, .filledLine,
            .fieldValue, .responseField, .claim, .cookieValue, .cookieAttribute, .origin, .baseURL,
        ]
        let rows = forms.map { "| \($0.title) | \($0.expectation.replacingBars) |" }
        return (["| type | meaning |", "|---|---|"] + rows).joined(separator: "\n")
    }

    private static var placeholders: String {
        let rows = ReferenceText.placeholders.map { "| \($0.placeholder) | \($0.value) |" }
        return """
            ## Placeholders

            \(ReferenceText.placeholderRules)

            | placeholder | value |
            |---|---|
            \(rows.joined(separator: "\n"))
            """
    }
}

extension ObjectShape.Key {
    /// A value of the key: the one that is declared, or one that its shape makes.
    var sample: JSONValue {
        guard example == nil, case .text(.oneOf(let words)) = shape else { return example ?? shape.sample }
        // A word that says something else than leaving the key out.
        return .string(words.first { fallback != "`\"\($0)\"`" } ?? "")
    }
}

extension Shape {
    /// A value of this shape, for shapes without an explicit example.
    fileprivate var sample: JSONValue {
        switch self {
        case .text(let form): .string(form.sample)
        case .integer(let range): .number(JSONNumber([2, 200].first(where: range.contains) ?? range.lowerBound))
        case .number(let range): .number(range.contains(2) ? 2 : (JSONNumber("0.5") ?? 0))
        case .boolean: true
        case .object(let type):
            .object(
                JSONObject(
                    type.shape.keys.filter(\.isRequired).ifEmpty(type.shape.keys.prefix(1)).map {
                        JSONObject.Member(name: $0.name, value: $0.sample)
                    }
                )
            )
        case .shared(_, let shape), .restricted(let shape, _): shape.sample
        case .choice(let shapes): shapes.first?.sample ?? .null
        case .list(let element, _): [element.sample]
        default: .null
        }
    }
}

extension Array {
    fileprivate func ifEmpty(_ other: some Sequence<Element>) -> [Element] { isEmpty ? Array(other) : self }
}

extension TextForm {
    /// A text of this form.
    fileprivate var sample: String {
        switch self {
        case .any, .filled: "text"
        case .duration: "15s"
        case .signedDuration: "-5m"
        case .rate: "16kB/s"
        case .instant, .start: "2026-03-01T09:00:00Z"
        case .path: "fixtures/notes.json"
        case .route: "POST /refresh"
        case .pointer: "/id"
        case .name, .kindOrAll: "access"
        case .fieldName: "X-Device"
        case .token: "Bearer"
        case .rule: "B2"
        case .longDuration: "15s"
        case .placeholder, .numeral: "{{request.query.page ?? 0}}"
        case .plain, .line, .filledLine, .fieldValue, .cookieValue, .claim: "text"
        case .responseField: "X-Device"
        case .cookieAttribute: "/notes"
        case .origin: "https://app.example.com"
        case .baseURL: "https://staging.example.com"
        case .oneOf(let words): words.last ?? ""
        }
    }

    /// The form in a word or two, as the reference names it.
    fileprivate var title: String {
        switch self {
        case .any: "text"
        case .filled: "non-empty text"
        case .duration: "duration"
        case .signedDuration: "signed duration"
        case .rate: "rate"
        case .instant: "timestamp"
        case .start: "timestamp or now"
        case .path: "path"
        case .route: "route name"
        case .pointer: "JSON Pointer"
        case .name: "name"
        case .fieldName: "header field"
        case .token: "word"
        case .kindOrAll: "kind or *"
        case .rule: "rule"
        case .longDuration: "duration above 0s"
        case .placeholder: "placeholder"
        case .numeral: "number or placeholder"
        case .plain: "text without placeholders"
        case .line: "line"
        case .filledLine: "non-empty line"
        case .fieldValue: "field value"
        case .responseField: "response field"
        case .claim: "claim"
        case .cookieValue: "cookie value"
        case .cookieAttribute: "cookie attribute"
        case .origin: "origin"
        case .baseURL: "base URL"
        case .oneOf(let words): words.map { "`\"\($0)\"`" }.joined(separator: " or ")
        }
    }
}

extension String {
    /// A vertical bar would end a cell of a table.
    fileprivate var replacingBars: String { replacing("|", with: "\\|") }
}
