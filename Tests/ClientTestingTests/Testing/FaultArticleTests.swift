import ClientTesting
import StoryRunning
import TestSupport
import Testing

/// The article on documented responses and variants explains what there is to be found, all of it and nothing else.
@Suite struct `The article on documented responses and variants` {
    /// The rows of its tables whose first cell is an id such as `responses/hang`, by the id's group.
    private func rows(of group: String) throws -> [[String]] {
        let path = "\(Project.folder)/Sources/Guides/Guides.docc/responses-and-variants.md"
        return try Golden.text(of: path).split(separator: "\n")
            .filter { $0.hasPrefix("| `\(group)/") }
            .map { line in line.split(separator: " | ").map { $0.filter { !"|`".contains($0) }.trimmed } }
    }

    @Test(arguments: [
        ("responses", ResponseCheckFault.allCases.map(\.rawValue)),
        ("variants", VariantCheckFault.allCases.map(\.rawValue)),
        ("client", ClientFault.allCases.map(\.rawValue)), ("urlsession", PlatformFact.all.map(\.id)),
    ])
    func `has every id once, and no other`(group: String, ids: [String]) throws {
        #expect(try rows(of: group).map { $0.first ?? "" }.sorted() == ids.sorted())
    }

    @Test(arguments: ["responses", "variants", "client"])
    func `says of each finding what it means and what to do`(group: String) throws {
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
