import TestSupport
import Testing

@testable import ReferenceClients

/// The proof that rules find what they are for, and nothing else.
@Suite struct `The matrix of bugs and clients` {
    @available(macOS 15, iOS 18, *)
    private static let measured = Task { try await Matrix.measure() }
    private static let golden = Project.folder + "/Tests/ReferenceClientTests/Golden/matrix.txt"

    @Test func `has a case for every class of bug`() {
        #expect(BugCase.all.compactMap(\.bug).sorted { $0.rawValue < $1.rawValue } == Bug.allCases)
    }

    @available(macOS 15, iOS 18, *)
    @Test func `shows every bug in every client by its own rule`() async throws {
        let matrix = try await Self.measured.value
        for cell in matrix.cells where cell.caught < cell.counted {
            Issue.record(
                "\(cell.bug) in \(cell.design): \(cell.caught)/\(cell.counted), not by seed \(cell.missedSeed ?? 0)"
            )
        }
    }

    @available(macOS 15, iOS 18, *)
    @Test func `counts at least half of all schedules`() async throws {
        let matrix = try await Self.measured.value
        for cell in matrix.cells { #expect(cell.counted >= cell.raceless, "\(cell.bug) in \(cell.design)") }
        for row in matrix.correct { #expect(row.races >= row.raceless, "\(row.design)") }
    }

    @available(macOS 15, iOS 18, *)
    @Test func `shows no other rule than those that were declared`() async throws {
        let matrix = try await Self.measured.value
        for cell in matrix.cells {
            for number in cell.otherNumbers where !DeclaredHit.isDeclared(number, in: cell) {
                Issue.record("\(cell.bug) in \(cell.design) is also called \(number)")
            }
        }
    }

    @available(macOS 15, iOS 18, *)
    @Test func `has every declared hit`() async throws {
        let matrix = try await Self.measured.value
        for hit in DeclaredHit.all {
            let isThere = hit.designs.allSatisfy { matrix[hit.bug, $0]?.others[hit.rule] != nil }
            #expect(isThere, "\(hit.bug) is not called \(hit.rule) everywhere any more")
        }
    }

    @available(macOS 15, iOS 18, *)
    @Test(arguments: ClientDesign.allCases)
    func `has no false alarm`(_ design: ClientDesign) async throws {
        let matrix = try await Self.measured.value
        let row = try #require(matrix.correct.first { $0.design == design })
        #expect(row.races >= 100)
        // The first of each case is enough to begin with.
        for bugCase in BugCase.all {
            let alarms = row.alarms.filter { $0.bugCase == bugCase.title }
            if let first = alarms.first { Issue.record("\(alarms.count) in all, the first: \(first.words)") }
        }
    }

    @available(macOS 15, iOS 18, *)
    @Test(.enabled(if: Matrix.breadth == 1, "the file tells of the usual number of schedules"))
    func `is what people read`() async throws {
        let text = try await Self.measured.value.text
        Attachment.record(text, named: "matrix.txt")
        if Golden.isUpdated { try Golden.update(Self.golden, to: text) }
        #expect(text == (try? Golden.text(of: Self.golden)))
    }
}
