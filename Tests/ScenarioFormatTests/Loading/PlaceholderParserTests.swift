import JSON
import Testing

@testable import ScenarioFormat

@Suite
struct `Placeholders` {
    private let parser = PlaceholderParser(
        vocabulary: PlaceholderParser.Vocabulary(
            kinds: ["access", "refresh"],
            counters: ["diary"],
            states: ["member"],
            origins: ["images"],
            pathParameters: ["id"],
            accountData: ["memberId", "plan"],
            found: [
                PlaceholderParser.FoundName(name: "post"), PlaceholderParser.FoundName(name: "user", isAccount: true),
            ],
            hasItem: true,
            hasElement: true,
            hasUpload: true,
            mayOmit: true
        )
    )

    @Test(arguments: [
        ("request.method", "method"), ("request.base", "base"), ("request.target", "target"), ("request.path", "path"),
        ("request.path.id", "pathParameter id"), ("request.query.page", "query page"),
        ("request.query.a.b", "query a.b"), ("request.header.X-Request-Id", "header X-Request-Id"),
        ("request.body", "body"), ("request.body#", "body #"), ("request.body#/a~1b/0", "body #/a~1b/0"),
        ("request.cookie.sid", "cookie sid"), ("request.basic.user", "basic user"),
        ("presented.access#/scope", "presented access #/scope"), ("presented.access", "presented access #"),
        ("request.form.name", "form name"), ("request.part.photo", "part photo text"),
        ("request.part.photo.filename", "part photo filename"), ("request.part.a.b", "part a.b text"),
        ("request.part.size", "part size text"),
        ("token.access", "token access value"), ("token.refresh.expiresAt", "token refresh expiresAt"),
        ("clock", "clock timestamp 0s"), ("clock()", "clock timestamp 0s"),
        ("clock(offset: -1d)", "clock timestamp -1d"), ("clock(format: seconds)", "clock seconds 0s"),
        ("clock(format: milliseconds, offset: 1h)", "clock milliseconds 1h"), ("clock(format: http)", "clock http 0s"),
        ("clock(format: yyyy-MM-dd HH:mm)", "clock pattern 0 0s"),
        ("clock( format : yyyy , zone : +09:00 , offset : 30m )", "clock pattern 32400 30m"),
        ("clock(zone: -03:30, format: EEE',' d MMM)", "clock pattern -12600 0s"),
        ("counter.diary", "counter diary"), ("counter.diary.current", "currentCounter diary"),
        ("found.post", "found post #"), ("found.post#/likes/0", "found post #/likes/0"),
        ("found.user.name", "name of found user"), ("item#/id", "item #/id"), ("each#/id", "each #/id"),
        ("part.extension", "uploaded extension"), ("part.name", "uploaded name"),
        ("random.integer(1, 6)", "integer 1...6"), ("random.integer(-5,-5)", "integer -5...-5"),
        ("random.hex(16)", "hex 16"),
        (#"random.choice(red, 2, null, "a, b", [1,2])"#, #"choice ["red",2,null,"a, b",[1,2]]"#),
        ("uuid", "uuid"), ("device", "device"), ("account", "account"), ("account.memberId", "account #/memberId"),
        ("account#/plan/name", "account #/plan/name"), ("account#", "account #"), ("state.member", "state member"),
        ("session", "session"), ("exchange", "exchange"), ("origin.images", "origin images"),
        (#""{{""#, #"constant "{{""#),
        (#""a ?? b""#, #"constant "a ?? b""#),
        ("  uuid  ", "uuid"),
    ])
    func `are read`(text: String, source: String) throws {
        let placeholder = try parser.parse(text)
        #expect(placeholder.source.summary == source)
        #expect(placeholder.fallback == nil)
    }

    @Test(
        arguments: [
            ("request.query.page ?? 1", 1), (#"request.query.q ?? "a ?? b""#, "a ?? b"), ("token.access??null", .null),
            (#"request.body#/a ?? {"b": [1, "}"]}"#, ["b": [1, "}"]]), ("account.plan ?? false", false),
            ("device ?? \"nobody\"", "nobody"),
        ] as [(String, JSONValue)]
    )
    func `may have a value that stands in`(text: String, fallback: JSONValue) throws {
        #expect(try parser.parse(text).fallback == fallback)
    }

    @Test func `of a rate may have a default, because a request that is refused earlier has none`() throws {
        let parser = PlaceholderParser(vocabulary: PlaceholderParser.Vocabulary(hasRate: true))
        #expect(try parser.parse("rate.remaining ?? 0").fallback == 0)
    }

    @Test(arguments: [
        ("(request.query.a ?? ", " ?? 0)"), ("(", ")"), ("max(1, ", ")"), ("1 * (request.query.a ?? ", " ?? 0)"),
    ])
    func `are refused where computations are nested too deep`(opening: String, closing: String) {
        func nested(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + "request.query.b" + String(repeating: closing, count: depth)
        }
        #expect(throws: Never.self) { try parser.parse("1 + " + nested(4)) }
        let problem = #expect(throws: PlaceholderParser.Problem.self) { try parser.parse("1 + " + nested(1_000)) }
        #expect(problem?.message == "the computation is nested too deep")
    }

    @Test(arguments: [
        ("", #"unknown placeholder "" | use "#),
        ("uid", #"unknown placeholder "uid" | did you mean "uuid"?"#),
        ("path.id", #"unknown placeholder "path.id" | did you mean "request.path.id"?"#),
        ("hex(4)", #"unknown placeholder "hex" | did you mean "random.hex"?"#),
        ("reqest.body#/a", #"unknown placeholder "reqest.body#/a" | did you mean "request.body#/a"?"#),
        ("request.qurey.page", #"unknown placeholder "request.qurey.page" | did you mean "request.query.page"?"#),
        ("tokn.access", #"unknown placeholder "tokn.access" | did you mean "token.access"?"#),
        ("random.int(1, 6)", #"unknown placeholder "random.int" | did you mean "random.integer"?"#),
        ("randm.hex(2)", #"unknown placeholder "randm.hex" | did you mean "random.hex"?"#),
        ("request.body.book", #"unknown placeholder "request.body.book" | did you mean "request.body#/book"?"#),
        ("request.body.a.0.id", #"unknown placeholder "request.body.a.0.id" | did you mean "request.body#/a/0/id"?"#),
        ("request.path.ID", #"unknown path parameter "ID" | did you mean "id"?"#),
        ("request.path.", #"unknown placeholder "request.path." | use "#),
        ("request.query.", #"unknown placeholder "request.query." | use "#),
        ("request.header.X Y", #""X Y" is not a header field name"#),
        ("request.body#a", #""a" is not a JSON Pointer | write a pointer such as #/data/id"#),
        ("token.acess", #"unknown token kind "acess" | did you mean "access"?"#),
        ("token.access.expires", #"a token has no "expires" | did you mean "expiresAt"?"#),
        ("token.acess.id", #"unknown token kind "acess" | did you mean "access"?"#),
        ("counter.diaries", #"unknown counter "diaries" | use diary"#),
        ("state.plan", #"unknown state "plan" | use member"#),
        ("account.memberID ", #"no account contains "memberID" | did you mean "memberId"?"#),
        ("account#/x", #"no account contains "x" | use memberId or plan"#),
        ("account.", #"unknown placeholder "account." | use "#),
        ("origin.image", #"unknown origin "image" | did you mean "images"?"#),
        ("orign.images", #"unknown placeholder "orign.images" | did you mean "origin.images"?"#),
        ("origin", #"unknown placeholder "origin" | use "#),
        (
            #"origin.images ?? "x""#,
            #""origin.images" always has a value, so "??" has no effect | remove "??" and the default"#
        ),
        ("uuid()", #""uuid" does not accept arguments"#),
        ("uuid ?? 1", #""uuid" always has a value, so "??" has no effect | remove "??" and the default"#),
        ("request.query.a ??", #"found nothing after "??""#),
        (
            "request.query.a ?? one",
            #""one" after "??" is not JSON: found one without quotes; text requires double quotes | put a string in quotes: ?? "one""#
        ),
        (
            "clock(format: YYYY)",
            #""YYYY" is not a date format | write a pattern of y M d H h m s S E a, such as yyyy-MM-dd HH:mm, or write seconds, milliseconds or http"#
        ),
        (
            "clock(format)",
            #""" is not a date format | write a pattern of y M d H h m s S E a, such as yyyy-MM-dd HH:mm, or write seconds, milliseconds or http"#
        ),
        ("clock(format: E, locale: kr)", #"the locale "kr" is not supported | did you mean "ko"?"#),
        ("found.pots", #"no selection here is named "pots" | did you mean "post"?"#),
        ("found.post.name", #"only an account has a name | write {{found.post#/name}}"#),
        ("found.post#likes", ##""likes" is not a JSON Pointer | write a pointer such as #/data/id"##),
        ("part.sice", #"an uploaded part has no "sice" | use filename, name, type or extension"#),
        ("request.query.n as nummer", #"a value cannot be converted to "nummer" | did you mean "number"?"#),
        ("request.query.n as words()", ##""words" requires the prefix of the words, such as words(#)"##),
        (
            "clock(zone: +09:00)",
            #""zone" requires a date pattern as the format | write clock(format: yyyy-MM-dd HH:mm, zone: +09:00)"#
        ),
        ("clock(format: yyyy, zone: 9)", #""9" is not a time zone | write an offset such as +09:00"#),
        ("clock(format: yyyy, zone: +19:00)", #""+19:00" is not a time zone | time zones range from -18:00 to +18:00"#),
        ("clock(offset: 1 day)", #""1 day" is not a duration | write a duration such as -1d or 30m"#),
        ("clock(ofset: 1d)", #"clock does not support the argument "ofset" | did you mean "offset"?"#),
        ("clock(offset: 1d, offset: 2d)", #""offset" occurs twice in clock; keep one"#),
        ("clock(offset: 1d,)", #"found an extra comma in "(offset: 1d,)""#),
        (
            "clock(format: seconds",
            #"the arguments of "clock(format: seconds" are not closed | close the arguments with ")""#
        ),
        (
            "random.integer(6, 1)",
            #"random.integer requires a lower and an upper bound | write random.integer(1, 6)"#
        ),
        (
            "random.integer(1.5, 2)",
            #"random.integer requires a lower and an upper bound | write random.integer(1, 6)"#
        ),
        (
            "random.integer(99999999999999999999, 1)",
            #"random.integer requires a lower and an upper bound | write random.integer(1, 6)"#
        ),
        ("random.integer", #"random.integer requires a lower and an upper bound | write random.integer(1, 6)"#),
        ("random.hex(0)", #"random.hex requires a number of digits, at most 1024 | write random.hex(16)"#),
        ("random.hex(+5)", #"random.hex requires a number of digits, at most 1024 | write random.hex(16)"#),
        ("random.choice()", #"random.choice requires values | write random.choice(red, green, blue)"#),
        ("random.choice([1, 2)", #""[1, 2" is neither JSON nor a plain word"#),
        (#""open"#, #""open is not text:this string is not closed"#),
    ])
    func `that make no sense are refused in words`(text: String, words: String) {
        do {
            let placeholder = try parser.parse(text)
            Issue.record("\(text) was read as \(placeholder.source.summary)")
        } catch {
            let said = [error.message, error.advice].compactMap(\.self).joined(separator: " | ")
            // The list of all names is long, and its beginning is enough.
            #expect(said == words || words.hasSuffix("| use ") && said.hasPrefix(words))
        }
    }

    @Test(
        arguments: [
            ("request.path.id as number", .number), ("request.body#/a as text ?? omit", .text),
            ("request.query.state as encoded", .encoded),
            ("found.post#/kept as boolean", .boolean), ("request.body#/text as words(#)", .words(prefix: "#")),
            ("request.query.n", nil), (#""as number""#, nil),
        ] as [(String, Placeholder.Conversion?)]
    )
    func `may be turned into another kind of value`(text: String, conversion: Placeholder.Conversion?) throws {
        #expect(try parser.parse(text).conversion == conversion)
    }

    @Test
    func `may be left out where something can be`() throws {
        let placeholder = try parser.parse("request.query.q ?? omit")
        #expect(placeholder.mayBeOmitted && placeholder.fallback == nil)
        #expect(throws: PlaceholderParser.Problem.self) {
            try PlaceholderParser(vocabulary: PlaceholderParser.Vocabulary()).parse("request.query.q ?? omit")
        }
    }

    @Test(arguments: ["request.query.q", "request.body", "found.post", "item#/id", "each#/id", "part.name"])
    func `are refused where there is nothing that they speak of`(text: String) {
        #expect(throws: PlaceholderParser.Problem.self) {
            try PlaceholderParser(vocabulary: PlaceholderParser.Vocabulary(hasRequest: false)).parse(text)
        }
    }

    @Test
    func `take other sources before the default`() throws {
        let placeholder = try parser.parse(#"request.query.a ?? request.form.b as decoded ?? "x ?? y""#)
        #expect(placeholder.sources.map(\.summary) == ["query a", "form b"])
        #expect(placeholder.conversion == nil && placeholder.alternatives.map(\.conversion) == [.decoded])
        #expect(placeholder.fallback == "x ?? y")
        let open = try parser.parse("request.query.a ?? request.parameter.b")
        #expect(open.sources.map(\.summary) == ["query a", "parameter b"] && open.fallback == nil)
        for (text, message) in [
            (#"request.query.a ?? "x" ?? 1"#, #"""x"" is a default, but another value follows"#),
            ("request.query.a ?? uuid ?? 1", "uuid"), ("request.query.a ?? request.quer.b", "unknown placeholder"),
            ("request.query.a ?? omit ?? 1", #""omit" is a default, but another value follows"#),
            ("request.query.a ?? 1 ?? request.query.b", #""1" is a default, but another value follows"#),
        ] {
            let problem = #expect(throws: PlaceholderParser.Problem.self) { try parser.parse(text) }
            #expect(problem?.message.contains(message) == true, "\(text)")
        }
    }

    @Test(arguments: [
        "{{", "}}", "((((", "))))", "a(b(c)", "\"", "\\", "\"\\", "??", "?? ??", "request.query.\u{301}x", "clock(,)",
        "clock(:)",
        "random.choice(\")", "\u{0}", "token..", "token.", ".", "..", "#", "request.body#/~2", "counter..current",
        "counter.current", "state.", "account#/~", "clock(format: ')", "[[[[", "]]]]", "request.part.",
        "request.part..size",
    ])
    func `never crash, whatever is written`(text: String) {
        _ = try? parser.parse(text)
    }
}

extension RequestPart {
    fileprivate var summary: String {
        switch self {
        case .method: "method"
        case .pathParameter(let name): "pathParameter \(name)"
        case .query(let name): "query \(name)"
        case .header(let name): "header \(name)"
        case .body(let pointer): "body #\(pointer)"
        case .form(let name): "form \(name)"
        case .parameter(let name): "parameter \(name)"
        case .cookie(let name): "cookie \(name)"
        case .basic(let part): "basic \(part.rawValue)"
        case .part(let name, let aspect): "part \(name) \(aspect?.rawValue ?? "any")"
        case .device: "device"
        case .account: "account"
        }
    }
}

extension Placeholder.Source {
    /// The source in a few words, for comparison.
    fileprivate var summary: String {
        switch self {
        case .rate(let aspect): "rate \(aspect)"
        case .arithmetic(let computation): "arithmetic of \(computation.placeholders.count)"
        case .constant(let value): "constant \(value)"
        case .request(let part): part.summary
        case .wholeBody: "body"
        case .base: "base"
        case .target: "target"
        case .path: "path"
        case .presented(let kind, let pointer): "presented \(kind) #\(pointer)"
        case .token(let kind, let aspect): "token \(kind) \(aspect.rawValue)"
        case .issued(let pointer): "issued #\(pointer)"
        case .keySet: "jwks"
        case .proof(let aspect): "dpop \(aspect.rawValue)"
        case .clock(let format, let offset): "clock \(format.summary) \(DurationText.text(offset))"
        case .counter(let name): "counter \(name)"
        case .currentCounter(let name): "currentCounter \(name)"
        case .randomInteger(let range): "integer \(range)"
        case .randomHex(let digits): "hex \(digits)"
        case .randomChoice(let values): "choice \(JSONValue.array(values))"
        case .uuid: "uuid"
        case .accountData(let pointer): "account #\(pointer)"
        case .state(let name): "state \(name)"
        case .sessionName: "session"
        case .exchangeNumber: "exchange"
        case .originURL(let name): "origin \(name)"
        case .found(let name, let pointer): "found \(name) #\(pointer)"
        case .foundAccountName(let name): "name of found \(name)"
        case .item(let pointer): "item #\(pointer)"
        case .element(let pointer): "each #\(pointer)"
        case .uploadedPart(let aspect): "uploaded \(aspect.rawValue)"
        }
    }
}

extension Placeholder.ClockFormat {
    fileprivate var summary: String {
        switch self {
        case .timestamp: "timestamp"
        case .seconds: "seconds"
        case .milliseconds: "milliseconds"
        case .http: "http"
        case .pattern(_, let zone): "pattern \(zone)"
        }
    }
}
