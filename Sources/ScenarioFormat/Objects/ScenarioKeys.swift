import Basics
import JSON

/// The keys of a whole file, backend or story.
enum ScenarioKeys: FormatObject {
    static let schema = Key(
        "$schema",
        .text(.any),
        "Where editors find the schema of this format. Backlot never opens it.",
        example: "../scenario.schema.json"
    )
    static let backend = Key(
        "backend",
        .text(.filled),
        "The backend's name. A file that has it is a backend file.",
        example: "Notes"
    )
    static let extends = Key("extends", .text(.path), "The file that this story changes.")
    static let id = Key(
        "id",
        .text(.name),
        "The story's short name, for --story and reports.",
        example: "lost-rotation"
    )
    static let title = Key(
        "title",
        .text(.any),
        "What the story is about, in one line.",
        example: "The response to a refresh gets lost"
    )
    static let about = Key(
        "about",
        .text(.any),
        "The story in two sentences that need no knowledge of the code.",
        example: "The phone asks for new tokens in a tunnel. The response never arrives."
    )
    static let reproduces = Key(
        "reproduces",
        list: ValueType(shape: .choice([.text(.any), .list(of: .text(.any))])) {
            $0.string.map { [$0] } ?? $0.array?.compactMap(\.string)
        },
        "The bugs that the story brings back, each one of \"bugs\" where the backend has those.",
        example: "smeem/B3"
    )
    static let bugs = Key(
        "bugs",
        list: .map(of: .text(.filled), names: .any),
        "The bugs that the backend's clients are known to have had, by the names that \"reproduces\" gives them.",
        example: ["smeem/B3": "The splash screen stays when a refresh is refused."]
    )
    static let bugClasses = Key(
        "bugClasses",
        list: .oneOrMore(.json(.rule)),
        "The rules that a client with those bugs fails, by number or name; the table of stories shows them.",
        example: "B2"
    )
    static let uiOnly = Key(
        "uiOnly",
        .boolean,
        default: false,
        "Whether the bugs show on the screen alone, so that only the client's own reports can tell."
    )
    static let variants = Key(
        "variants",
        list: .map(of: .object(VariantKeys.self), names: .name),
        "Further stories that change this one a little, by name: a story's alone. Each is a run of its own, --story ID/NAME.",
        example: ["no-data": ["title": "The same without data"]]
    )
    static let silent = Key("silent", .boolean, default: false, "Whether a correct client sends nothing at all.")
    static let exceptions = Key(
        "exceptions",
        list: .map(of: .text(.filled), names: .rule),
        "Rules that are not passed on the client, each with the reason.",
        example: ["B2": "the app has no lock yet"]
    )
    static let contract = Key(
        "contract",
        .json(.text(.path)),
        "The OpenAPI file that requests and responses are held against; relative to this file, anywhere in the project.",
        example: "../../Contracts/notes.json"
    )
    static let undocumented = Key(
        "undocumented",
        .word(UndocumentedRule.self),
        "What becomes of a request that the contract does not know.",
        otherwise: "`\"warn\"`, or `\"refuse\"` where the contract is enforced"
    )
    static let fill = Key(
        "fill",
        .word(FillRule.self),
        default: .off,
        "What answers on operations of the contract that have no route."
    )
    static let clock = Key("clock", .object(ClockKeys.self), "How the virtual clock begins and runs.")
    static let holdRefusals = Key(
        "holdRefusals",
        .duration,
        "How long token refusals, responses to refreshes and failures with Retry-After are held, in real time; "
            + "--hold-refusals overrides it."
    )
    static let seed = Key(
        "seed",
        .integer(0...Int.max),
        default: 1,
        "The start of every random choice. --seed and sessions override it.",
        example: 7
    )
    static let accounts = Key(
        "accounts",
        list: .map(of: .map(of: .anything, names: .any), names: .name),
        "Users and what is known of them; the first is the one who signs in.",
        example: ["ada": ["id": 7, "name": "Ada"]]
    )
    static let devices = Key("devices", .object(DevicesKeys.self), "How a request names its device.")
    static let tokens = Key(
        "tokens",
        .object(TokensKeys.self),
        "The token rules.",
        example: ["kinds": ["access": ["lifetime": "15m"]]]
    )
    static let issuer = Key(
        "issuer",
        .object(IssuerKeys.self),
        "An authorization server of OAuth 2: kinds of token and routes that need not be written out.",
        example: ["clients": ["app": ["redirects": ["app://callback"]]]]
    )
    static let states = Key(
        "states",
        list: .map(of: .choice([.names, .object(StateKeys.self)]), names: .name),
        "Named states. The first value is where each begins.",
        example: ["plan": ["trial", "paid"]]
    )
    static let counters = Key(
        "counters",
        list: .counters,
        "Counters and the number each begins with.",
        example: ["note": 100]
    )
    static let collections = Key(
        "collections",
        list: .map(of: .object(CollectionKeys.self), names: .name),
        "What the backend stores and responses may change, by name; \"accounts\" is always one.",
        example: ["notes": ["items": [["id": 1]]]]
    )
    static let defaults = Key(
        "defaults",
        .object(DefaultsKeys.self),
        "What every response has unless it says otherwise.",
        example: ["latency": "80ms"]
    )
    static let cors = Key(
        "cors",
        .json(.choice([.boolean, .object(CrossOriginKeys.self)])),
        "Whether pages of other origins may ask, as browsers make sure: true for all of them.",
        otherwise: "`false`",
        example: ["origins": ["https://app.example.com"], "credentials": true]
    )
    static let guards = Key(
        "guards",
        list: .list(of: .object(GuardKeys.self)),
        "Checks on every route, in this order.",
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
        "Other servers of the story, such as an image host; {{origin.NAME}} is the base URL.",
        example: ["images": ["routes": ["GET /{name}": ["file": "fixtures/picture.png"]]]]
    )
    static let unmatched = Key(
        "unmatched",
        .object(FallbackKeys.self),
        "The backend's own response on a path it does not know.",
        otherwise: "404 with `application/problem+json`",
        example: ["status": 404, "json": ["error": "unknown"]]
    )
    static let wrongMethod = Key(
        "wrongMethod",
        .object(FallbackKeys.self),
        "The backend's own response on a known path with another method.",
        otherwise: "405 with `application/problem+json`",
        example: ["status": 405, "empty": true]
    )
    static let invalidRequest = Key(
        "invalidRequest",
        .object(ResponseKeys.self),
        "The backend's own response on a request its response cannot be made from.",
        otherwise: "400 with `application/problem+json`",
        example: ["status": 400, "empty": true]
    )
    static let given = Key(
        "given",
        list: .list(of: .json(.event(with: .ago))),
        "What happened before the client starts, oldest first.",
        example: [["signIn": "phone", "ago": "1h"]]
    )
    static let timeline = Key(
        "timeline",
        list: .list(of: .json(.event(with: .trigger))),
        "What happens while the client runs.",
        example: [["at": "10m", "revoke": "refresh"]]
    )
    static let processes = Key(
        "processes",
        list: .map(of: .words(ProcessDeclaration.Beginning.self), names: .name),
        "The processes of one client that share its store: who runs from the \"start\", and who \"later\".",
        example: ["app": "start", "extension": "later"]
    )
    static let hold = Key(
        "hold",
        list: ValueType(shape: .choice([.object(HoldKeys.self), .list(of: .object(HoldKeys.self))])) {
            $0.array ?? [$0]
        },
        "Where requests wait for each other, so that they overlap.",
        example: ["requests": "GET /notes", "until": 3]
    )
    static let expect = Key(
        "expect",
        list: .list(of: .json(.expectation)),
        "What a correct client does.",
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
    /// What a variant may change in its story: everything that does not say which file this is.
    static let shape = ObjectShape(
        "variant",
        "a variant",
        "what a variant changes in its story",
        ScenarioKeys.shape.keys.filter { key in
            !ScenarioKeys.identity.contains { $0.declaration.name == key.name }
        },
        merging: .change
    )
}

enum ClockKeys: FormatObject {
    static let start = Key(
        "start",
        .moment(.start),
        "The moment at which the scenario begins.",
        otherwise: "`\"now\"`",
        example: "2026-03-01T09:00:00Z"
    )
    static let rate = Key("rate", .number(0...1_000_000), default: 1, "Virtual seconds in a real second.")
    static let frozen = Key("frozen", .boolean, default: false, "Whether time stands still until it is advanced.")
    static let automatic = Key(
        "automatic",
        .boolean,
        default: false,
        "Whether time stands still and jumps when every request waits for it."
    )
    static let skew = Key("skew", .signedDuration, default: .zero, "How far the Date header is off.")

    static let shape = ObjectShape(
        "clock",
        "\"clock\"",
        "how the scenario's clock begins and runs",
        [start, rate, frozen, automatic, skew]
    )
}

enum DevicesKeys: FormatObject {
    static let header = Key("header", .text(.fieldName), "The field that names the device.", required: true)

    static let shape = ObjectShape("devices", "\"devices\"", "how a request names its device", [header])
}

enum StateKeys: FormatObject {
    static let values = Key(
        "values",
        list: .list(of: .json(.text(.name)), count: 1...Int.max),
        "Every value. The first is where it begins.",
        required: true,
        example: ["trial", "paid"]
    )
    static let per = Key("per", .word(StateDeclaration.Scope.self), default: .session, "Whose state it is.")

    static let shape = ObjectShape("state", "a state", "a named state, its values, and whose it is", [values, per])

    /// The values of a state that is declared by them alone, or as an object.
    static func written(in tree: JSONValue) -> [JSONValue] { tree.array ?? tree[values] }
}

extension Shape {
    fileprivate static let rule = Shape.text(.rule)
}
