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
        case .oneOf(let words): words.map { "`\"\($0)\"`" }.joined(separator: " or ")
        }
    }
}

extension String {
    /// A vertical bar would end a cell of a table.
    fileprivate var replacingBars: String { replacing("|", with: "\\|") }
}

/// The texts of the reference in addition to the declarations: the merging of files, and rules for several objects.
enum ReferenceText {
    static let introduction = """
        A **backend** describes the normal behavior of a server. A **story** extends it and changes only what the story is \
        about. Both are strict JSON or YAML, may have `"$comment"` in any object, and are checked before anything is \
        served: each mistake is reported with file, line and column, a correction, and often "did you mean". \
        `"$schema"` lets editors complete and check while you type; Backlot ignores it.
        """

    static let files = """
        **How a story changes its backend.** Objects are merged key by key, arrays are replaced as a whole, and `null` \
        removes a key (RFC 7396). Content, such as the value of `json`, and conditions are replaced as a whole, \
        and a `null` inside them is kept. Of keys that exclude each other, such as `fixture` and `json`, the story's \
        wins. A story may extend another story, and a variant is laid over its story in the same way. Paths are \
        relative to the file that names them; fixtures are in the backend's folder or below it.

        The `responses` that a story gives to a route precede the `cases` of the route in the extended file: the \
        story's 503 is sent even if a case would hold. Guards and tokens still come first. Then the route continues as \
        in the extended file, cases first, unless the story sets another `afterLast`; inheriting one that would hide \
        the cases permanently is an error. If a response cannot be made for the request, because it \
        shows a missing item, the cases respond as well. A story that has both `cases` and `responses` replaces all \
        of the route's cases, and they come first. The other keys of a response change the route's own response, which \
        comes after the cases.

        What a story adds must be played; see [Expectations](#expectations).
        """

    static let tokens = """
        A route `requires` one kind (`"access"`), several (`["access", "refresh"]`), or kinds in certain states: \
        `{"refresh": "valid", "access": ["expired", "valid"]}`. A state may grow into an object, a \
        [requirement](#requirement).
        """

    static let responses = """
        Guards, cases, routes and fallbacks have the keys of a [response](#response) in addition to their own. Placeholders work in \
        `fixture`, `json` and `text` and in headers.
        """

    static let conditions = "All parts of a condition or a matcher must hold."

    static let collections = """
        A selection is used in `find`, in `embed`, and in the events `update` and `delete`. For example:

        ```json
        {
          "$schema": "../scenario.schema.json",
          "backend": "Album",
          "accounts": { "ada": { "id": 1, "name": "Ada" }, "bo": { "id": 2, "name": "Bo" } },
          "collections": {
            "photos": {
              "items": [{ "id": 1, "owner": 1, "text": "Snow", "likes": [2] }],
              "embed": { "/owner": { "one": "accounts", "where": { "/id": "{{item#/owner}}" }, "show": ["id", "name"] } }
            }
          },
          "tokens": { "claims": { "sub": "{{account#/id}}" }, "kinds": { "access": { "lifetime": "15m" } } },
          "routes": {
            "GET /photos": {
              "requires": "access",
              "find": {
                "photos": {
                  "all": "photos", "orderBy": "/id", "descending": true,
                  "page": { "after": "{{request.query.cursor}}", "at": "/id", "limit": "{{request.query.limit ?? 10}}" }
                }
              },
              "json": { "photos": "{{found.photos#/items}}", "next": "{{found.photos#/next}}" }
            },
            "POST /photos/{id}/like": {
              "$comment": "Toggles the like.",
              "requires": "access",
              "find": { "photo": { "one": "photos", "where": { "/id": "{{request.path.id}}" } } },
              "cases": [
                { "when": { "found": { "photo": false } }, "status": 404, "empty": true },
                {
                  "when": { "found": { "photo": { "/likes": { "contains": "{{account#/id}}" } } } },
                  "then": [{ "update": "photo", "remove": { "/likes": "{{account#/id}}" } }],
                  "json": { "liked": false }
                }
              ],
              "then": [{ "update": "photo", "add": { "/likes": "{{account#/id}}" } }],
              "json": { "liked": true }
            }
          }
        }
        ```
        """

