import Basics
import JSON
import JSONSchema
import TestSupport
import Testing

@testable import ScenarioFormat

/// Small files that are right or wrong in their shape alone, of which the schema for editors says the same as the
/// loader.
@Suite
struct `Shapes` {
    @Test(arguments: texts(of: "backends"))
    func `of backends are judged as the schema judges them`(text: String, isRight: Bool) throws {
        let root = try JSONParser().parse(text).root
        var checker = ShapeChecker(sources: SourceMap())
        checker.check(root, against: .object(Scenario.self))
        let routes = Optional(root["routes"] ?? .null).memberNames
        let areRoutes = routes.allSatisfy { (try? RouteKey(parsing: $0)) != nil }
        #expect((checker.findings.isEmpty && areRoutes && root["backend"] != nil) == isRight, "\(checker.findings)")
        #expect(try Self.schema.get().accepts(root) == isRight)
    }

    @Test(arguments: texts(of: "stories"))
    func `of stories are judged as the schema judges them, with their backend or without`(
        text: String,
        isRight: Bool
    ) throws {
        let story = try JSONParser().parse(text).root
        var alone = ShapeChecker(sources: SourceMap(), isPatch: true)
        alone.check(story, against: .object(Scenario.self))
        #expect(alone.findings.isEmpty == isRight, "\(alone.findings)")

        var merger = ShapeMerger(sources: SourceMap())
        let base = try JSONParser().parse(Self.base).root
        var whole = ShapeChecker(sources: SourceMap())
        whole.check(
            merger.merge(story, over: base, along: .object(Scenario.self)),
            against: .object(Scenario.self)
        )
        #expect(whole.findings.isEmpty == isRight, "\(whole.findings)")
        #expect(try Self.schema.get().accepts(story) == isRight)
    }

    /// What editors go by.
    static let schema = Result { try Schema.compile(ShapeSchema.document) }

    /// A backend that has something of everything for stories to change.
    static let base = """
        { "backend": "B", "exceptions": { "B1": "because" },
          "tokens": { "kinds": { "a": { "lifetime": "1h", "in": { "header": "X", "scheme": "S" } } } },
          "defaults": { "latency": { "fixed": "1s" } },
          "origins": { "x": { "routes": { "GET /a": { "text": "x" } }, "accepts": ["a"] } },
          "hold": { "until": { "answered": "GET /b", "status": 200 }, "quiet": "1s", "when": { "query": { "a": 1 } } },
          "routes": { "GET /a": { "fixture": "a.json", "fault": { "kind": "reset" } } } }
        """

    /// The lines of a file in `Texts`: `right` or `wrong`, and a scenario.
    private static func texts(of name: String) -> [(String, Bool)] {
        let path = FilePath.join(FilePath.folder(of: #filePath), "Texts/\(name).txt")
        return ((try? Golden.text(of: path)) ?? "").split(separator: "\n").map { line in
            (String(line.dropFirst("right ".count)), line.hasPrefix("right "))
        }
    }

    @Test func `are there of both kinds`() {
        for name in ["backends", "stories"] {
            let texts = Self.texts(of: name)
            #expect(texts.count { $0.1 } > 20 && texts.count { !$0.1 } > 20)
        }
    }
}
