import Basics
import ClientTesting
import Reports
import Testing

@Suite
struct `The coverage of a contract` {
    private static let delete = "\"DELETE /pets/{id}\": { \"status\": 204, \"empty\": true }"
    private static let fill = "\"backend\": \"Pets\","

    /// The project without the route that deletes a pet.
    private static var gap: PetProject {
        PetProject(PetProject.backend, ",\n    \(delete)", with: "")
    }

    private static func lines(_ report: Report) -> [String] {
        report.coverage.map { line in
            "\(line.operation): " + line.answers.map { "\($0.status) \($0.basis)" }.joined(separator: ", ")
        }
    }

    @Test func `tells what plays every documented response`() throws {
        #expect(
            Self.lines(try PetProject().check()) == [
                "GET /pets: 200 response, 401 response", "POST /pets: 201 response, 401 response, 503 response",
                "GET /pets/{id}: 200 response, 404 response", "DELETE /pets/{id}: 204 response",
            ]
        )
    }

    @Test func `warns of an operation that no backend has a route for`() throws {
        let report = try Self.gap.check()
        let finding = try #require(report.allFindings.first)
        #expect(report.allFindings.count == 1)
        #expect(finding.id == "contract/unplayed-operation" && finding.severity == .warning)
        #expect(finding.message == "no scenario contains a route for DELETE /pets/{id}")
        #expect(finding.advice == "add \"DELETE /pets/{id}\" to the backend's \"routes\"")
        let line = try #require(Self.gap.line(of: "\"delete\": {", in: PetProject.contract))
        #expect(finding.line == "\(PetProject.contract):\(line)")
        #expect(report.verdict == .held)
        #expect(Self.lines(report).last == "DELETE /pets/{id}: 204 nothing")
    }

    @Test func `fails for a gap where warnings do`() throws {
        var report = try Self.gap.check()
        report.isStrict = true
        #expect(report.verdict == .failed)
    }

    @Test func `warns of a documented response that nothing plays and no example shows`() throws {
        let project = PetProject(
            PetProject.contract,
            "\"404\": { \"$ref\"",
            with: "\"4XX\": { \"$ref\": \"#/components/responses/Problem\" }, \"418\": { \"$ref\": "
                + "\"#/components/responses/Problem\" }, \"500\": { \"$ref\""
        )
        let report = try project.check()
        #expect(
            report.allFindings.map(\.message) == [
                "GET /pets/{id} 418, 500 has neither a stub response nor an example in the contract"
            ]
        )
        #expect(report.allFindings.map(\.id) == ["contract/no-example"])
        #expect(Self.lines(report)[2] == "GET /pets/{id}: 200 response, 4XX response, 418 nothing, 500 nothing")
    }

    @Test(arguments: [
        ("\"schema\": { \"$ref\": \"#/components/schemas/Problem\" }", "\"example\": { \"message\": \"no\" }, "),
        ("\"type\": \"object\",\n        \"required\": [\"message\"]", "\"examples\": [{ \"message\": \"no\" }], "),
    ])
    func `is content with an example`(place: String, example: String) throws {
        var project = PetProject(
            PetProject.contract,
            "\"404\": { \"$ref\"",
            with: "\"404\": { \"$ref\": \"#/components/responses/Problem\" }, \"500\": { \"$ref\""
        )
        #expect(try project.check().allFindings.count == 1)
        project.replace(place, with: example + place, in: PetProject.contract)
        let report = try project.check()
        #expect(report.allFindings.map(\.description) == [])
        #expect(Self.lines(report)[2] == "GET /pets/{id}: 200 response, 404 response, 500 example")
    }

    @Test func `counts what a story plays`() throws {
        var project = PetProject(
            PetProject.contract,
            "\"404\": { \"$ref\"",
            with: "\"404\": { \"$ref\": \"#/components/responses/Problem\" }, \"410\": { \"$ref\""
        )
        #expect(try project.check().allFindings.map(\.id) == ["contract/no-example"])
        project.replace("\"status\": 404", with: "\"status\": 410", in: PetProject.story)
        #expect(try project.check().allFindings.map(\.description) == [])
    }

    @Test func `says nothing of gaps where only a story is checked, or the contract fills them`() throws {
        #expect(try Self.gap.check([PetProject.story]).allFindings.map(\.description) == [])
        var filled = Self.gap
        filled.replace(Self.fill, with: Self.fill + " \"fill\": \"schema\",", in: PetProject.backend)
        #expect(try filled.check().allFindings.map(\.description) == [])
    }
}
