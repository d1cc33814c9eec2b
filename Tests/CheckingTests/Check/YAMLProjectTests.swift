import Basics
import Checking
import ClientTesting
import Reports
import TestSupport
import Testing

/// A whole project in YAML: contract, backend, story and fixtures.
@Suite
struct `A check of YAML` {
    /// Slips, each in one file.
    private static let slips: [(file: String, old: String, new: String)] = [
        (PetProject.contract, "\"openapi\": \"3.1.0\"", "\"openapi\": 3.1"),
        (PetProject.contract, "\"description\": \"all pets\"", "\"descriptoin\": \"all pets\""),
        (PetProject.contract, "#/components/schemas/Pet", "#/components/schemas/Pett"),
        (PetProject.backend, "fixtures/pet.json", "fixtures/pets.json"),
        (PetProject.backend, "fixtures/problem.json", "fixtures/problems.json"),
        (PetProject.backend, "{{clock}}", "{{clok}}"),
        (PetProject.backend, "\"isTame\": true", "\"isTame\": \"yes\""),
        (PetProject.story, "\"backend.json\"", "\"backed.json\""),
        (PetProject.story, "\"status\": 404", "\"status\": 418"),
        (PetProject.story, "\"title\"", "\"titel\""),
        (PetProject.list, "\"name\": \"Mia\"", "\"name\": 5"),
        (PetProject.list, "\"id\": 2,", ""),
        (PetProject.pet, "\"isTame\": true", "\"isTame\": 1.50"),
        (PetProject.problem, "\"message\"", "\"mesage\""),
    ]

    @Test func `holds where that of JSON does`() throws {
        let report = try twin(of: PetProject()).run()
        #expect(report.verdict == .held)
        #expect(report.allFindings.count == (try PetProject().check()).allFindings.count)
    }

    @Test(arguments: slips.indices)
    func `finds what that of JSON finds`(_ number: Int) throws {
        let slip = Self.slips[number]
        let project = PetProject(slip.file, slip.old, with: slip.new)
        let json = try project.check()
        let files = try twinFiles(of: project)
        let yaml = try Check(files: MemoryFiles(files)).run()
        #expect(!json.allFindings.isEmpty)
        #expect(described(yaml) == described(json))
        #expect(yaml.verdict == json.verdict)
        // Each is at a place that the file has.
        for finding in yaml.allFindings {
            guard let place = finding.place, let file = place.file, let position = place.position else { continue }
            let lines = files[file]?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
            #expect(lines.indices.contains(position.line - 1), "\(finding)")
            #expect(position.column <= (lines.dropFirst(position.line - 1).first?.count ?? 0) + 1, "\(finding)")
        }
    }

    @Test func `names the line of a fixture in YAML`() throws {
        var files = try twinFiles(of: PetProject())
        files["Scenarios/pets/fixtures/pets.yaml"] = """
            # All pets
            - id: 1
              name: Rex
              born: 2020-01-01
              isTame: yes
            """
        let report = try Check(files: MemoryFiles(files)).run()
        #expect(report.errors.map(\.line) == ["Scenarios/pets/fixtures/pets.yaml:5"])
        #expect(report.errors.first?.place?.position?.column == 11)
    }

    /// What is found, without the lines.
    private func described(_ report: Report) -> [String] {
        report.allFindings.map { finding in
            let text = "\(finding.id) \(finding.message) \(finding.place?.pointer ?? "")".replacing(
                ".yaml",
                with: ".json"
            )
            return "\(finding.severity) \(text)"
        }.sorted()
    }

    private func twin(of project: PetProject) throws -> Twin { Twin(files: try twinFiles(of: project)) }

    private struct Twin {
        var files: [String: String]
        func run() throws -> Report { try Check(files: MemoryFiles(files)).run() }
    }

    private func twinFiles(of project: PetProject) throws -> [String: String] {
        var files: [String: String] = [:]
        for (path, text) in project.files {
            files[path.replacing(".json", with: ".yaml")] = try YAMLTwin.text(of: text)
        }
        return files
    }
}
