import Basics
import HTTPCodec
import OpenAPI
import ScenarioFormat
import StubServing

/// What `serve` says when it is ready: what is played, where, and what can be asked.
struct Banner {
    let text: String

    init(
        _ loaded: LoadedScenario,
        library: ScenarioLibrary,
        contract: Contract?,
        url: String,
        origins: [String: String]
    ) {
        let scenario = loaded.scenario
        var lines: [String] = []
        if let story = scenario.story {
            lines.append("\(scenario.backend) plays \(story.id): \(story.title)")
            if !story.about.isEmpty { lines.append("  \(story.about)") }
            if !story.reproduces.isEmpty {
                lines.append("  It reproduces \(story.reproduces.joined(separator: ", ")).")
            }
        } else if library.isContract {
            lines.append("\(scenario.backend), as its contract \(library.path) documents it")
        } else {
            lines.append("\(scenario.backend), as it normally behaves")
        }
        lines.append("")
        lines += Self.routes(scenario)
        if let contract { lines += Self.operations(of: contract, areServed: library.isContract) }
        if scenario.story == nil { lines += Self.stories(library.stories()) }
        lines.append("")
        if !scenario.expectations.isEmpty {
            let count = scenario.expectations.count
            let things = count == 1 ? "1 thing" : "\(count) things"
            lines.append(
                "The story expects \(things) of a client: backlot verdict\(Self.option(url)) says whether it does."
            )
        }
        for origin in scenario.origins {
            if let url = origins[origin.name] { lines.append("Origin \(origin.name.printable): \(url)") }
        }
        lines.append("Admin API: \(url)/__backlot/   Advance the clock: backlot clock advance 2h\(Self.option(url))")
        lines.append("")
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func routes(_ scenario: Scenario) -> [String] {
        scenario.routes.map { route in
            let tokens = route.requirements.map(\.kind).joined(separator: " and ")
            let method = route.key.method?.rawValue ?? "*"
            let padding = String(repeating: " ", count: max(0, 7 - method.count))
            return "  \(method)\(padding) \(route.key.template.text)" + (tokens.isEmpty ? "" : "  (\(tokens) token)")
        }
    }

    /// How many operations a contract may have for them to be listed.
    private static let listed = 24

    private static func operations(of contract: Contract, areServed: Bool) -> [String] {
        let count = contract.operations.count
        let operations = count == 1 ? "1 operation" : "\(count) operations"
        guard areServed else { return ["", "Held against \(contract.path), which documents \(operations)."] }
        var lines = contract.operations.prefix(listed).map { operation in
            let method = operation.method.rawValue
            return "  \(method)\(String(repeating: " ", count: max(0, 7 - method.utf8.count))) \(operation.path)"
        }
        if count > listed { lines.append("  … \(operations) in all") }
        return lines
    }

    private static func stories(_ stories: [ScenarioLibrary.Entry]) -> [String] {
        guard !stories.isEmpty else { return [] }
        let width = stories.map(\.id.count).max() ?? 0
        return ["", "Stories (--story ID):"]
            + stories.map { story in
                "  \(story.id)\(String(repeating: " ", count: width - story.id.count))  \(story.title)"
            }
    }

    /// The option with which the clock command finds this server, where it would not by itself.
    private static func option(_ url: String) -> String {
        url == "http://127.0.0.1:\(StubServer.defaultPort)" ? "" : " --url \(url)"
    }
}
