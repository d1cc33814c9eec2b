import Basics
import ClientTesting
import TestSupport
import Testing

extension Clients {
    @Suite("A twin of kiwIT in the matrix")
    struct KiwITTwinMatrixTests {
        @Test func `takes every response for what it is without its bugs`() async throws {
            let operations = Breadth.factor > 1 ? [] : Array(Set(Self.cases.map(\.operation))).sorted()
            let result = try await KiwITTwinAdapter().responses(ResponseCheckOptions(operations: operations))
            #expect(result.findings.isEmpty, "\(result)")
        }

        /// The row of the facts that tells of a bug, an operation that shows it, and what it is called.
        static let cases: [(row: String, bug: KiwITBug, operation: String, id: String)] = [
            ("kiwit/T2", .renewsForever, "getProfile", "responses/loop"),
            ("kiwit/T3", .swallowsFaults, "getLevels", "responses/hang"),
            ("kiwit/T5", .replaysAnother, "getSolvedQuizGroups", "responses/wrong-operation"),
            ("kiwit/T7", .letsInWithoutTokens, "signIn", "responses/session-lost"),
            ("kiwit/T8", .keepsOldTokens, "getProfile", "responses/tokens-changed"),
            ("kiwit/M5", .asksForOldTrophies, "getMyTrophies", "responses/request"),
            ("kiwit/M15", .wantsBody, "startInterview", "responses/refused-response"),
        ]

        @Test(arguments: cases)
        func `is found with a bug`(_ row: String, _ bug: KiwITBug, _ operation: String, _ id: String) async throws {
            let result = try await KiwITTwinAdapter([bug]).responses(ResponseCheckOptions(operations: [operation]))
            #expect(result.findings.contains { $0.id == id }, "\(row): \(result)")
        }
    }
}
