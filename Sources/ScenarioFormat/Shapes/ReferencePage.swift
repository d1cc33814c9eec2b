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

/// The texts of the reference in addition to the declarations: the merging of files, and rules for several objects.
enum ReferenceText {
    static let introduction = """
        A **backend** describes a server's normal behavior. A **story** extends a backend and changes only the parts \
        that the story tests. Backends and stories are strict JSON or YAML and can contain `"$comment"` in any object. \
        Backlot checks each file before it serves anything and reports each mistake with its file, line, column and \
        correction. `"$schema"` enables completion and checks in editors; Backlot ignores it.
        """

    static let files = """
        **How a story changes its backend.** Objects are merged key by key, arrays are replaced as a whole, and `null` \
        removes a key (RFC 7396). Conditions and content, such as the value of `json`, are also replaced as a whole, \
        and a `null` inside them is kept. If two keys cannot be combined, such as `fixture` and `json`, the story's \
        key takes precedence. A story can extend another story, and a variant changes its story in the same way. Paths \
        are relative to the file that contains them. Fixtures must be in the backend's folder or a subfolder.

        If a story adds `responses` to a route, these responses precede the route's `cases` in the extended file. For \
        example, a story's 503 is sent even if a case matches. Guards and token checks still come first. After the \
        last response, the route continues as in the extended file, starting with its cases, unless the story sets \
        another `afterLast`. It is an error to inherit an `afterLast` that would hide the cases permanently. The cases \
        also respond if a response cannot be built for a request because the response shows a missing item. If a story \
        sets both `cases` and `responses`, its cases replace all of the route's cases and come first. The other \
        response keys change the route's own response, which comes after the cases.

        Everything that a story adds must be played; see [Expectations](#expectations).
        """

    static let tokens = """
        A route `requires` one kind (`"access"`), several kinds (`["access", "refresh"]`), or kinds in certain states: \
        `{"refresh": "valid", "access": ["expired", "valid"]}`. Instead of a state, an object can define a \
        [requirement](#requirement).
        """

    static let responses = """
        Guards, cases, routes and fallbacks can use the keys of a [response](#response) in addition to their own keys. \
        Placeholders are expanded in `fixture`, `json`, `text` and header fields.
        """

    static let conditions = "All parts of a condition or matcher must hold."

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
        `given`, `timeline`, a response's `then` and the admin API use the same events. In `given`, an event can set \
        `ago`; an event without `ago` happens immediately after the previous event. In `timeline`, an event sets \
        either `at`, the time since the start, or `after`, an [exchange](#afterexchange), with an optional `delay`. \
        Both times are measured on the virtual clock. If `after` lists several exchanges in an array, the event \
        follows the last exchange that happens. With `"optional": true` in `given` or `timeline`, the story is judged \
        even if the event, or the fault that it arms, was not played.

        A response changes items before it does anything else, so its body and its sign-in can use the new items. An \
        event about items can set `each`, an array from the request or a selection, and then happens once for each \
        element. Only events in `then` can use the request; all other events select their items.

        Events about tokens and states can set `device`. Without `device`, these events apply to the caller in `then` \
        and to every device elsewhere. The value `"caller"` also names the caller. Events about tokens can set \
        `account` instead and then apply to all of the account's devices.
        """

    static let expectations = """
        Backlot judges expectations from the journal, the final tokens and states, and the facts that the client \
        reports. The result of an expectation is `held`, `failed` or `incomplete`. The result is `incomplete` if the \
        client never reports the expected fact, or if lost or cleared exchanges could change the result. A story \
        without expectations never passes. A story without requests passes only if the client reports a fact that the \
        story expects.

