import ClientTesting
import StoryRunning
import TestSupport
import Testing

/// The guides to documented responses and to variants explain every finding, and no other.
@Suite struct `The guides to findings about a client` {
    /// The rows of their tables whose first cell is an id such as `responses/hang`, by the id's group.
    private func rows(of group: String) throws -> [[String]] {
        try ["documented-responses", "response-variants"].flatMap { name in
            try Golden.text(of: "\(Project.folder)/Sources/Guides/Guides.docc/\(name).md").split(separator: "\n")
        }
        .filter { $0.hasPrefix("| `\(group)/") }
        .map { line in line.split(separator: " | ").map { $0.filter { !"|`".contains($0) }.trimmed } }
    }

    @Test(arguments: [
        ("responses", ResponseCheckFault.allCases.map(\.rawValue)),
        ("variants", VariantCheckFault.allCases.map(\.rawValue)),
        ("client", ClientFault.allCases.map(\.rawValue)), ("urlsession", PlatformFact.all.map(\.id)),
    ])
    func `have every id once, and no other`(group: String, ids: [String]) throws {
        #expect(try rows(of: group).map { $0.first ?? "" }.sorted() == ids.sorted())
    }

    @Test(arguments: ["responses", "variants", "client"])
    func `explain each finding and its remedy`(group: String) throws {
        for row in try rows(of: group) {
            #expect(row.count == 3 && row.allSatisfy { $0.count > 9 }, "\(row)")
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
