import Basics
import ClientTesting
import Reports
import Testing

/// Responses that show what a backend stores.
@Suite
struct `A check of what is stored` {
    private static let items = "Scenarios/pets/fixtures/items.json"

    /// The project with a collection of pets, which its routes find.
    private static let project: PetProject = {
        var project = PetProject()
        project.files[items] = """
            [
              {
                "id": 1,
                "name": "Rex",
                "born": "2020-01-01",
                "isTame": true,
                "keeper": "ann"
              },
              {
                "id": 2,
                "name": "Mia",
                "born": null,
                "isTame": false,
                "keeper": "bob"
              },
              {
                "id": 3,
                "name": "Ida",
                "born": "{{clock}}",
                "isTame": true,
                "keeper": "ann",
                "hidden": true
              }
            ]
            """
        project.replace(
            "\"routes\": {",
            with: """
                "collections": { "pets": { "items": "fixtures/items.json" } },
                  "routes": {
                """,
            in: PetProject.backend
        )
        project.replace(
            "{ \"requires\": \"access\", \"fixture\": \"fixtures/pets.json\" }",
            with: """
                {
                      "requires": "access",
                      "find": { "pets": { "all": "pets", "show": ["id", "name", "born", "isTame"] } },
                      "json": "{{found.pets#/items}}"
                    }
                """,
            in: PetProject.backend
        )
        project.replace(
            """
            "status": 200,
                  "fixture": "fixtures/pet.json"
            """,
            with: """
                "find": { "pet": { "one": "pets", "where": { "/id": "{{request.path.id as number}}" } } },
                      "status": 200,
                      "json": {
                        "id": "{{found.pet#/id}}", "name": "{{found.pet#/name}}", "born": "{{found.pet#/born ?? omit}}",
                        "isTame": "{{found.pet#/isTame}}"
                      }
                """,
            in: PetProject.backend
        )
        return project
    }()

    private static func changed(_ file: String, _ old: String, _ new: String) -> PetProject {
        var project = project
        project.replace(old, with: new, in: file)
        return project
    }

    @Test func `holds where every item is as documented`() throws {
        #expect(try Self.project.check().allFindings.map(\.description) == [])
    }

    @Test(arguments: [
        ("\"name\": \"Mia\"", "\"name\": 12", "`[1].name` is 12, but the contract requires a string"),
        ("\"isTame\": false", "\"isTame\": \"no\"", "`[1].isTame` is \"no\", but the contract requires true or false"),
    ])
    func `points to the item that is not as documented, once`(old: String, new: String, message: String) throws {
        let project = Self.changed(Self.items, old, new)
        let report = try project.check()
        let finding = try #require(report.errors.first)
        #expect(report.errors.map(\.message) == [message])
        #expect(finding.line == "\(Self.items):\(try #require(project.line(of: new, in: Self.items)))")
        let route = try #require(project.line(of: "\"json\": \"{{found.pets", in: PetProject.backend))
        #expect(finding.relatedLines.last == "\(PetProject.backend):\(route)")
    }

    @Test func `points to the item that lacks what the contract requires`() throws {
        let project = Self.changed(Self.items, "    \"born\": null,\n", "")
        let report = try project.check()
        // The list shows an object of its own making, which begins with its first member.
        let body = try #require(project.line(of: "\"id\": \"{{found.pet#/id}}\"", in: PetProject.backend))
        #expect(report.errors.map(\.line) == ["\(Self.items):10", "\(PetProject.backend):\(body - 1)"])
        #expect(report.errors.allSatisfy { $0.message.contains("born") && $0.message.contains("is missing") })
    }

    @Test func `warns of an item without what a response cannot do without`() throws {
        let project = Self.changed(Self.items, "    \"name\": \"Mia\",\n", "")
        let warnings = try project.check().allFindings.filter { $0.id == "check/no-value" }
        #expect(warnings.map(\.message) == ["GET /pets/{id} 200 shows {{found.pet#/name}}, but this item has no value"])
        #expect(warnings.map(\.line) == ["\(Self.items):9"])
    }

    @Test(arguments: [
        ("{{found.pet#/id as text}}", []),
        ("{{account#/petId as text}}", []),
        ("{{found.pet#/id}}", ["`name` is 1, but the contract requires a string"]),
        ("{{account#/petId}}", ["`name` is 7, but the contract requires a string"]),
    ])
    func `judges what a value is turned into`(placeholder: String, messages: [String]) throws {
        let project = Self.changed(PetProject.backend, "{{found.pet#/name}}", placeholder)
        #expect(try project.check().errors.prefix(1).map(\.message) == messages)
    }

