import Basics
import Testing

struct GroupedFindingsTests {
    private func finding(
        _ line: Int,
        _ message: String = "a",
        id: String = "x/y",
        _ severity: Finding.Severity = .error
    )
        -> Finding
    {
        Finding(severity, id: id, message, at: Place(file: "f", position: TextPosition(line: line, column: 1)))
    }

    @Test func `Equal findings are one from four on, with all places`() {
        #expect([finding(1), finding(2), finding(3)].grouped == [finding(1), finding(2), finding(3)])
        let found = [finding(1), finding(2, "b"), finding(3), finding(4), finding(5)].grouped
        #expect(found.map(\.message) == ["a (and at 3 more places)", "b"])
        #expect(found[0].related.map(\.place.position?.line) == [3, 4, 5])
        #expect(found[0].related.allSatisfy { $0.message == "here too" })
    }

    @Test func `Findings that differ in anything but the place stay apart`() {
        let all = [
            finding(1), finding(2, id: "x/z"), finding(3, "a", id: "x/y", .warning), finding(4, "b"), finding(5),
        ]
        #expect(all.grouped == all)
        var related = (1...5).map { finding($0) }
        for number in related.indices { related[number].related = [RelatedPlace(Place(file: "g"), "there")] }
        #expect(related.grouped == related)
    }

    @Test func `References to one missing thing are one from two on`() {
        let found = [1, 2].map { finding($0, "\"a\" is missing", id: "contract/unresolvable-reference") }.grouped
        #expect(found.map(\.message) == ["\"a\" is missing (and at 1 more place)"])
    }

    @Test(arguments: [(8, 8), (9, 4), (900, 4)])
    func `A reader is shown the first of many places`(count: Int, lines: Int) {
        let found = (0...count).map { finding($0 + 1) }.grouped
        #expect(found[0].related.count == count)
        #expect(found[0].relatedLines.count == lines)
        #expect(found[0].relatedLines.last?.hasPrefix("… and") == (count > 8))
    }
}
