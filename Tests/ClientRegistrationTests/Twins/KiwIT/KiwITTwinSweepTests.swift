import Basics
import ClientTesting
import Testing

extension Clients {
    @Suite("A twin of kiwIT with response variants")
    struct KiwITTwinSweepTests {
        /// The row of the facts that tells of a mismatch, an operation that shows it, and what it is called.
        static let cases: [(row: String, bug: KiwITBug, operation: String, id: String)] = [
            ("kiwit/M1", .wantsAnswer, "toggleLectureKept", "variants/refused-variant"),
            ("kiwit/M2", .wantsTextualResult, "getKeptQuizzes", "variants/refused-variant"),
            ("kiwit/M4", .wantsPicture, "getTrophies", "variants/refused-variant"),
            ("kiwit/M6", .wantsLevel, "getLecturesOfLevel", "variants/refused-variant"),
            ("kiwit/M11", .wantsEmail, "signIn", "variants/refused-variant"),
            ("kiwit/M14", .knowsAllWords, "getTrophies", "variants/evolution"),
        ]

        @Test(arguments: cases)
        func `is found with a bug`(_ row: String, _ bug: KiwITBug, _ operation: String, _ id: String) async throws {
            let options = VariantCheckOptions(operations: [operation])
            let found = try await KiwITTwinAdapter([bug]).variants(options)
            #expect(found.findings.contains { $0.id == id }, "\(row): \(found)")
        }

        @Test func `has no finding without its bugs`() async throws {
            let operations = Array(Set(Self.cases.map(\.operation))).sorted()
            let result = try await KiwITTwinAdapter().variants(VariantCheckOptions(operations: operations))
            #expect(result.findings == [], "\(result)")
        }
    }
}