    @Test func `leaves out items that another case answers for`() throws {
        let hidden = "{ \"when\": { \"found\": { \"pet\": { \"/hidden\": true } } }, \"status\": 404, \"fixture\": "
        var project = Self.changed(Self.items, "\"name\": \"Ida\"", "\"name\": 12")
        project.replace(
            "\"find\": { \"pets\": { \"all\": \"pets\",",
            with: "\"find\": { \"pets\": { \"all\": \"pets\", \"where\": { \"/hidden\": { \"exists\": false } },",
            in: PetProject.backend
        )
        #expect(try project.check().errors.count == 1)
        project.replace(
            "\"cases\": [",
            with: "\"cases\": [\n        \(hidden)\"fixtures/problem.json\" },",
            in: PetProject.backend
        )
        #expect(try project.check().errors.map(\.description) == [])
    }

    @Test func `judges what is embedded at its own place`() throws {
        var project = Self.project
        project.replace(
            "\"items\": \"fixtures/items.json\"",
            with: "\"items\": \"fixtures/items.json\", \"embed\": { \"/owner\": { \"one\": \"accounts\", "
                + "\"where\": { \"/petId\": { \"atLeast\": 0 } }, \"show\": \"/petId\" } }",
            in: PetProject.backend
        )
        project.replace("\"isTame\"] } },", with: "\"isTame\", \"owner\"] } },", in: PetProject.backend)
        let finding = try #require(try project.check().errors.first)
        #expect(finding.message.contains("owner` is 7, but the contract requires a string"))
        let line = try #require(project.line(of: "\"petId\": 7", in: PetProject.backend))
        #expect(finding.line == "\(PetProject.backend):\(line)")
    }

    @Test func `judges what a page tells beside its items`() throws {
        var project = Self.project
        project.replace(
            "\"show\": [\"id\"",
            with: "\"page\": { \"after\": \"{{request.query.next ?? \\\"0\\\"}}\", \"at\": \"/id\", \"end\": \"0\", "
                + "\"limit\": 2 }, \"show\": [\"id\"",
            in: PetProject.backend
        )
        project.replace(
            "\"json\": \"{{found.pets#/items}}\"",
            with: "\"headers\": { \"X-Next\": \"{{found.pets#/next}}\" }, \"json\": \"{{found.pets#/items}}\"",
            in: PetProject.backend
        )
        #expect(try project.check().errors.map(\.description) == [])
        project.replace(
            "\"json\": \"{{found.pets#/items}}\"",
            with: "\"json\": [\"{{found.pets#/next}}\"]",
            in: PetProject.backend
        )
        let messages = try project.check().errors.map(\.message)
        #expect(messages.contains("`[0]` is \"0\", but the contract requires an object"))
        #expect(messages.contains("`[0]` is 3, but the contract requires an object"))
    }

    @Test func `judges what a story stores, and excuses what it breaks on purpose`() throws {
        var project = Self.project
        let given =
            "\"given\": [{ \"update\": { \"one\": \"pets\", \"where\": { \"/id\": 2 } }, \"set\": { \"/name\": 12 } }],"
        project.files[PetProject.story] = """
            {
              "extends": "backend.json", "id": "P-1", "title": "A pet has a number for its name",
              \(given)
              "routes": { "GET /pets": {} }
            }
            """
        let findings = try project.check().errors
        #expect(findings.map(\.line) == ["\(PetProject.story):3"])
        project.replace(
            "\"GET /pets\": {}",
            with: "\"GET /pets\": { \"breaks\": \"an old app did so\" }",
            in: PetProject.story
        )
        let report = try project.check()
        #expect(report.errors.map(\.description) == [])
        #expect(report.allFindings.contains { $0.severity == .note && $0.line == "\(PetProject.story):3" })
    }

    @Test func `leaves a body with parts that may be missing to be judged with and without them`() throws {
        var project = Self.project
        project.replace(
            "\"born\": \"{{found.pet#/born ?? omit}}\"",
            with: "\"born\": \"{{request.query.b ?? omit}}\"",
            in: PetProject.backend
        )
        let messages = try project.check().errors.map(\.message)
        #expect(messages == ["`born` is missing, but the contract requires it"])
    }
}
