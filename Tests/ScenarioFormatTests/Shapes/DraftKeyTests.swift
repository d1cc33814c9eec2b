import Foundation
import TestSupport
import Testing

@testable import ScenarioFormat

/// Generated files have keys of the format alone, and only `ScenarioFormat` writes their names.
@Suite struct `A key of a generated file` {
    private static let objects: [(keys: Set<String>, names: [String])] = [
        (names(DraftKeys.Scenario.self), ["scenario", "clock", "defaults", "collection"]),
        (names(DraftKeys.Tokens.self), ["tokens", "tokenKind", "rotation", "requirement"]),
        (names(DraftKeys.Carrier.self), ["headerCarrier", "bodyCarrier", "queryCarrier"]),
        (names(DraftKeys.Issuer.self), ["issuer", "issuerClient"]),
        (names(DraftKeys.Route.self), ["route", "branch"]),
        (
            names(DraftKeys.Delivery.self),
            ["fixedLatency", "uniformLatency", "logNormalLatency", "logNormal", "dribble"]
        ),
        (names(DraftKeys.StreamEvent.self), ["streamEvent"]),
        (names(DraftKeys.WebSocket.self), ["webSocket"]),
        (names(DraftKeys.Cookie.self), ["cookie"]), (names(DraftKeys.CrossOrigin.self), ["crossOrigin"]),
        (names(DraftKeys.Condition.self), ["condition", "basicTest"]),
        (names(DraftKeys.Matcher.self), ["matcher"]),
        (names(DraftKeys.Selection.self), ["selection", "pageNumber"]),
        (
            names(DraftKeys.Expectation.self),
            ["requestExpectation", "afterExchange", "clientExpectation", "count"]
        ),
        (names(DraftKeys.Gate.self), ["hold", "answered"]),
    ]

    private static func names<Key: DraftKey>(_ keys: Key.Type) -> Set<String> {
        Set(Key.allCases.map { $0.rawValue })
    }

    @Test(arguments: objects.indices)
    func `is declared by its object`(index: Int) throws {
        let (keys, names) = Self.objects[index]
        let shapes = try names.map { name in try #require(ObjectShape.all.first { $0.name == name }, "\(name)") }
        #expect(keys.subtracting(shapes.flatMap(\.keys).map(\.name)) == [])
    }

    @Test func `is declared by an event`() {
        let times = ["ago", "at", "after", "optional"]
        let events = ObjectShape.all.filter { $0.name.hasSuffix("Event") }
        let declared = events.flatMap { $0.keys.map(\.name) } + times
        #expect(Self.names(DraftKeys.Event.self).subtracting(declared) == [])
    }

    /// The files that generate scenario files, with the names in other objects that they write.
    private static let writers: [String: Set<String>] = [
        "BacklotTestServer/Stories": [],
        "Checking/Init": ["access", "id", "name", "password", "refresh", "text", "title"],
        "Checking/Traffic/BackendMaker": ["user"],
        "Checking/Traffic/CapturedFields": [],
        "Checking/Traffic/CapturedStream": [],
        "Checking/Traffic/BackendDraft+Capture": [],
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
