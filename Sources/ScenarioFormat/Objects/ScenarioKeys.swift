import Basics
import JSON

/// The keys of a whole file, backend or story.
enum ScenarioKeys: FormatObject {
    static let schema = Key(
        "$schema",
        .text(.any),
        "The path of this format's JSON Schema, for editors. Backlot ignores it.",
        example: "../scenario.schema.json"
    )
    static let backend = Key(
        "backend",
        .text(.filled),
        "The backend's name, which makes the file a backend file.",
        example: "Notes"
    )
    static let extends = Key("extends", .text(.path), "The backend or story that this story extends.")
    static let id = Key(
        "id",
        .text(.name),
        "The story's short name in --story and reports.",
        example: "lost-rotation"
    )
    static let title = Key(
        "title",
        .text(.any),
        "The topic of the story, in one line.",
        example: "The response to a refresh is lost"
    )
    static let about = Key(
        "about",
        .text(.any),
        "A short summary for readers who do not know the code.",
        example: "The phone asks for new tokens in a tunnel. The response never arrives."
    )
    static let reproduces = Key(
        "reproduces",
        list: ValueType(shape: .choice([.text(.any), .list(of: .text(.any))])) {
            $0.string.map { [$0] } ?? $0.array?.compactMap(\.string)
        },
        "The bugs that the story reproduces. If the backend defines \"bugs\", each bug must be listed there.",
        example: "smeem/B3"
    )
    static let bugs = Key(
        "bugs",
        list: .map(of: .text(.filled), names: .any),
        "Known bugs in the backend's clients, by the names used in \"reproduces\".",
        example: ["smeem/B3": "The splash screen remains visible when a refresh is refused."]
    )
    static let bugClasses = Key(
        "bugClasses",
        list: ValueType<[JSONValue]>.oneOrMore(.json(.rule)).restricted(by: [ObjectRule(reportedByLoader: .distinct)]),
        "The rules that a client with these bugs violates, by number or name. The story table lists these rules.",
        example: "B2"
    )
    static let uiOnly = Key(
        "uiOnly",
        .boolean,
        default: false,
        "If true, the bugs are visible only on the screen, so the client must report them."
    )
    static let variants = Key(
        "variants",
        list: .map(of: .object(VariantKeys.self), names: .name),
        "The story's variants, by name. Each variant is run separately with --story ID/NAME. Not allowed in a backend.",
        example: ["no-data": ["title": "The same without data"]]
    )
    static let silent = Key("silent", .boolean, default: false, "If true, a correct client sends no requests.")
    static let exceptions = Key(
        "exceptions",
        list: .map(of: .text(.filled), names: .rule),
        "Rules that do not apply to the client, each with the reason.",
        example: ["B2": "the app has no lock yet"]
    )
    static let contract = Key(
        "contract",
        .json(.text(.path)),
        """
        The OpenAPI file that requests and responses must match: a path relative to this file, anywhere in the \
        project.
        """,
        example: "../../Contracts/notes.json"
    )
    static let undocumented = Key(
        "undocumented",
        .word(UndocumentedRule.self),
        "The handling of requests that the contract does not document.",
        otherwise: "`\"warn\"`, or `\"refuse\"` if the contract is enforced"
    )
    static let fill = Key(
        "fill",
        .word(FillRule.self),
        default: .off,
        "The source of responses for contract operations that have no route."
    )
    static let clock = Key("clock", .object(ClockKeys.self), "The start and the rate of the virtual clock.")
    static let holdRefusals = Key(
        "holdRefusals",
        .duration,
        "The real time for which token refusals, refresh responses and failures with Retry-After are held; "
            + "--hold-refusals overrides it."
    )
    static let seed = Key(
        "seed",
        .integer(0...Int.max),
        default: 1,
        "The seed for all random choices. --seed and sessions override it.",
        example: 7
    )
    static let accounts = Key(
        "accounts",
        list: .map(of: .map(of: .anything, names: .any), names: .name),
        "The users and their data, by account name. The first account signs in by default.",
        example: ["ada": ["id": 7, "name": "Ada"]]
    )
    static let devices = Key("devices", .object(DevicesKeys.self), "The way in which requests identify their device.")
    static let tokens = Key(
        "tokens",
        .object(TokensKeys.self),
        "The token kinds and their rules.",
        example: ["kinds": ["access": ["lifetime": "15m"]]]
    )
    static let issuer = Key(
        "issuer",
        .object(IssuerKeys.self),
        "An OAuth 2 authorization server, which defines token kinds and routes.",
        example: ["clients": ["app": ["redirects": ["app://callback"]]]]
    )
    static let states = Key(
        "states",
        list: .map(of: .choice([.names, .object(StateKeys.self)]), names: .name),
        "Named states and their values. The first value is the initial value.",
        example: ["plan": ["trial", "paid"]]
    )
    static let counters = Key(
        "counters",
        list: .counters,
        "Counters and their initial values.",
        example: ["note": 100]
    )
    static let collections = Key(
        "collections",
        list: ValueType<[JSONObject.Member]>.map(of: .object(CollectionKeys.self), names: .name)
            .restricted(by: CollectionKeys.rules),
        "Collections of stored items, which responses can change. \"accounts\" always exists.",
        example: ["notes": ["items": [["id": 1]]]]
    )
    static let defaults = Key(
        "defaults",
        .object(DefaultsKeys.self),
        "Defaults for every response.",
        example: ["latency": "80ms"]
    )
    static let cors = Key(
        "cors",
        .json(.choice([.boolean, .object(CrossOriginKeys.self)])),
        "Browser access for pages from other origins (CORS); true allows all origins.",
        otherwise: "`false`",
        example: ["origins": ["https://app.example.com"], "credentials": true]
    )
    static let guards = Key(
        "guards",
        list: .list(of: .object(GuardKeys.self)),
        "Checks that apply to every route, in the listed order.",
        example: [["when": ["header": ["X-Version": ["exists": false]]], "status": 426, "empty": true]]
    )
    static let routes = Key(
        "routes",
        list: .routes,
        "Routes by method and path template.",
        example: ["GET /notes/{id}": ["json": ["id": "{{request.path.id}}"]]]
    )
    static let origins = Key(
        "origins",
        list: .map(of: .object(OriginKeys.self), names: .name),
        "Other servers in the story, such as an image host. {{origin.NAME}} is a server's base URL.",
        example: ["images": ["routes": ["GET /{name}": ["file": "fixtures/picture.png"]]]]
    )
    static let unmatched = Key(
        "unmatched",
        .object(FallbackKeys.self),
        "The backend's own response to a request for an unknown path.",
        otherwise: "404 with `application/problem+json`",
        example: ["status": 404, "json": ["error": "unknown"]]
    )
    static let wrongMethod = Key(
        "wrongMethod",
        .object(FallbackKeys.self),
        "The backend's own response to a request for a known path with an undefined method.",
        otherwise: "405 with `application/problem+json`",
        example: ["status": 405, "empty": true]
    )
    static let invalidRequest = Key(
        "invalidRequest",
        .object(ResponseKeys.self),
        "The backend's own response to a request that lacks a value required by the response.",
        otherwise: "400 with `application/problem+json`",
        example: ["status": 400, "empty": true]
    )
    static let given = Key(
        "given",
        list: .list(of: .json(.event(with: .ago))),
        "Events before the client starts, oldest first.",
        example: [["signIn": "phone", "ago": "1h"]]
    )
    static let timeline = Key(
        "timeline",
        list: .list(of: .json(.event(with: .trigger))),
        "Events while the client runs.",
        example: [["at": "10m", "revoke": "refresh"]]
    )
    static let processes = Key(
        "processes",
        list: .map(of: .words(ProcessDeclaration.Beginning.self), names: .name),
        """
        The processes of one client that share its store, by name: "start" runs from the beginning; "later" starts \
        during the story.
        """,
        example: ["app": "start", "extension": "later"]
    )
    static let hold = Key(
        "hold",
        list: ValueType(shape: .choice([.object(HoldKeys.self), .list(of: .object(HoldKeys.self))])) {
            $0.array ?? [$0]
        },
        "Gates at which requests wait for each other so that they overlap.",
        example: ["requests": "GET /notes", "until": 3]
    )
    static let expect = Key(
        "expect",
        list: .list(of: .json(.expectation)),
        "The behavior of a correct client.",
        example: [["request": "POST /refresh", "count": 1]]
    )

