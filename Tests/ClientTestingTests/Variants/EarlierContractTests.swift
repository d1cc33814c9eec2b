import Basics
import Checking
import ClientTesting
import Foundation
import HTTPCodec
import JSON
import OpenAPI
import Reports
import TestSupport
import Testing

@Suite struct `A changed contract` {
    private func report(_ adapter: some ClientAdapter, _ old: String, _ new: String) async throws -> Report {
        let contract = try Library.contract(new)
        let revision = EarlierRevision(files: MemoryFiles(["/library/openapi.json": old]), name: "main")
        let before = try #require(try revision.contract(at: contract.path))
        let earlier = EarlierContract(before, before: contract, in: revision)
        return await VariantCheck(adapter, contract: contract, since: earlier).run().report(
            on: earlier,
            contract: contract
        )
    }

    private func findings(_ report: Report) -> [String] {
        report.checks.flatMap(\.findings).filter { $0.severity == .error }.map(\.id)
    }

    private static let text = Library.document
    private static let lost = text.replacing(#"["free", "lent"]"#, with: #"["free", "lent", "lost"]"#)
    private static let closed = text.replacing(
        #""required": ["id", "title", "state", "author"],"#,
        with: #""additionalProperties": false, "required": ["id", "title", "state", "author"],"#
    )
    private static let book = ReaderAdapter("getBook", "/book", as: Book.self)

    @Test func `that says what it said serves nothing`() async throws {
        let report = try await report(Self.book, Self.text, Self.text)
        #expect(report.verdict == .held)
        #expect(report.checks.map(\.name) == ["changes since main", "getBook, requests since main"])
        #expect(report.summary.last == "the changes do not break reader")
    }

    @Test func `breaks the client that does not know the new value, and no other`() async throws {
        struct ClosedBook: Codable {
            enum State: String, Codable { case free, lent }
            var state: State
        }
        let tolerant = try await report(Self.book, Self.text, Self.lost)
        #expect(tolerant.verdict == .held, "\(tolerant)")
        #expect(tolerant.checks.map(\.name).contains("getBook 200, new since main"))
        #expect(tolerant.checks.allSatisfy { $0.findings.allSatisfy { $0.severity != .error } })

        let strict = try await report(ReaderAdapter("getBook", "/book", as: ClosedBook.self), Self.text, Self.lost)
        #expect(findings(strict) == ["variants/refused-variant"])
        #expect(strict.summary.last == "the changes break reader")
        let finding = strict.checks.flatMap(\.findings).first { $0.severity == .error }
        #expect(finding?.message.contains("/state") == true)
    }

    @Test func `serves only what is new`() async throws {
        let whole = await VariantCheck(Self.book, contract: try Library.contract(Self.lost)).run()
        let report = try await report(Self.book, Self.text, Self.lost)
        let calls = try #require(report.summary[1].split(separator: " ").first.flatMap { Int($0) })
        #expect(0 < calls && calls * 3 < whole.calls, "\(calls) of \(whole.calls)")
    }

    @Test func `is not blamed for what was wrong before`() async throws {
        // It cannot do without a subtitle, which the contract has never required.
        let strict = ReaderAdapter("getBook", "/book", as: StrictBook.self)
        #expect(try await report(strict, Self.text, Self.lost).verdict == .held)
        let required = Self.text.replacing(
            #"["id", "title", "state", "author"]"#,
            with: #"["id", "title", "subtitle", "state", "author"]"#
        )
        let relaxed = try await report(strict, required, Self.text)
        #expect(findings(relaxed) == ["variants/refused-variant"])
        #expect(relaxed.checks.flatMap(\.findings).contains { $0.message.contains("/subtitle is absent") })
        #expect(try await report(Self.book, required, Self.text).verdict == .held)
    }

    @Test func `may have a member that the client does not know`() async throws {
        let more = #""subtitle": { "type": "string" }, "pages": { "type": "integer" },"#
        let open = Self.text.replacing(#""subtitle": { "type": "string" },"#, with: more)
        #expect(try await report(Self.book, Self.text, open).verdict == .held)
        let closed = Self.closed.replacing(#""subtitle": { "type": "string" },"#, with: more)
        let report = try await report(Self.book, Self.closed, closed)
        #expect(report.verdict == .held, "\(report)")
        #expect(report.checks.contains { $0.name == "getBook 200, new since main" })
    }

    @Test func `shows a value that is changed on its way`() async throws {
        struct Whole: Codable {
            var id: Int
            var title: String
            var subtitle: String?
            var state: String
            var author: Author
            struct Author: Codable {
                var name: String
                var born: Double?
                init(from decoder: any Decoder) throws {
                    let values = try decoder.container(keyedBy: CodingKeys.self)
                    name = try values.decode(String.self, forKey: .name)
                    born = (try values.decodeIfPresent(Double.self, forKey: .born))?.rounded(.down)
                }
            }
        }
        let fractions = Self.text.replacing(#"["integer", "null"]"#, with: #"["number", "null"]"#)
        let whole = try await report(ReaderAdapter("getBook", "/book", as: Whole.self), Self.text, fractions)
        #expect(Set(findings(whole)) == ["variants/changed-value"], "\(whole)")
    }

    @Test func `judges the requests that the client sends`() async throws {
        let needy = Self.text.replacing(
            #""operationId": "getBook","#,
            with: """
                "operationId": "getBook",
                "parameters": [{ "name": "shop", "in": "query", "required": true, "schema": { "type": "string" } }],
                """
        )
        let asked = try await report(Self.book, Self.text, needy)
        #expect(findings(asked) == ["variants/broken-request"], "\(asked.checks.flatMap(\.findings))")
        // It was wrong before.
        #expect(findings(try await report(Self.book, needy, needy)) == [])
        let gone = Self.text.replacing(#""/book": {"#, with: #""/volume": {"#)
        let report = try await report(Self.book, Self.text, gone)
        #expect(findings(report) == ["variants/broken-request"])
        #expect(
            report.checks.flatMap(\.findings).contains {
                $0.message.contains("an operation that has been removed since main")
            }
        )
    }

    @Test func `may have another name for an operation`() async throws {
        let renamed = Self.lost.replacing(#""getBook""#, with: #""readBook""#)
        let report = try await report(Self.book, Self.text, renamed)
        #expect(report.verdict == .held, "\(report)")
        #expect(report.checks.map(\.name).contains("readBook 200, new since main"))
    }

    @Test(arguments: [(true, ["variants/wrong-success"]), (false, [])])
    func `has a status that the client does not know`(_ isTaken: Bool, _ expected: [String]) async throws {
        let adapter = ReaderAdapter(
            ClientOperation("getBook") { reader in
                guard case .raw(let network) = reader.setting.network else { throw Reader.Problem.unreachable }
                let request = HTTPRequest(method: .get, target: "/book")
                let response = try await network.send(request, to: reader.setting.url, timeout: 10)
                let status = response.status.code
                if isTaken ? status != 404 : status == 200 { return .nothing }
                throw Reader.Problem.refused(status, reason: "")
            }
        )
        let more = Self.text.replacing(
            #""404": {"#,
            with: #""409": { "description": "It is lent." }, "404": {"#
        )
        let report = try await report(adapter, Self.text, more)
        #expect(findings(report) == expected, "\(report)")
    }

    @Test func `says what could not be tried`() async throws {
        let document = Self.lost.replacing(
            #""description": "Books.","#,
            with: #""description": "Books.", "headers": { "X-Total": { "schema": { "type": "string" } } },"#
        )
        let earlier = Self.text.replacing(
            #""description": "Books.","#,
            with: #""description": "Books.", "headers": { "X-Total": { "schema": { "type": "integer" } } },"#
        )
        let report = try await report(Self.book, earlier, document)
        let warnings = report.checks.flatMap(\.findings).filter { $0.severity == .warning }
        #expect(report.verdict == .held)
        #expect(warnings.contains { $0.message.hasSuffix("was not tested: header values are not tested") })
        #expect(
            warnings.contains { $0.message.hasSuffix("was not tested: the checked calls do not include GET /shelf") }
        )
        #expect(report.summary.last == "the changes do not break reader, as far as the changes could be tested")
    }
}
