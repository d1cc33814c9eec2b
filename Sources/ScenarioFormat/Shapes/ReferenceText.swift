import Basics
import JSON

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