    static let shape: ObjectShape = {
        let story: [any FormatKey] = [schema, backend, extends, id, title, about, reproduces, bugClasses, uiOnly]
        return ObjectShape(
            "scenario",
            "a scenario file",
            "a backend or a story",
            story + [variants, silent, exceptions] + settings + [
                clock, holdRefusals, seed, accounts, devices, issuer, tokens, states, counters, collections, defaults,
                cors,
                guards,
                routes, origins, unmatched, wrongMethod, invalidRequest, given, processes, timeline, hold, expect,
                bugs,
            ]
        )
    }()
    private static let settings: [any FormatKey] = [contract, undocumented, fill]

    /// The keys by which files and stories are known, so that null does not remove them.
    static let kept: [any FormatKey] = [backend, extends, id, title]

    /// The keys that say which file this is, so that a variant does not have them.
    fileprivate static let identity: [any FormatKey] = [schema, backend, extends, id, variants, issuer]

    /// The keys of which the routes and collections know nothing: what is read of those holds when one changes.
    static let apart: Set<String> = Set(
        (identity + settings + [
            title, about, reproduces, bugClasses, uiOnly, silent, exceptions, clock, holdRefusals, seed, guards, routes,
            unmatched, wrongMethod, invalidRequest, given, processes, timeline, hold, expect, bugs,
        ])
        .map(\.declaration.name)
    )
}

