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

    /// A heading, what its objects have in common, and the objects that stand below it.
    private struct Section {
        var title: String
        var text: String
        var objects: [ObjectShape] = []
    }

    /// The sections, each with the objects that it begins with; what those mention, and no section begins with, follows.
    private static let sections: [Section] = {
        let begun: [(title: String, text: String, starts: [any FormatObject.Type])] = [
            ("Files", ReferenceText.files, [ScenarioKeys.self]),
            (
                "Routes", "",
                [RouteKeys.self, FallbackKeys.self, BranchKeys.self, GuardKeys.self, OriginKeys.self]
            ),
            (
                "Responses", ReferenceText.responses,
                [
                    ResponseKeys.self, SignInKeys.self, DefaultsKeys.self, FixedLatencyKeys.self,
                    UniformLatencyKeys.self, LogNormalLatencyKeys.self, LogNormalKeys.self, DribbleKeys.self,
                    BandwidthKeys.self, FaultKeys.self,
                ]
            ),
            ("Conditions", ReferenceText.conditions, [ConditionKeys.self]),
            ("Token rules", ReferenceText.tokens, [TokensKeys.self, RequirementKeys.self]),
            ("Collections", ReferenceText.collections, [CollectionKeys.self, SelectionKeys.self]),
            ("Events", ReferenceText.events, Event.objects.map { $0 } + [AfterExchangeKeys.self]),
            ("Gates", "", [HoldKeys.self, RouteHoldKeys.self]),
            ("Expectations", ReferenceText.expectations, Expectation.objects.map { $0 }),
        ]
        var taken = Set(begun.flatMap(\.starts).map { $0.shape.name })
        return begun.map { section in
            var objects: [ObjectShape] = []
            func add(_ shape: ObjectShape) {
                objects.append(shape)
                for object in shape.keys.flatMap(\.shape.objects) where taken.insert(object.name).inserted {
                    add(object)
                }
            }
            for start in section.starts { add(start.shape) }
            return Section(title: section.title, text: section.text, objects: objects)
        }
    }()

    private static let introduction = """
        # The format of scenarios

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
        var parts = ["### \(shape.name)", sentence(shape.summary)]
        if shape.merging == .whole { parts.append("A story replaces it as a whole.") }
        if !shape.discussion.isEmpty { parts.append(shape.discussion) }
        if shape.merging == .change {
            parts.append(
                "It has the keys of a [scenario](#scenario) but `$schema`, `backend`, `extends`, `id`, `variants`."
            )
        } else {
            let common = shape.name == ResponseKeys.shape.name ? [] : commonKeys(of: shape)
            if !common.isEmpty { parts.append("It also has the keys of a [response](#response).") }
            let rows = shape.keys.filter { !common.contains($0.name) }.map { row(of: $0, in: shape) }
            parts.append(
                (["| key | type | default | meaning | example |", "|---|---|---|---|---|"] + rows)
                    .joined(separator: "\n")
            )
        }
        return parts.joined(separator: "\n\n")
    }

    /// The keys of a response, where an object has all of them.
    private static func commonKeys(of shape: ObjectShape) -> Set<String> {
        let names = Set(ResponseKeys.shape.keys.map(\.name))
        return names.isSubset(of: shape.keys.map(\.name)) ? names : []
    }

    private static func row(of key: ObjectShape.Key, in shape: ObjectShape) -> String {
        let rivals = shape.exclusive.first { $0.contains(key.name) }?.filter { $0 != key.name } ?? []
        let besides = rivals.isEmpty ? "" : " Not with \(rivals.map { "`\($0)`" }.joined(lastBy: "or"))."
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
        case .shared("tokenState", _): link("token state", to: TokensKeys.shape.name)
        case .shared(_, let shape): type(shape)
        case .variants(let types, _): types.map { link($0.shape.name, to: $0.shape.name) }.joined(separator: " or ")
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

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

    // MARK: Texts

    private static var textForms: String {
        let forms: [TextForm] = [
            .any, .filled, .duration, .signedDuration, .rate, .instant, .start, .path, .route, .pointer, .name,
            .fieldName, .token, .kindOrAll, .rule,
        ]
        let rows = forms.map { "| \($0.title) | \($0.expectation.replacingBars) |" }
        return (["| type | what it is |", "|---|---|"] + rows).joined(separator: "\n")
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
    /// A value of this shape, for shapes that need no example of their own.
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
        case .shared(_, let shape): shape.sample
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
        case .oneOf(let words): words.last ?? ""
        }
    }

    /// The form in a word or two, as the reference names it.
    fileprivate var title: String {
        switch self {
        case .any: "text"
        case .filled: "text that is not empty"
        case .duration: "duration"
        case .signedDuration: "signed duration"
        case .rate: "rate"
        case .instant: "moment"
        case .start: "moment or now"
        case .path: "path"
        case .route: "route name"
        case .pointer: "JSON Pointer"
        case .name: "name"
        case .fieldName: "header field"
        case .token: "word"
        case .kindOrAll: "kind or *"
        case .rule: "rule"
        case .oneOf(let words): words.map { "`\"\($0)\"`" }.joined(separator: " or ")
        }
    }
}

extension String {
    /// A vertical bar would end a cell of a table.
    fileprivate var replacingBars: String {
        split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }

    fileprivate func firstRange(of text: String) -> Range<Index>? { self[...].firstRange(of: text) }
}

extension Substring {
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
