package import Basics
package import JSON

/// The result of comparing the responses of a real server with those of a scenario.
package struct DriftResult: Sendable {
    /// The differences, each once for a route, in the order in which they were found.
    package var differences: [Finding] = []
    /// The reasons why responses were not compared, with their numbers.
    package private(set) var notCompared: [(reason: String, place: Place?, count: Int)] = []
    /// The number of compared responses.
    package var compared = 0

    /// The number of reasons that are listed.
    private static let most = 200

    package init() {}

    /// The number of responses that were not compared.
    package var skipped: Int { notCompared.reduce(0) { $0 + $1.count } }

    package mutating func skip(_ reason: String, at place: Place?) {
        if let index = notCompared.firstIndex(where: { $0.reason == reason }) {
            notCompared[index].count += 1
        } else if notCompared.count < Self.most {
            notCompared.append((reason, place, 1))
        } else {
            notCompared[Self.most - 1].count += 1
        }
    }

    /// The differences, and the reasons why responses were not compared.
    package var findings: [Finding] {
        differences
            + notCompared.map { reason, place, count in
                let times = count == 1 ? "" : " (\(count) responses)"
                return Finding(.note, id: "drift/not-compared", "not compared: \(reason)\(times)", at: place)
            }
    }

    /// The counts: `compared 312 responses with Scenarios/app: 2 differences`.
    package func summary(of path: String) -> String {
        let found = differences.isEmpty ? "no difference" : plural(differences.count, "difference")
        let count = compared == 0 ? "" : ": \(found)"
        let rest = skipped == 0 ? "" : "; \(plural(skipped, "response")) not compared"
        return "compared \(plural(compared, "response")) with \(path.printable)\(count)\(rest)"
    }

    /// The result for programs.
    package var json: JSONObject {
        [
            "compared": .number(JSONNumber(compared)), "notCompared": .number(JSONNumber(skipped)),
            "differences": .number(JSONNumber(differences.count)),
        ]
    }
}