enum VariantKeys: FormatObject {
    /// The keys that a variant may change in its story: all that do not identify the file.
    static let shape = ObjectShape(
        "variant",
        "a variant",
        "the changes that a variant makes to its story",
        ScenarioKeys.shape.keys.filter { key in
            !ScenarioKeys.identity.contains { $0.declaration.name == key.name }
        }
        .map { key in
            var key = key
            key.isRequired = key.name == ScenarioKeys.title.name
            return key
        },
        merging: .change
    )
}

enum ClockKeys: FormatObject {
    static let start = Key(
        "start",
        .moment(.start),
        "The time at which the scenario starts.",
        otherwise: "`\"now\"`",
        example: "2026-03-01T09:00:00Z"
    )
    static let rate = Key("rate", .number(0...1_000_000), default: 1, "The number of virtual seconds per real second.")
    static let frozen = Key("frozen", .boolean, default: false, "If true, the clock is stopped until it is advanced.")
    static let automatic = Key(
        "automatic",
        .boolean,
        default: false,
        "If true, the clock is stopped and jumps ahead when every request is waiting for it."
    )
    static let skew = Key(
        "skew",
        .signedDuration,
        default: .zero,
        "The offset of the Date header field from the virtual clock."
    )

    static let shape = ObjectShape(
        "clock",
        "\"clock\"",
        "the start and the rate of the scenario's clock",
        [start, rate, frozen, automatic, skew],
        rules: [
            ObjectRule(
                .not(.all([.member(frozen, .oneOf([true])), .member(automatic, .oneOf([true]))])),
                "scenario/rival-keys",
                at: automatic,
                "a frozen clock cannot be automatic; keep one"
            )
        ]
    )
}

enum DevicesKeys: FormatObject {
    static let header = Key("header", .text(.fieldName), "The header field that identifies the device.", required: true)

    static let shape = ObjectShape(
        "devices",
        "\"devices\"",
        "the way in which requests identify their device",
        [header]
    )
}

enum StateKeys: FormatObject {
    static let values = Key(
        "values",
        list: .list(of: .json(.text(.name)), count: 1...Int.max),
        "All values of the state. The first value is the initial value.",
        required: true,
        example: ["trial", "paid"]
    )
    static let per = Key("per", .word(StateDeclaration.Scope.self), default: .session, "The owner of the state.")

    static let shape = ObjectShape("state", "a state", "a named state with its values and its owner", [values, per])

    /// The values of a state that is declared by them alone, or as an object.
    static func written(in tree: JSONValue) -> [JSONValue] { tree.array ?? tree[values] }
}

extension Shape {
    fileprivate static let rule = Shape.text(.rule)
}
