import Basics
import ClientTesting
import TestSupport
import Testing

extension Clients {
    @Suite struct `A client of WhipIt in the matrix` {
        @Test func `does well without a bug`() async throws {
            let operations = Breadth.factor > 1 ? [] : Self.cases.map(\.operation)
            let result = try await WhipItTwinAdapter().responses(ResponseCheckOptions(operations: operations))
            #expect(result.findings == [], "\(result)")
        }

        private static let cases: [(bug: WhipItBug, operation: String, id: String)] = [
            (WhipItBug.w2, "getMyProfile", "responses/loop"), (.w10, "getPostPicture", "responses/not-replayed"),
            (.w11, "checkEmail", "responses/wrong-success"), (.w13, "getPosts", "responses/not-replayed"),
            (.n1, "getPost", "responses/refused-response"), (.n12, "withdraw", "responses/request"),
            (.n15, "getProfilePicture", "responses/request"),
        ]

        @Test(arguments: cases)
        func `is found out by its bug`(bug: WhipItBug, operation: String, id: String) async throws {
            let result = try await WhipItTwinAdapter(bugs: [bug]).responses(
                ResponseCheckOptions(operations: [operation])
            )
            #expect(result.findings.contains { $0.id == id }, "whipit/\(bug.rawValue.uppercased()): \(result)")
        }
    }
}

extension Clients {
    @Suite struct `A client of WhipIt with response variants` {
        @Test func `takes what the contract allows and nothing else`() async throws {
            let operations = Breadth.factor > 1 ? [] : ["getPosts"]
            let result = try await WhipItTwinAdapter().variants(VariantCheckOptions(operations: operations))
            #expect(result.findings == [], "\(result)")
        }

        @Test(
            arguments: [
                (WhipItBug.n1, "variants/refused-variant"), (.n2, "variants/refused-variant"),
                (.n3, "variants/refused-variant"),
                (.n5, "variants/refused-variant"), (.n9, "variants/changed-value"), (.n14, "variants/changed-value"),
            ]
        )
        func `is found out by its bug`(bug: WhipItBug, id: String) async throws {
            let result = try await WhipItTwinAdapter(bugs: [bug]).variants(
                VariantCheckOptions(operations: ["getPosts"])
            )
            #expect(Set(result.findings.map(\.id)) == [id], "whipit/\(bug.rawValue.uppercased()): \(result)")
        }
    }
}
