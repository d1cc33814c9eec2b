import JSON
import Simulation
import Testing

/// What a client that missed a route is told.
struct NearestRouteTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let request: String
        let route: String?
        let difference: String

        init(_ request: String, _ route: String?, _ difference: String = "") {
            self.request = request
            self.route = route
            self.difference = difference
        }

        var testDescription: String { request }
    }

    private static let scenario = """
        "routes": {
          "GET /api/v2/diaries": {}, "POST /api/v2/diaries": {}, "GET /api/v2/diaries/{id}": {},
          "PATCH /api/v2/diaries/{id}": {}, "POST /api/v2/auth": {}, "POST /api/v2/auth/token": {},
          "GET /api/v2/members/performance/summary": {}, "GET /api/v3/members/badges": {},
          "GET /api/v2/members/plan": {}, "GET /docs/": {}, "GET /files/*": {}, "GET /health": {}, "OPTIONS /*": {}
        }
        """

    private static let rows = [
        // Slips of the pen.
        Row(
            "GET /api/v2/diarys",
            "GET /api/v2/diaries",
            "the path contains \"diarys\" where the route contains \"diaries\""
        ),
        Row(
            "GET /api/v2/Diaries",
            "GET /api/v2/diaries",
            "the path contains \"Diaries\" where the route contains \"diaries\""
        ),
        Row("GET /helth", "GET /health", "the path contains \"helth\" where the route contains \"health\""),
        Row(
            "POST /api/v2/auth/tokne",
            "POST /api/v2/auth/token",
            "the path contains \"tokne\" where the route contains \"token\""
        ),
        // Another version, another base.
        Row("GET /api/v1/diaries", "GET /api/v2/diaries", "the path contains \"v1\" where the route contains \"v2\""),
        Row(
            "GET /api/v2/members/badges",
            "GET /api/v3/members/badges",
            "the path contains \"v2\" where the route contains \"v3\""
        ),
        Row(
            "GET /API/v2/diaries/7",
            "GET /api/v2/diaries/{id}",
            "the path contains \"API\" where the route contains \"api\""
        ),
        // Slashes.
        Row("GET /api/v2/diaries/", "GET /api/v2/diaries", "the path has a trailing slash"),
        Row("GET /api/v2/diaries/7/", "GET /api/v2/diaries/{id}", "the path has a trailing slash"),
        Row("GET /docs", "GET /docs/", "the path lacks the trailing slash"),
        Row("GET /api//v2/diaries", "GET /api/v2/diaries", "the path contains an empty part: \"//\""),
        Row("GET //api/v2/diaries", "GET /api/v2/diaries", "the path contains an empty part: \"//\""),
        // Parts too many or too few.
        Row("GET /api/v2/diaries/7/pages", "GET /api/v2/diaries/{id}", "the path also contains \"pages\""),
        Row("POST /api/v2/auth/token/new", "POST /api/v2/auth/token", "the path also contains \"new\""),
        Row("GET /v2/diaries", "GET /api/v2/diaries", "the path lacks \"api\""),
        Row("GET /api/diaries", "GET /api/v2/diaries", "the path lacks \"v2\""),
        Row(
            "GET /api/v2/members/summary",
            "GET /api/v2/members/performance/summary",
            "the path lacks \"performance\""
        ),
        Row("GET /files", "GET /files/*", "the path lacks the trailing slash"),
        // Encoding that cannot be undone.
        Row(
            "GET /api/v2/diaries/%zz",
            "GET /api/v2/diaries/{id}",
            "\"%zz\" in the path is not percent-encoded UTF-8"
        ),
        // The method and the path at once.
        Row(
            "DELETE /api/v2/diarys",
            "GET /api/v2/diaries",
            "the path contains \"diarys\" where the route contains \"diaries\" and the method is DELETE"
        ),
        Row(
            "POST /api/v2/diarys",
            "POST /api/v2/diaries",
            "the path contains \"diarys\" where the route contains \"diaries\""
        ),
        // The method alone.
        Row("DELETE /api/v2/diaries", "GET /api/v2/diaries", "the method is DELETE, not GET"),
        Row("GET /api/v2/auth", "POST /api/v2/auth", "the method is GET, not POST"),
        // Something else altogether.
        Row("GET /favicon.ico", nil), Row("GET /", nil), Row("GET /wp-admin/setup.php", nil),
        Row("GET /a/b/c/d/e/f/g", nil),
    ]

    @Test(arguments: rows)
    func `The nearest route is named with what differs`(row: Row) throws {
        var client = try SessionClient(Self.scenario)
        let answer = client.send(row.request)
        #expect(answer.status == 404 || answer.status == 405)
        let nearest = try client.lastExchange.nearest
        #expect(nearest?.route == row.route)
        #expect(nearest?.difference ?? "" == row.difference)
        if answer.status == 404, let nearest {
            #expect(answer.json["detail"]?.string?.contains("The nearest route is \(nearest.route): ") == true)
            #expect(answer.json["nearest"]?["difference"]?.string == nearest.difference)
        }
    }

    @Test func `A long path and many routes are compared in a moment`() throws {
        let routes = (1...500).map { "\"GET /api/v2/things\($0)/{id}\": {}" }.joined(separator: ", ")
        var client = try SessionClient("\"routes\": {\(routes)}")
        let path = String(repeating: "/x", count: 4_000)
        #expect(client.send("GET \(path)").status == 404)
        #expect(client.send("GET /api/v2/things499x/7").json["nearest"]?["route"] == "GET /api/v2/things499/{id}")
    }
}