    static let events = """
        `given`, `timeline`, a response's `then` and the admin API use the same events. In `given` an event also has \
        `ago`; without it, it happens right after the previous one. In `timeline` it has `at`, since the start, or \
        `after` with an [exchange](#afterexchange) and perhaps a `delay`, both on the virtual clock. `after` may name \
        several exchanges in an array; the event then follows the last of them, in any order. With \
        `"optional": true` in `given` or `timeline`, a story is judged even if the event, or the fault that it arms, \
        was not played.

        A response changes items before everything else, so its body and its sign-in \
        can use the new items. An event about items may have `each`, an array of the request or of a selection, \
        and happens once for every element. Only `then` has a request; elsewhere, events select their items.

        Events about tokens and states have a `device`; without one they apply to every device, and in `then` to the caller, \
        which is also written `"caller"`. Those about tokens may have an `account` instead, which applies to all of its \
        devices.
        """

    static let expectations = """
        They are judged by the journal, the final tokens and states, and the facts that the client reports. An \
        expectation `held`, `failed`, or is `incomplete`: a client that never reports a fact neither passes nor \
        fails, and expectations that lost or cleared exchanges could change cannot be decided. A story \
        without expectations never passes, nor does one without a request, unless the client has reported a fact as the \
        story expects it.

        A story is also `incomplete` if something that it adds to its backend was not played: a response of its \
        lists and cases, the response or the latency that it gives a route, a fault as often as its `times`, a race \
        at a gate, and an event of `given` or `timeline` that did not happen or changed nothing. A fault with a \
        probability below 1 has to occur once. Anything identical to the backend counts as the backend's, even in an \
        array that the story replaces. A variant has to play its own additions, or those of its story if it has \
        none. Not required are guards, refusals of tokens, responses without a route, changes in \
        `then`, and responses that the story expects never to come (with `"count": 0`). What is marked \
        `"optional": true` is reported and does not count. `backlot check` reports parts that no client can play.
        """

    static let placeholderRules = """
        `{{…}}` is replaced by a value. A string that consists of one placeholder takes the value's JSON type, `null` \
        included; in a longer string it is written as text. `??` gives a default in JSON: \
        `{{request.query.page ?? 1}}`; `?? omit` leaves the member out. Without one, a request that lacks the value is \
        answered with 400. `as number`, `as text` and `as boolean` convert between types, `as encoded` percent-encodes a \
        text, `as s256` computes the challenge of a PKCE verifier, `as words(#)` splits a \
        text into an array of the words after each `#`. `{{"{{"}}` writes two braces.
        """

    static let placeholders: [(placeholder: String, value: String)] = [
        ("`request.method`, `request.target`, `request.path`", "a part of the request line"),
        (
            "`request.base`",
            "the scheme and host that the client used, also through a proxy with TLS: `https://api.example.com`"
        ),
        (
            "`request.path.NAME`, `request.query.NAME`, `request.header.NAME`, `request.form.NAME`, `request.cookie.NAME`",
            "the value as text"
        ),
        ("`request.basic.user`, `request.basic.password`", "a part of the credentials of the scheme Basic"),
        (
            "`presented.KIND#/POINTER`",
            "data of a token that the request carries: values from `remember`, and `id`, `account`, `device`, `issuedAt`, `expiresAt`"
        ),
        ("`request.part.NAME`", "a multipart part's text; with `.filename`, `.contentType` or `.size` that"),
        ("`request.body`, `request.body#/POINTER`", "the whole body, or a place in it"),
        (
            "`token.KIND`",
            "the token that this response grants; with `.id`, `.lifetime`, `.issuedAt` or `.expiresAt` that"
        ),
        (
            "`clock`, `clock(format: yyyy-MM-dd HH:mm, zone: +09:00, offset: -1d)`",
            """
            the virtual time; `format` may be `seconds`, `milliseconds`, `http` or a pattern of `y M d H h m s S E a`, \
            with names in the `locale` `en` or `ko`
            """
        ),
        (
            "`counter.NAME`, `counter.NAME.current`",
            "the counter's value after it is incremented, or its current value"
        ),
        (
            "`random.integer(1, 6)`, `random.hex(16)`, `random.choice(red, green)`, `uuid`",
            "a random value, from the seed"
        ),
        ("`account`, `account.NAME`, `account#/POINTER`, `device`, `session`", "the caller"),
        ("`state.NAME`, `exchange`", "a state's value, the number of the exchange"),
        ("`origin.NAME`", "the base URL of another server of the story"),
        (
            "`found.NAME`, `found.NAME#/POINTER`",
            "the result of `find`, or an item created by `then`; `found.NAME.name` is the name of a found account"
        ),
        (
            "`item#/POINTER`, `each#/POINTER`",
            "the item of a selection, the element of an event with `each`"
        ),
    ]
}