        A story is also `incomplete` if any of its additions to the backend was not played. Each response in the \
        story's lists and cases must be sent. A response or latency that the story sets for a route must also be used. \
        A fault must occur `times` times, or once if its probability is below 1. A race must be reached at each gate, \
        and each event in `given` and `timeline` must happen and change something. Anything identical to the backend \
        is not an addition, even in an array that the story replaces. A variant must play its own additions, or its \
        story's additions if the variant adds nothing. The following parts do not need to be played: guards, token \
        refusals, fallback responses, changes in `then`, and responses that the story expects never to be sent \
        (`"count": 0`). Additions marked `"optional": true` are reported but not required. `backlot check` reports \
        parts that no client can play.
        """

    static let placeholderRules = """
        `{{…}}` is replaced with a value. If a string consists of a single placeholder, the result keeps the value's \
        JSON type, including `null`; in a longer string, the value is written as text. `??` provides a default value \
        in JSON: `{{request.query.page ?? 1}}`; `?? omit` omits the member. Other placeholders can precede the \
        default: `{{request.query.tag ?? request.header.X-Tag ?? "none"}}`. Without a default, the server \
        responds with 400 to a request that lacks the value. `{{"{{"}}` writes two braces. `as` converts the value, and a value that cannot \
        be converted is missing:

        | conversion | result |
        |---|---|
        | `as number`, `as text`, `as boolean` | the value in another type; white space around a number, `+` and leading \
        zeros do not matter |
        | `as encoded`, `as decoded` | the text, percent-encoded, or decoded as in a form |
        | `as words`, `as words(#)` | an array of the words between spaces, or of the words after each `#` |
        | `as alphanumeric` | the ASCII letters and digits, in lower case |
        | `as prefix`, `as pair(state)` | the URI and `?` or `&`; `&state=` and the encoded text |
        | `as loopback` | the URI without its port if it begins with `http://127.0.0.1` or `http://[::1]` |
        | `as s256` | the challenge for a PKCE verifier |
        """

    static let placeholders: [(placeholder: String, value: String)] = [
        ("`request.method`, `request.target`, `request.path`", "a part of the request line"),
        (
            "`request.base`",
            "the scheme and host that the client used, even through a TLS proxy, such as `https://api.example.com`"
        ),
        (
            "`request.path.NAME`, `request.query.NAME`, `request.header.NAME`, `request.form.NAME`, `request.cookie.NAME`",
            "the value as text"
        ),
        (
            "`request.parameter.NAME`",
            "the form field, or the query item if the form lacks the field; an empty value counts as missing"
        ),
        ("`request.basic.user`, `request.basic.password`", "a part of the HTTP Basic credentials"),
        (
            "`presented.KIND#/POINTER`",
            """
            data about a token in the request: values from `remember`, where null removes a value, or `id`, \
            `account`, `device`, `issuedAt` or `expiresAt`
            """
        ),
        ("`request.part.NAME`", "a multipart part's text, or its `.filename`, `.contentType` or `.size`"),
        ("`request.body`, `request.body#/POINTER`", "the whole body, or a value in it"),
        (
            "`token.KIND`",
            "the token that this response grants, or its `.id`, `.lifetime`, `.issuedAt` or `.expiresAt`"
        ),
        (
            "`clock`, `clock(format: yyyy-MM-dd HH:mm, zone: +09:00, offset: -1d)`",
            """
            the virtual time. `format` is `seconds`, `milliseconds`, `http` or a pattern of `y M d H h m s S E a`; \
            `locale`, `en` or `ko`, is the language of names
            """
        ),
        (
            "`counter.NAME`, `counter.NAME.current`",
            "the counter's value after an increment, or its current value"
        ),
        (
            "`random.integer(1, 6)`, `random.hex(16)`, `random.choice(red, green)`, `uuid`",
            "a random value derived from the seed"
        ),
        (
            "`account`, `account.NAME`, `account#/POINTER`, `device`, `session`",
            "the caller's account, device or session"
        ),
        ("`state.NAME`, `exchange`", "a state's value; the exchange number"),
        (
            "`rate.limit`, `rate.remaining`, `rate.reset`",
            "the route's `rate`: requests per window, requests left, seconds left"
        ),
        (
            "`A + B`, `-`, `*`, `/`, `min(A, B)`, `max(A, B)`",
            "a computation with values, numbers and durations, which are seconds"
        ),
        ("`origin.NAME`", "the base URL of another server in the story"),
        (
            "`found.NAME`, `found.NAME#/POINTER`",
            "the result of `find`, or an item created by `then`; `found.NAME.name` is the name of a found account"
        ),
        (
            "`item#/POINTER`, `each#/POINTER`",
            "the current item in a selection; the current element in an event with `each`"
        ),
    ]
}
