import Basics
import ClientTesting
import Foundation
import HTTPCodec
import JSON
import Testing

@Suite struct `A checkVariants call` {
    @Test func `is held against the value in its envelope`() async throws {
        let adapter = ReaderAdapter(
            ClientOperation("getShelf", root: JSONPointer(tokens: ["data"])) { reader in
                let shelf = try reader.value(Entry<Book>.self, try await reader.body(.get, "/shelf"))
                return .json(Array(try JSONEncoder().encode(shelf.data)))
            }
        )
        let result = try await adapter.checkVariants()
        #expect(result.findings == [], "\(result)")
    }

    @Test func `has to take a response without a body`() async throws {
        let adapter = ReaderAdapter(
            ClientOperation("returnBook") { reader in
                _ = try reader.value(Book.self, try await reader.body(.post, "/book/return"))
                return .nothing
            }
        )
        let result = try await adapter.checkVariants()
        #expect(result.findings.map(\.id) == ["variants/refused-variant"])
        #expect(
            result.findings.first?.message
                .contains("a 204 response that the contract allows, in which the body is empty")
                == true
        )
    }

    @Test func `that returns nothing has kept nothing`() async throws {
        let adapter = ReaderAdapter(
            ClientOperation("getBook") { reader in
                _ = try await reader.body(.get, "/book")
                return .nothing
            }
        )
        let result = try await adapter.checkVariants()
        let changed = result.findings.filter { $0.id == "variants/changed-value" }
        #expect(changed.map(\.message) == ["getBook returns nothing for 200, so the members of the body are lost"])
    }

    @Test func `ends with the same error whatever a refusal says`() async throws {
        let adapter = ReaderAdapter(
            ClientOperation("getBook") { reader in
                do {
                    let value = try reader.value(Book.self, try await reader.body(.get, "/book"))
                    return .json(Array(try JSONEncoder().encode(value)))
                } catch Reader.Problem.refused(_, let reason) where reason.isEmpty {
                    throw CancellationError()
                }
            }
        )
        let result = try await adapter.checkVariants()
        #expect(result.findings.map(\.id) == ["variants/refused-variant"])
        #expect(
            result.findings.first?.message
                == "getBook, answered with 404, ends with CancellationError() if /reason is empty, "
                + "but otherwise with refused(404)"
        )
    }

    @Test func `may repeat the server's words in its error, and tell the codes of a list apart`() async throws {
        let document = Library.document.replacing(
            "\"code\": { \"type\": [\"string\", \"null\"] }",
            with: "\"code\": { \"enum\": [\"gone\", \"lost\"] }"
        )
        let adapter = QuotingAdapter()
        let options = VariantCheckOptions(refusalVariants: 200)
        let result = await VariantCheck(adapter, contract: try Library.contract(document), options).run()
        #expect(result.findings == [], "\(result)")
        let outcomes = result.answers.flatMap(\.outcomes).map(\.outcome)
        #expect(outcomes.contains { $0.hasPrefix("gone(") }, "\(outcomes)")
    }

    @Test func `that never ends is left behind`() async throws {
        let adapter = ReaderAdapter(
            ClientOperation("returnBook") { reader in
                _ = try await reader.body(.post, "/book/return")
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                return .nothing
            }
        )
        let result = try await adapter.checkVariants()
        #expect(result.findings.map(\.id) == ["variants/refused-variant"])
        #expect(result.findings.first?.message.contains("the call never ends") == true)
    }

    @Test func `that goes on and on is left behind`() async throws {
        let adapter = ReaderAdapter(
            ClientOperation("returnBook") { reader in
                while true { _ = try await reader.body(.post, "/book/return") }
            }
        )
        let result = try await adapter.checkVariants()
        #expect(result.findings.first?.message.contains("the call repeats its request") == true)
    }

    @Test func `must be a call of its operation`() async throws {
        let adapter = ReaderAdapter(
            ClientOperation("getBook") { reader in
                _ = try await reader.body(.get, "/shelf")
                return .nothing
            }
        )
        let result = try await adapter.checkVariants()
        #expect(result.findings.map(\.id) == ["variants/not-sent"])
        #expect(result.answers.allSatisfy { $0.skipped == "the client does not send the request" })
    }

    @Test func `chooses operations and checks by patterns`() async throws {
        let adapter = ReaderAdapter("getBook", "/book", as: LaxBook.self)
        let contract = try Library.contract()
        let others = await VariantCheck(adapter, contract: contract, VariantCheckOptions(operations: ["returnBook"]))
            .run()
        #expect(others.answers.isEmpty)
        let checks = await VariantCheck(adapter, contract: contract, VariantCheckOptions(checks: ["variants/ch*"]))
            .run()
        #expect(checks.findings == [])
        #expect(checks.calls > 40)
    }

    @Test func `comes to the same every time`() async throws {
        let adapter = ReaderAdapter("getBook", "/book", as: StrictBook.self)
        let (first, second) = (try await adapter.checkVariants(), try await adapter.checkVariants())
        #expect(first.findings == second.findings)
        #expect(first.calls == second.calls)
    }
}

/// A client whose errors say what the server has said.
private struct QuotingAdapter: ClientAdapter {
    enum Problem: Error {
        case gone(String)
        case other(String, code: String?)
    }

    let name = "quoting"
    let contract = "openapi.json"

    var operations: [ClientOperation<ClientSetting>] {
        [
            ClientOperation("getBook") { setting in
                guard case .raw(let network) = setting.network else { return .nothing }
                let answer = try await network.send(HTTPRequest(target: "/book"), to: setting.url, timeout: 9)
                if answer.status == 200 {
                    let book = try JSONDecoder().decode(Book.self, from: Data(answer.body))
                    return .json(Array(try JSONEncoder().encode(book)))
                }
                let body = try JSONParser().parse(answer.body).root
                let reason = body["reason"]?.string ?? ""
                if body["code"]?.string == "gone" { throw Problem.gone(reason) }
                throw Problem.other(reason, code: body["code"]?.string)
            }
        ]
    }

    func makeClient(_ setting: ClientSetting) async throws -> ClientSetting { setting }

    func session(of client: ClientSetting) async -> ObservedSession { ObservedSession(isSignedIn: false, tokens: [:]) }
}
