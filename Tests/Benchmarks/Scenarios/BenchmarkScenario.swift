import Foundation

/// The backends that are measured, as files in a folder.
struct BenchmarkScenario {
    let folder: ScratchFolder
    let path: String

    static let fixtureTarget = "/diaries"
    static let authorizedTarget = "/mine"
    static let templatedTarget = "/members/42?fields=all"

    /// A fixture, the same behind a token, and a templated response behind a token, among that many routes.
    ///
    /// The fixture has the size of a short list: about 600 bytes.
    ///
    /// - Parameter contract: an OpenAPI file that documents both responses.
    init(routes count: Int = 3, contract: String? = nil) throws {
        folder = try ScratchFolder()
        if let contract { try folder.write("contract.json", contract) }
        try folder.write("fixtures/diaries.json", Self.fixture)
        var routes: [String] = []
        for number in 0..<max(0, count - 3) {
            let path = "/group\(number % 50)/item\(number)"
            routes.append(
                number % 4 == 3
                    ? "\"GET \(path)/{id}\": { \"json\": { \"id\": \"{{request.path.id}}\" } }"
                    : "\"GET \(path)\": { \"fixture\": \"fixtures/diaries.json\" }"
            )
        }
        // In the middle, so that neither the first nor the last is asked for.
        routes.insert(contentsOf: [Self.fixtureRoute, Self.authorizedRoute, Self.templatedRoute], at: routes.count / 2)
        path = try folder.write("backend.json", Self.backend(routes, hasContract: contract != nil))
    }

    /// Routes that only wait, each as its latency says.
    init(latencies: [String]) throws {
        folder = try ScratchFolder()
        let routes = latencies.enumerated().map { number, latency in
            "\"GET /wait\(number)\": { \"json\": { \"number\": \(number) }, \"latency\": \(latency) }"
        }
        path = try folder.write("backend.json", Self.backend(routes + [Self.uploadRoute]))
    }

    static func waitTarget(_ number: Int) -> String { "/wait\(number)" }
    static let uploadTarget = "/upload"

    private static func backend(_ routes: [String], hasContract: Bool = false) -> String {
        """
        {
          "backend": "Benchmark",\(hasContract ? "\n  \"contract\": \"contract.json\"," : "")
          "accounts": { "ada": { "memberId": 1042, "username": "Ada" } },
          "tokens": { "claims": { "memberId": "{{account.memberId}}" }, "kinds": { "access": { "lifetime": "30d" } } },
          "given": [{ "signIn": "phone" }],
          "routes": {
            \(routes.joined(separator: ",\n    "))
          }
        }

        """
    }

    private static let uploadRoute = "\"POST /upload\": { \"json\": { \"ok\": true } }"
    private static let fixtureRoute = "\"GET /diaries\": { \"fixture\": \"fixtures/diaries.json\" }"
    private static let authorizedRoute =
        "\"GET /mine\": { \"requires\": \"access\", \"fixture\": \"fixtures/diaries.json\" }"
    private static let templatedRoute = """
        "GET /members/{id}": { "requires": "access", "json": { "id": "{{request.path.id}}", \
        "name": "{{account.username}}", "fields": "{{request.query.fields}}", "at": "{{clock}}", \
        "text": "Member {{account.memberId}} as {{device}} sees it", "tags": ["a", "b", "c"], "isActive": true } }
        """

    static let fixture: Data = {
        let diaries = (1...4).map { number in
            """
            {"diaryId":\(340 + number),"content":"I walked along the river today, and it was day \(number).",\
            "createdAt":"2026-03-0\(number) 09:30","isPublic":true,"likes":\(number * 3)}
            """
        }
        return Data("{\"success\":true,\"data\":{\"diaries\":[\(diaries.joined(separator: ","))]}}".utf8)
    }()
}
