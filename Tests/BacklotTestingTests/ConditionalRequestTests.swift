import Foundation
import TestSupport
import Testing

@testable import BacklotTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Clients that ask again for what they have already loaded.
@Suite struct `A conditional request` {
    @Test(
        arguments: [
            (Habit.keepsValue, nil), (.keepsNothing, nil), (.letsCallerChoose, nil),
            (
                .throwsNotModified,
                "warning responses/refused-response: getNews sends a conditional request when it asks again"
            ),
            (
                .returnsEmptyValue,
                "warning responses/wrong-success: getNews sends a conditional request when it asks again"
            ),
        ] as [(Habit, String?)]
    )
    func `leads to the same value again`(habit: Habit, finding: String?) async throws {
        let report = try await Self.client(habit).testDocumentedResponses()
        let found = report.findings.map { "\($0.severity) \($0.id): \($0.message)" }
        #expect(report.passed && found.count == (finding == nil ? 0 : 1), "\(report)")
        if let finding { #expect(found.first?.hasPrefix(finding) == true, "\(found)") }
    }

    @Test func `may have no value where the adapter says so`() async throws {
        let client = try Self.client(.returnsEmptyValue) {
            $0.answering(304, because: "the list shows the stored news")
        }
        let report = try await client.testDocumentedResponses()
        #expect(report.findings.isEmpty, "\(report)")
    }

    @Test(arguments: [nil, 100, 0]) func `gets the part that it asks for, and the whole without a range`(offset: Int?)
        async throws
    {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            { "openapi": "3.1.0", "info": { "title": "Files", "version": "1" }, "paths": { "/file": { "get": {
              "operationId": "getFile",
              "parameters": [{ "name": "Range", "in": "header", "schema": { "type": "string" } }],
              "responses": {
                "200": { "description": "A", "content": { "application/octet-stream": {} } },
                "206": { "description": "A", "content": { "application/octet-stream": {} }, "headers": {
                  "Content-Range": { "required": true, "schema": { "pattern": "^bytes 7-[0-9]+/[0-9]+$" } } } } } } } } }
            """,
            to: "openapi.json"
        )
        let client = ClientUnderTest<TestSetting>("Files", contract: folder.path + "/openapi.json") { setting in
            setting
        } session: { _ in
            .none
        } calls: {
            Call("getFile") { (setting: TestSetting) in
                var request = URLRequest(url: setting.url.appendingPathComponent("file"))
                if let offset { request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range") }
                let (_, response) = try await setting.send(request)
                let range = response.value(forHTTPHeaderField: "Content-Range") ?? ""
                switch response.statusCode {
                case 200: break
                case 206:
                    guard let offset, range.hasPrefix("bytes \(offset)-") else { throw URLError(.cannotParseResponse) }
                default: throw URLError(.badServerResponse)
                }
            }
        }
        let report = try await client.testDocumentedResponses()
        #expect(report.passed && report.checkCount > 5, "\(report)")
    }

    enum Habit: Sendable {
        case keepsValue, keepsNothing, letsCallerChoose, throwsNotModified, returnsEmptyValue
    }

    private static func client(
        _ habit: Habit,
        changing change: (Call<NewsClient>) -> Call<NewsClient> = { $0 }
    ) throws -> ClientUnderTest<NewsClient> {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            { "openapi": "3.1.0", "info": { "title": "News", "version": "1" }, "paths": { "/news": { "get": {
              "operationId": "getNews",
              "parameters": [{ "name": "If-None-Match", "in": "header", "schema": { "type": "string" } }],
              "responses": {
                "200": { "description": "A", "content": { "application/json": { "schema": {
                  "type": "array", "items": { "type": "string" }, "minItems": 1 } } } },
                "304": { "description": "Unchanged" } } } } } }
            """,
            to: "openapi.json"
        )
        let call = Call("getNews") { (client: NewsClient) in try await client.news() }
        return ClientUnderTest("News", contract: folder.path + "/openapi.json") { setting in
            withExtendedLifetime(folder) { NewsClient(setting, habit) }
        } session: { _ in
            .none
        } calls: {
            change(call)
        }
    }
}

private actor NewsClient {
    struct NotModified: Error {}

    private let setting: TestSetting
    private let habit: `A conditional request`.Habit
    private var stored: (tag: String, news: [String])?

    init(_ setting: TestSetting, _ habit: `A conditional request`.Habit) {
        (self.setting, self.habit) = (setting, habit)
    }

    func news() async throws -> [String]? {
        var request = URLRequest(url: setting.url.appendingPathComponent("news"))
        let tag = habit == .letsCallerChoose ? #""of the caller""# : stored?.tag
        request.setValue(tag, forHTTPHeaderField: "If-None-Match")
        let (data, response) = try await setting.send(request)
        switch response.statusCode {
        case 200:
            let news = try JSONDecoder().decode([String].self, from: data)
            if habit != .keepsNothing, let tag = response.value(forHTTPHeaderField: "ETag") { stored = (tag, news) }
            return news
        case 304:
            switch habit {
            case .keepsValue: return stored?.news
            case .returnsEmptyValue: return nil
            default: throw NotModified()
            }
        default: throw URLError(.badServerResponse)
        }
    }
}
