import JSON
import ScenarioFormat
import Testing

@testable import Checking
@testable import ClientTesting

@Suite
struct `The name of a fixture` {
    @Test(arguments: [
        ("GET /pets/{id}", "get-pets-id"),
        ("GET /", "get"),
        ("POST /v1/Pets.Find", "post-v1-pets-find"),
        ("GET /../../etc/passwd", "get-etc-passwd"),
        ("GET /a%2F..%2Fb", "get-a-2f-2fb"),
        ("GET /펫", "get"),
        ("", "scenario"),
        ("///", "scenario"),
    ])
    func `is made of letters, digits and hyphens`(route: String, name: String) {
        #expect(DraftFixtures.name(of: route) == name)
    }

    @Test
    func `fits into every file system`() {
        let name = DraftFixtures.name(of: "GET /" + String(repeating: "segment/", count: 500))
        #expect(name.utf8.count <= 120)
        #expect(!name.hasSuffix("-"))
    }

    @Test
    func `belongs to one fixture only, also where case does not count`() {
        var fixtures = DraftFixtures()
        let names = ["GET /pets", "GET /PETS", "GET /pets-2", "get /Pets/", "GET /pets"]
        for name in names { _ = fixtures.place(1, named: DraftFixtures.name(of: name)) }
        let paths = fixtures.files.map { $0.path.lowercased() }
        #expect(Set(paths).count == names.count)
        #expect(paths.allSatisfy { $0.hasPrefix("fixtures/") && !$0.contains("..") })
    }

    @Test
    func `is found at once among thousands of the same name`() {
        var fixtures = DraftFixtures()
        for _ in 0..<20_000 { _ = fixtures.place(1, named: "same") }
        #expect(fixtures.files.last?.path == "fixtures/same-20000.json")
    }

    @Test
    func `is shared by equal bodies only where that is asked for`() {
        var fixtures = DraftFixtures()
        #expect(fixtures.share(["a": 1], named: "401") == fixtures.share(["a": 1], named: "401"))
        #expect(fixtures.share(["a": 2], named: "401") == "fixtures/401-2.json")
        #expect(fixtures.place(["a": 1], named: "401") == "fixtures/401-3.json")
    }
}
