import Basics
import ClientTesting
import Foundation
import HTTPCodec
import Testing

/// Clients that throw because a successful response has a member `error`.
@Suite struct `An error in a successful response` {
    private struct Reply: Codable {
        struct Problem: Codable {
            var code: Int
        }

        var value: Int
        var error: Problem?
    }

    /// As ``Reply``, with an error that no server sends.
    private struct OtherReply: Codable {
        var value: Int
        var error: Bool?
    }

    private enum Failure: Error {
        case reported(Int)
        case unreadable
    }

    private static let document = """
        { "openapi": "3.1.0", "info": { "title": "A", "version": "1" },
          "paths": { "/thing": { "get": { "operationId": "getThing", "responses": { "200": { "description": "A",
            "content": { "application/json": { "schema": {
              "type": "object", "required": ["value"],
              "properties": {
                "value": { "type": "integer", "maximum": 9 },
                "note": { "type": "string" },
                "error": { "type": "object", "required": ["code"], "properties": { "code": { "type": "integer" } } }
              }
            } } } } } } } } }
        """

    private func findings(
        drops: [ClientOperation<Reader>.Drop] = [.init("note", "no screen shows it")],
        of value: @escaping @Sendable (Reader, [UInt8]) throws -> CallValue
    ) async throws -> [String] {
        let operation = ClientOperation<Reader>("getThing", drops: drops) { reader in
            try value(reader, try await reader.body(.get, "/thing"))
        }
        return try await ReaderAdapter(operation).checkVariants(Self.document).findings.map(\.description)
    }

    @Test func `may end the call, and the other variants are served without it`() async throws {
        let found = try await findings { reader, body in
            let reply = try reader.value(Reply.self, body)
            if let error = reply.error { throw Failure.reported(error.code) }
            return .json(Array(try JSONEncoder().encode(reply)))
        }
        #expect(found == [])
        let lossy = try await findings(drops: []) { reader, body in
            let reply = try reader.value(Reply.self, body)
            if let error = reply.error { throw Failure.reported(error.code) }
            return .json(Array(try JSONEncoder().encode(reply)))
        }
        #expect(lossy.count == 1 && lossy[0].contains("getThing changes /note"), "\(lossy)")
    }

    @Test func `is a finding for a client that cannot read it`() async throws {
        let found = try await findings { reader, body in
            do {
                return .json(Array(try JSONEncoder().encode(try reader.value(OtherReply.self, body))))
            } catch {
                throw Failure.unreadable
            }
        }
        #expect(found.contains { $0.contains("getThing rejects a 200 response that the contract allows") }, "\(found)")
    }
}
