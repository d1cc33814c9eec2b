import Foundation
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import Testing

/// Edits of a contract while the server runs.
@Suite(.timeLimit(.minutes(15)))
struct ContractReloadTests {
    @Test func `A good contract is live, and a broken one changes nothing and says what is wrong`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "openapi.json")
        func write(_ text: String) throws { try text.write(to: file, atomically: true, encoding: .utf8) }
        try write(ContractExample.contract)
        try await withStub(try ScenarioLibrary(file.path), { $0.watchesFiles = true }) { stub in
            func look() async { for _ in 0..<4 { await stub.pass(.milliseconds(60)) } }
            let client = try stub.client()
            #expect(try client.get("/health").text == #"{"ok":true}"#)
            try write("{ \"openapi\": \"3.1.0\",\n  \"paths\": ")
            await look()
            #expect(stub.log.text.contains("openapi.json:2:") && stub.log.text.contains("kept the last valid version"))
            #expect(try client.get("/health").text == #"{"ok":true}"#)
            let parts = ContractExample.contract.split(separator: #""const": { "ok": true }"#)
            try write(parts.joined(separator: #""const": { "ok": "fixed" }"#))
            await look()
            #expect(try client.get("/health").text == #"{"ok":"fixed"}"#)
        }
    }
}
