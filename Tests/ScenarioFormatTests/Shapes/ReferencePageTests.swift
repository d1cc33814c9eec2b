import Basics
import JSON
import TestSupport
import Testing

@testable import ScenarioFormat

@Suite
struct `The reference of the format` {
    private static let path = Project.scenarios + "/README.md"

    @Test
    func `lies beside the scenarios as the declarations would write it`() throws {
        let text = ReferencePage.text
        if Golden.isUpdated { try Golden.update(Self.path, to: text) }
        let isSame = try Golden.text(of: Self.path) == text
        #expect(isSame, "run BACKLOT_UPDATE=1 swift test, or backlot schema --reference > Scenarios/README.md")
    }

    @Test(arguments: ObjectShape.all.map(\.name))
    func `shows for every key an example that has the key's shape`(name: String) throws {
        let shape = try #require(ObjectShape.all.first { $0.name == name })
        for key in shape.keys {
            var checker = ShapeChecker(sources: SourceMap(), isPatch: shape.merging == .change)
            checker.check(key.sample, against: key.shape)
            #expect(checker.findings.isEmpty, "\(name).\(key.name): \(checker.findings)")
            let isAnything = if case .anything = key.shape { true } else { false }
            #expect(!key.sample.isNull || isAnything, "\(name).\(key.name) has no example")
            #expect(key.summary.hasSuffix("."), "\(name).\(key.name): \(key.summary)")
        }
    }

    @Test
    func `has an entry for every object`() {
        let headings = Set(ReferencePage.text.split(separator: "\n").filter { $0.hasPrefix("### ") }.map(String.init))
        #expect(headings == Set(ObjectShape.all.map { "### \($0.name)" }))
    }

    @Test
    func `links only to headings that it has`() {
        let headings = ReferencePage.text.split(separator: "\n").filter { $0.hasPrefix("#") }
            .map { $0.drop { $0 == "#" || $0 == " " }.lowercased().map { $0 == " " ? "-" : $0 } }
        let known = Set(headings.map { String($0) })
        #expect(known.count == headings.count, "two headings are the same")
        for link in ReferencePage.text.split(separator: "](#").dropFirst() {
            let anchor = String(link.prefix { $0 != ")" })
            #expect(known.contains(anchor), "\(anchor)")
        }
    }
}
