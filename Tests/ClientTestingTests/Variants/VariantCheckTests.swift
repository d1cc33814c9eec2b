import Basics
import ClientTesting
import JSON
import Reports
import Testing

@Suite struct `Response variants` {
    @Test func `finds nothing in a client that reads what the contract says`() async throws {
        let result = try await ReaderAdapter("getBook", "/book", as: Book.self).checkVariants()
        #expect(result.findings == [], "\(result)")
        let success = try #require(result.answers.first)
        #expect(success.legal >= 30)
        #expect(success.illegal >= 12)
        #expect(success.evolution == 1)
        #expect(success.outcomes.map(\.outcome) == ["value", "unreadable"])
        #expect(result.answers.map(\.status) == [200, 404])
    }

    @Test func `serves what stands for all other responses as a failure`() async throws {
        let document = Library.document.replacing("\"404\"", with: "\"default\"")
        let answers = try await ReaderAdapter("getBook", "/book", as: Book.self).checkVariants(document).answers
        #expect(answers.map(\.status) == [200, 500])
        #expect(answers.last?.legal ?? 0 > 1 && answers.last?.findings == [])
    }

    @Test func `tells where a client wants what may be missing, with the smallest body`() async throws {
        let result = try await ReaderAdapter("getBook", "/book", as: StrictBook.self).checkVariants()
        #expect(
            result.findings.map(\.id) == [
                "variants/refused-variant", "variants/refused-variant", "variants/refused-variant",
            ]
        )
        let missing = try #require(result.findings.first)
        #expect(
            missing.message.hasPrefix(
                "getBook rejects a 200 response that the contract allows, in which /subtitle is absent:"
                    + " the decoder stops at /subtitle, where it found nothing ("
            )
        )
        let smallest = try smallestBody(in: missing)
        #expect(smallest.object?.names == ["id", "title", "state", "author"])
        #expect(smallest["title"] == "")
        #expect(smallest["author"]?.object?.names == ["name"])
        #expect(missing.place?.file?.hasSuffix("openapi.json") == true)
        #expect(missing.place?.position?.line == Library.line(of: #""subtitle""#))
        #expect(missing.place?.operation == "GET /book")
        let null = result.findings.map(\.message).filter { $0.contains("/author/born is null") }
        #expect(null.count == 1)
        #expect(null.first?.contains("at /author/born, where it") == true)
        #expect(result.findings[2].place?.position?.line == Library.line(of: #""born""#))
    }

    @Test func `names a member of a converted name as the contract does`() async throws {
        let document = Library.document.replacing(#""subtitle""#, with: #""sub_title""#)
        let result = try await ReaderAdapter("getBook", "/book", as: SnakeBook.self).checkVariants(document)
        let missing = try #require(result.findings.first { $0.message.contains("/sub_title is absent") }, "\(result)")
        #expect(missing.message.contains("the decoder stops at /sub_title, where it found nothing"), "\(result)")
        #expect(missing.place?.position?.line == Library.line(of: #""subtitle""#))
    }

    private func smallestBody(in finding: Finding) throws -> JSONValue {
        let words = "the smallest rejected body is "
        let advice = try #require(finding.advice)
        try #require(advice.hasPrefix(words))
        return try JSONParser().parse(String(advice.dropFirst(words.count))).root
    }

    @Test func `does not let everything be optional`() async throws {
        let result = try await ReaderAdapter("getBook", "/book", as: LaxBook.self).checkVariants()
        #expect(Set(result.findings.map(\.id)) == ["variants/accepted-illegal"])
        for member in ["/id", "/title", "/state", "/author", "/author/name"] {
            #expect(result.findings.contains { $0.message.contains(" \(member) is missing") }, "\(member)")
        }
        let name = result.findings.first { $0.message.contains("/author/name") }
        #expect(name?.place?.position?.line == Library.line(of: #""name": {"#))
        #expect(name?.severity == .error)
    }

    @Test func `may read a required member that is absent like null, where null is allowed`() async throws {
        let nullable = Library.document.replacing(#"["name"]"#, with: #"["name", "born"]"#)
        let excused = try await ReaderAdapter("getBook", "/book", as: Book.self).checkVariants(nullable)
        #expect(excused.findings == [], "\(excused)")
        let strict = nullable.replacing(#"["integer", "null"]"#, with: #""integer""#)
        let found = try await ReaderAdapter("getBook", "/book", as: Book.self).checkVariants(strict)
        #expect(found.findings.contains { $0.message.contains("/author/born is missing") }, "\(found)")
    }

    @Test func `finds the member that is forgotten`() async throws {
        let result = try await ReaderAdapter("getBook", "/book", as: ShortBook.self).checkVariants()
        #expect(result.findings.map(\.id) == ["variants/changed-value"])
        let finding = try #require(result.findings.first)
        #expect(finding.message.contains("getBook changes /subtitle: "))
        #expect(finding.message.contains(" became nothing"))
        #expect(finding.advice == "keep the member, or add a reason for dropping the member")
        #expect(finding.place?.position?.line == Library.line(of: #""subtitle""#))
    }

    private static let pricedBooks = Library.document.replacing(
        #""subtitle": { "type": "string" },"#,
        with: #"""
            "prices": {
              "type": "object",
              "additionalProperties": {
                "type": "object",
                "required": ["amount"],
                "properties": { "amount": { "type": "number", "format": "float" }, "note": { "type": "string" } }
              }
            },
            """#
    )

    @Test func `compares the entries of a map`() async throws {
        let right = try await ReaderAdapter("getBook", "/book", as: PricedBook<Price>.self).checkVariants(
            Self.pricedBooks
        )
        #expect(right.findings == [], "\(right)")
        let strict = try await ReaderAdapter("getBook", "/book", as: PricedBook<StrictPrice>.self)
            .checkVariants(Self.pricedBooks)
        #expect(strict.findings.count { $0.message.contains("/note is absent") } == 1, "\(strict)")
        #expect(strict.findings.map(\.id) == ["variants/refused-variant"], "\(strict)")
    }

    @Test(arguments: ["3.0.3", "3.1.0"]) func `asks for no member that only requests have`(version: String) async throws
    {
        let document = Library.document
            .replacing(#""openapi": "3.1.0""#, with: "\"openapi\": \"\(version)\"")
            .replacing(#"["integer", "null"]"#, with: #""integer""#)
            .replacing(#"["string", "null"]"#, with: #""string""#)
            .replacing(
                #""subtitle": { "type": "string" },"#,
                with: #""subtitle": { "type": "string" }, "secret": { "type": "string", "writeOnly": true },"#
            )
            .replacing(#"["id", "title", "state", "author"]"#, with: #"["id", "title", "state", "author", "secret"]"#)
        let result = try await ReaderAdapter("getBook", "/book", as: Book.self).checkVariants(document)
        #expect(result.findings == [], "\(result)")
    }

    @Test func `serves all variants of a refusal to a client with one call`() async throws {
        let answers = try await ReaderAdapter("getBook", "/book", as: Book.self).checkVariants().answers
        #expect(answers.last?.status == 404 && answers.last?.legal ?? 0 > 12, "\(answers)")
    }

    @Test func `finds keys of a map that are converted like names`() async throws {
        let found = try await ReaderAdapter("getBook", "/book", as: ConvertedBook.self).checkVariants(Self.pricedBooks)
        #expect(found.findings.map(\.id) == ["variants/changed-value"], "\(found)")
        #expect(found.findings.first?.message.contains("/prices/*: an object became nothing") == true, "\(found)")
    }

    @Test func `lets a member be forgotten for a reason`() async throws {
        let drops = [ClientOperation<Reader>.Drop("/subtitle", "no screen shows it")]
        let result = try await ReaderAdapter("getBook", "/book", as: ShortBook.self, drops: drops).checkVariants()
        #expect(result.findings == [], "\(result)")
    }

    @Test func `finds the drop that nothing needs`() async throws {
        let adapter = ReaderAdapter(
            "getBook",
            "/book",
            as: Book.self,
            drops: [.init("/subtitle", "no screen shows it")],
            tolerances: [.init("/title", "the server of May leaves it out")]
        )
        let result = try await adapter.checkVariants()
        #expect(result.findings.map(\.id) == ["variants/idle-drop", "variants/idle-drop"])
        #expect(
            result.findings.map(\.message) == [
                "the entry \"/subtitle\" in the drops of getBook is never used",
                "the entry \"/title\" in the tolerances of getBook is never used",
            ]
        )
        #expect(
            result.report.summary.prefix(2) == [
                "reader: getBook ignores /subtitle: no screen shows it",
                "reader: getBook tolerates a response without /title: the server of May leaves it out",
            ]
        )
    }

    @Test func `finds rounded numbers`() async throws {
        let result = try await ReaderAdapter("getBook", "/book", as: RoundBook.self).checkVariants()
        // That a Double takes fractions as well loses nothing.
        #expect(result.findings.map(\.id) == ["variants/changed-value"])
        #expect(result.findings.first?.message.hasPrefix("getBook changes /id: ") == true)
    }

    @Test
    func `tells of a number that is too large for its type, where Foundation says that the text is not valid JSON`()
        async throws
    {
        let result = try await ReaderAdapter("getBook", "/book", as: SmallBook.self).checkVariants()
        #expect(result.findings.map(\.id) == ["variants/refused-variant"], "\(result)")
        let words = "the decoder stops at an unknown location, where the type cannot represent the number"
        #expect(result.findings.first?.message.contains(words) == true)
        #expect(result.findings.first?.message.contains("in which /id is ") == true)
    }

    @Test func `warns of no new values where each body is refused for the same reason`() async throws {
        let result = try await ReaderAdapter("getBook", "/book", as: DemandingBook.self).checkVariants()
        #expect(Set(result.findings.map(\.id)) == ["variants/refused-variant"], "\(result)")
        #expect(result.findings.allSatisfy { $0.message.contains("the decoder stops at /isbn, where") }, "\(result)")
    }

    @Test func `finds what was made up`() async throws {
        let result = try await ReaderAdapter("getBook", "/book", as: FilledBook.self).checkVariants()
        #expect(result.findings.map(\.id) == ["variants/changed-value"])
        #expect(result.findings.first?.message.contains(#"changes /subtitle: nothing became "", where"#) == true)
    }

    @Test func `warns of a client that knows no other values`() async throws {
        let result = try await ReaderAdapter("getBook", "/book", as: ClosedBook.self).checkVariants()
        #expect(result.findings.map(\.id) == ["variants/evolution"])
        #expect(result.findings.first?.severity == .warning)
        #expect(result.findings.first?.message.contains("/state is an unknown value") == true)
    }

    @Test func `looks into lists, and tells their elements as one`() async throws {
        let result = try await ReaderAdapter("getShelf", "/shelf", as: Entry<StrictBook>.self).checkVariants()
        #expect(Set(result.findings.map(\.id)) == ["variants/refused-variant"])
        #expect(result.findings.contains { $0.message.contains("at /data/*/subtitle, where") })
        let sound = try await ReaderAdapter("getShelf", "/shelf", as: Entry<Book>.self).checkVariants()
        #expect(sound.findings == [], "\(sound)")
    }
}
