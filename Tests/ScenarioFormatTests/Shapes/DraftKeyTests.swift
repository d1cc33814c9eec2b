import Foundation
import TestSupport
import Testing

@testable import ScenarioFormat

/// Generated files have keys of the format alone, and only `ScenarioFormat` writes their names.
@Suite struct `A key of a generated file` {
    private static let shapes: [(keys: Set<String>, objects: [ObjectShape])] = [
        (
            names(DraftKeys.Scenario.self),
            [ScenarioKeys.shape, ClockKeys.shape, DefaultsKeys.shape, CollectionKeys.shape]
        ),
        (
            names(DraftKeys.Tokens.self),
            [TokensKeys.shape, TokenKindKeys.shape, RotationKeys.shape, RequirementKeys.shape]
        ),
        (names(DraftKeys.Carrier.self), [HeaderCarrierKeys.shape, BodyCarrierKeys.shape, QueryCarrierKeys.shape]),
        (names(DraftKeys.Issuer.self), [IssuerKeys.shape, IssuerClientKeys.shape]),
        (names(DraftKeys.Route.self), [RouteKeys.shape, BranchKeys.shape]),
        (
            names(DraftKeys.Delivery.self),
            [
                FixedLatencyKeys.shape, UniformLatencyKeys.shape, LogNormalLatencyKeys.shape, LogNormalKeys.shape,
                DribbleKeys.shape,
            ]
        ),
        (names(DraftKeys.Cookie.self), [CookieKeys.shape]),
        (names(DraftKeys.Condition.self), [ConditionKeys.shape, BasicTestKeys.shape]),
        (names(DraftKeys.Matcher.self), [MatcherKeys.shape]),
        (names(DraftKeys.Selection.self), [SelectionKeys.shape, PageNumberKeys.shape]),
        (
            names(DraftKeys.Expectation.self),
            [RequestExpectationKeys.shape, AfterExchangeKeys.shape, ClientExpectationKeys.shape, CountKeys.shape]
        ),
        (names(DraftKeys.Gate.self), [HoldKeys.shape, AnsweredKeys.shape]),
    ]

    private static func names<Key: DraftKey>(_ keys: Key.Type) -> Set<String> {
        Set(Key.allCases.map { $0.rawValue })
    }

    @Test(arguments: shapes.indices)
    func `is declared by its object`(index: Int) {
        let (keys, objects) = Self.shapes[index]
        #expect(keys.subtracting(objects.flatMap(\.keys).map(\.name)) == [])
    }

    @Test func `is declared by an event`() {
        let times =
            [HistoryKeys.ago, HistoryKeys.at].map(\.name) + [HistoryKeys.after.name, ResponseKeys.optional.name]
        let declared = Event.objects.flatMap { $0.shape.keys.map(\.name) } + times
        #expect(Self.names(DraftKeys.Event.self).subtracting(declared) == [])
    }

    /// The files that generate scenario files, with the names in other objects that they write.
    private static let writers: [String: Set<String>] = [
        "BacklotTestServer/Stories": [],
        "Checking/Init": ["access", "id", "name", "password", "refresh", "text", "title"],
        "Checking/Traffic/BackendMaker": ["user"],
        "Checking/Traffic/CapturedFields": [],
        "Checking/Traffic/ImportedBackend": [],
        "Checking/Serving/ContractIssuer": ["password", "user"],
        "Checking/Traffic/Stubs": ["id", "item", "path"],
        "StoryRunning/Explore/Exploration": [],
        "StoryRunning/Explore/ExplorePlan": ["client"],
        "StoryRunning/Explore/Perturbation": [],
        "StoryRunning/Reporting/SessionDocument": [],
    ]

    @Test(arguments: writers.keys.sorted())
    func `is written by its declaration`(prefix: String) throws {
        let names = Set(ObjectShape.all.flatMap(\.keys).map(\.name)).subtracting(Self.writers[prefix] ?? [])
        let sources = URL(filePath: "\(Project.folder)/Sources")
        let member = try Regex(#"(?:^\s*|[\[,(]\s*)"([$A-Za-z]+)": |\["([$A-Za-z]+)"\] = "#)
        var found: [String] = []
        var count = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path())
        where file.hasPrefix(prefix) && file.hasSuffix(".swift") {
            count += 1
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            for line in text.split(separator: "\n") where !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") {
                for match in line.matches(of: member) {
                    let name = String(match.output[1].substring ?? match.output[2].substring ?? "")
                    if names.contains(name) { found.append("\(file): \(name)") }
                }
            }
        }
        #expect(count > 0)
        #expect(found == [])
    }
}
