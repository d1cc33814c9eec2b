/// What the reference says beside the declarations: how files become one, and what holds for several objects.
enum ReferenceText {
    static let introduction = """
        A **backend** says how a server normally behaves. A **story** extends it and changes only what the story is \
        about. Both are strict JSON or YAML, may have `"$comment"` in any object, and are checked before anything is \
        served: each mistake is reported with file, line and column, what would be right, and often "did you mean". \
        `"$schema"` makes editors complete and check while you type; Backlot itself never opens it.
        """

    static let files = """
        **How a story changes its backend.** Objects are merged key by key, arrays are replaced as a whole, and `null` \
        removes a key (RFC 7396). Content, such as what stands under `json`, and conditions are replaced as a whole, \
        and a `null` inside them stays. Of the keys that exclude each other, such as `fixture` and `json`, the story's \
        wins. A story may extend another story, and a variant is laid over its story in the same way. Paths are \
        relative to the file that names them; fixtures live in the backend's folder or below it.

        The `responses` that a story gives to a route go before the `cases` that the route has in the file below: the \
        story's 503 is sent even if a case would hold. Guards and tokens still come first. Then the route goes on as \
        the file below has it, cases first, unless the story says another `afterLast`; to inherit one that would hide \
        the cases for ever is refused. A response that cannot be made for the request, such as one that shows an item \
        which is not there, is left to the cases as well. A story that writes `cases` beside its `responses` replaces all \
        of the route's cases, and they go first. The other keys of a response change the route's own response where it \
        is, behind the cases.

        What a story adds must be played; see [Expectations](#expectations).
        """

    static let tokens = """
        A route `requires` one kind (`"access"`), several (`["access", "refresh"]`), or kinds in certain states: \
        `{"refresh": "valid", "access": ["expired", "valid"]}`. A state may grow into an object, a \
        [requirement](#requirement).
        """

    static let responses = """
        Guards, cases, routes and fallbacks have the keys of a [response](#response) beside their own. Placeholders work in \
        `fixture`, `json` and `text` and in headers.
        """

    static let conditions = "Everything that a condition or a matcher says must hold."

    static let collections = """
        A selection stands in `find`, in `embed`, and in the events `update` and `delete`. For example:

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
              "$comment": "Turns the like round.",
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
        One vocabulary for `given`, `timeline`, a response's `then` and the admin API. In `given` an event also has \
        `ago`; without it, it happens right after the one before. In `timeline` it has `at`, since the start, or \
        `after` with an [exchange](#afterexchange) and perhaps a `delay`, both on the virtual clock. `after` may name \
        several exchanges in an array; then it is after the last of them, in whichever order they come. With \
        `"optional": true` in `given` or `timeline`, a story is judged even if the event, or the fault that it arms, \
        was not played.

        What a response does with items comes before everything else that it does, so that its body and its sign-in \
        can speak of what is new. An event about items may have `each`, an array of the request or of what was found, \
        and happens once for every element. Only `then` has a request; elsewhere items are named by selections.

        Events about tokens and states take a `device`; without one they mean every device, and in `then` the caller, \
        who is also written `"caller"`. Those about tokens may have an `account` instead, which means all of its \
        devices.
        """

    static let expectations = """
        They are judged by the journal, the tokens and states at the end, and what the client tells about itself. An \
        expectation `held`, `failed`, or is `incomplete`: a client that never reported a fact has neither passed nor \
        failed, and where the journal has lost exchanges or was cleared, what they could change cannot be told. A story \
        without a request, or without expectations, never passes.

        A story is `incomplete`, too, when something that it adds to its backend was not played: a response of its \
        lists and cases, a fault, an event of its `timeline`, or a race at a gate. What the backend has word for word \
        counts as the backend's, also in an array that the story replaces. The response that a story changes with keys \
        of the route itself counts only where a case of the file below answered instead. A variant has to play what it \
        adds itself, or what its story adds if it adds nothing. Not asked for are guards, refusals of tokens, responses \
        without a route, faults with a probability below 1, responses that the story expects never to come (with \
        `"count": 0`), and what is marked `"optional": true`.
        """

    static let placeholderRules = """
        `{{…}}` stands for a value. A string that is nothing but one placeholder takes the value's JSON type, `null` \
        included; in a longer string it is written as text. `??` gives a default in JSON: \
        `{{request.query.page ?? 1}}`; `?? omit` leaves the member out. Without one, a request that lacks the value is \
        answered with 400. `as number`, `as text` and `as boolean` turn one kind of value into another, `as words(#)` a \
        text into an array of what follows each `#`. `{{"{{"}}` writes two braces.
        """

    static let placeholders: [(placeholder: String, value: String)] = [
        ("`request.method`, `request.target`, `request.path`", "of the request line"),
        (
            "`request.path.NAME`, `request.query.NAME`, `request.header.NAME`, `request.form.NAME`",
            "as text"
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
            "counts on and is the new number, or does not and is the present one"
        ),
        (
            "`random.integer(1, 6)`, `random.hex(16)`, `random.choice(red, green)`, `uuid`",
            "from the seed"
        ),
        ("`account`, `account.NAME`, `account#/POINTER`, `device`, `session`", "who is asking"),
        ("`state.NAME`, `exchange`", "a state's value, the number of the exchange"),
        ("`origin.NAME`", "the base URL of another server of the story"),
        (
            "`found.NAME`, `found.NAME#/POINTER`",
            "what `find` has found, or `then` has made; `found.NAME.name` is the name of a found account"
        ),
        (
            "`item#/POINTER`, `each#/POINTER`",
            "the item that a selection is about, the element that an event is about"
        ),
    ]
}
