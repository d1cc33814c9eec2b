import Basics
import ClientTesting
import Testing

extension Clients {
    @Suite(.timeLimit(.minutes(15))) struct `A client of WhipIt in the matrix` {
        @Test func `does well without a bug`() async throws {
            let result = try await WhipItTwinAdapter().matrix()
            #expect(result.findings == [], "\(result)")
        }

        @Test(
            arguments: [
                (WhipItBug.w2, "getMyProfile", "matrix/loop"), (.w10, "getPostPicture", "matrix/not-replayed"),
                (.w11, "checkEmail", "matrix/wrong-success"), (.w13, "getPosts", "matrix/not-replayed"),
                (.n1, "getPost", "matrix/refused-answer"), (.n12, "withdraw", "matrix/request"),
                (.n15, "getProfilePicture", "matrix/request"),
            ]
        )
        func `is found out by its bug`(bug: WhipItBug, operation: String, id: String) async throws {
            let result = try await WhipItTwinAdapter(bugs: [bug]).matrix(MatrixOptions(operations: [operation]))
            #expect(result.findings.contains { $0.id == id }, "whipit/\(bug.rawValue.uppercased()): \(result)")
        }
    }
}

extension Clients {
    @Suite(.timeLimit(.minutes(15))) struct `A client of WhipIt in the sweep` {
        @Test func `takes what the contract allows and nothing else`() async throws {
            let result = try await WhipItTwinAdapter().sweep()
            #expect(result.findings == [], "\(result)")
        }

        @Test(
            arguments: [
                (WhipItBug.n1, "sweep/refused-variant"), (.n2, "sweep/refused-variant"), (.n3, "sweep/refused-variant"),
                (.n5, "sweep/refused-variant"), (.n9, "sweep/changed-value"), (.n14, "sweep/changed-value"),
            ]
        )
        func `is found out by its bug`(bug: WhipItBug, id: String) async throws {
            let result = try await WhipItTwinAdapter(bugs: [bug]).sweep(SweepOptions(operations: ["getPosts"]))
            #expect(Set(result.findings.map(\.id)) == [id], "whipit/\(bug.rawValue.uppercased()): \(result)")
        }
    }
}
