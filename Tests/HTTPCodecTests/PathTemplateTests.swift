import Basics
import HTTPCodec
import Testing

struct PathTemplateTests {
    @Test(arguments: [
        ("/", "/", [:]), ("/a", "/a", [:]), ("/a", "/%61", [:]), ("/a%20b", "/a b", [:]), ("/é", "/%C3%A9", [:]),
        ("/{id}", "/7", ["id": "7"]), ("/{id}", "/a%2Fb", ["id": "a/b"]),
        ("/{a}/x/{b-c}", "/1/x/2", ["a": "1", "b-c": "2"]),
        ("/f/*", "/f/", ["*": ""]), ("/f/*", "/f/a/b%20c/", ["*": "a/b c/"]), ("/f/*rest", "/f/x", ["rest": "x"]),
        ("/a/", "/a/", [:]), ("/a//b", "/a//b", [:]), ("/*", "/", ["*": ""]),
    ])
    func `A path fits`(template: String, path: String, values: [String: String]) throws {
        let match = try PathTemplate(parsing: template).match(path)
        #expect(match.map { Dictionary($0.map { ($0.name, $0.value) }) { first, _ in first } } == values)
    }

    @Test(arguments: [
        ("/", ""), ("/", "//"), ("/a", "/a/"), ("/a/", "/a"), ("/a", "/A"), ("/a", "/ab"), ("/{id}", "/"),
        ("/{id}", "/a/b"),
        ("/{id}", "/%zz"), ("/{id}", "/%FF"), ("/{id}", "/%"), ("/f/*", "/f"), ("/f/*", "/f/%"), ("/a/{id}", "/a//"),
        ("/\u{E9}", "/e%CC%81"), ("/a", "*"), ("/a", "a"), ("/a/b", "/a%2Fb"),
    ])
    func `A path does not fit`(template: String, path: String) throws {
        #expect(try PathTemplate(parsing: template).match(path) == nil)
    }

    @Test(
        arguments: [
            ("", .empty, 0), ("a", .missingLeadingSlash, 0), ("/a/{id", .unclosedBrace, 3),
            ("/{id/x}", .unclosedBrace, 1),
            ("/a}", .unexpectedClosingBrace, 2), ("/{}", .emptyName, 1), ("/{1a}", .malformedName("1a"), 2),
            ("/é/{a b}", .malformedName("a b"), 5), ("/{a}/{a}", .repeatedName("a"), 6),
            ("/{a}.json", .textBesideParameter, 4),
            ("/x{a}", .textBesideParameter, 1), ("/*/a", .wildcardNotLast, 1), ("/*a/", .wildcardNotLast, 1),
            ("/a?b", .queryOrFragment, 2), ("/a#b", .queryOrFragment, 2), ("/a%2", .malformedPercentEncoding, 2),
            ("/%FF", .malformedPercentEncoding, 1), ("/a b", .illegalCharacter(" "), 2),
            ("/{a}/*a", .repeatedName("a"), 6),
            ("/*1", .malformedName("1"), 2), ("/{*}", .malformedName("*"), 2),
        ] as [(String, PathTemplateError.Reason, Int)]
    )
    func `A template says where it is wrong`(text: String, reason: PathTemplateError.Reason, offset: Int) {
        let error = #expect(throws: PathTemplateError.self) { try PathTemplate(parsing: text) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.sentence.isEmpty == false)
    }

    @Test func `Literals go before parameters before wildcards, at the first difference`() throws {
        let texts = ["/a/b", "/a/{x}", "/a/*", "/{x}/b", "/{x}/{y}", "/*"]
        let templates = try texts.map { try PathTemplate(parsing: $0) }
        for (index, template) in templates.enumerated() {
            #expect(templates[(index + 1)...].allSatisfy { template.isMoreSpecific(than: $0) })
            #expect(templates[...index].allSatisfy { !template.isMoreSpecific(than: $0) })
        }
    }

    @Test func `The shape forgets names and spelling`() throws {
        #expect(try PathTemplate(parsing: "/a/{x}/*y").shape == PathTemplate(parsing: "/%61/{z}/*").shape)
        #expect(try PathTemplate(parsing: "/a").shape != PathTemplate(parsing: "/a/").shape)
        #expect(try PathTemplate(parsing: "/{a}/{b}/*c").parameterNames == ["a", "b", "c"])
        #expect(try PathTemplate(parsing: "/%7Bid%7D").shape != PathTemplate(parsing: "/{id}").shape)
    }

    @Test func `Paths are split as templates are`() {
        #expect(PathTemplate.segments(of: "/a//b/") == ["a", "", "b", ""])
        #expect(PathTemplate.segments(of: "/") == [""])
    }
}
