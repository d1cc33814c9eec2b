import Basics
import Reports
import TestSupport
import Testing

@testable import Checking
@testable import ClientTesting

@Suite
struct `The files of a check` {
    @Test func `are those of the project when none is named`() throws {
        #expect(try PetProject().check().verdict == .held)
    }

    @Test func `must exist`() {
        #expect(throws: CheckProblem(sentence: "there is no file or folder \"Scenarois\"; did you mean \"Scenarios\"?"))
        {
            try PetProject().check(["Scenarois"])
        }
    }

    @Test func `must be some`() {
        let files = MemoryFiles(["Scenarios/readme.txt": "nothing"])
        #expect(throws: CheckProblem(sentence: "Scenarios contains no JSON or YAML file, so nothing was checked")) {
            try Check(files: files).run(["Scenarios"])
        }
        let nothing =
            "there is no Contracts or Scenarios folder in /project; specify files or folders"
        #expect(throws: CheckProblem(sentence: nothing)) { try Check(files: MemoryFiles(["a.json": "{}"])).run() }
    }

    @Test func `that are only fixtures are nothing checked`() throws {
        #expect(try PetProject().check(["Scenarios/pets/fixtures"]).verdict == .nothingChecked)
    }

    @Test(arguments: [PetProject.contract, PetProject.backend, PetProject.story, PetProject.list])
    func `that are no JSON are told with the place`(file: String) throws {
        var project = PetProject()
        project.files[file]?.removeLast()
        let report = try project.check()
        #expect(report.verdict == .failed)
        let lines = project.files[file]?.split(separator: "\n", omittingEmptySubsequences: false).count ?? 0
        #expect(report.errors.first?.line == "\(file):\(lines)")
        #expect(Set(report.errors.map(\.description)).count == report.errors.count)
    }

    @Test func `behind a link that leads out of the project are not read`() throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"backend\": 1}", to: "outside/secret.json")
        try folder.write(PetProject().files[PetProject.backend] ?? "", to: "project/Scenarios/pets/backend.json")
        try folder.link("project/Scenarios/pets/more", to: "\(folder.path)/outside")
        try folder.link("project/Scenarios/pets/again", to: "\(folder.path)/project/Scenarios")
        let report = try Check(files: DiskFiles()).run(["\(folder.path)/project/Scenarios"])
        #expect(!report.allFindings.contains { $0.description.contains("secret") })
        #expect(report.summary.first?.contains("1 other file ignored") == true)
    }

    @Test func `that misspell the one key that decides are no fixtures`() throws {
        let story = PetProject(PetProject.story, "\"extends\"", with: "\"extnds\"")
        #expect(try story.check().errors.first?.line == "\(PetProject.story):1")
        let backend = PetProject(PetProject.backend, "\"backend\"", with: "\"bakend\"")
        #expect(try backend.check().verdict == .failed)
        let contract = PetProject(PetProject.contract, "\"openapi\"", with: "\"openapl\"")
        #expect(try contract.check().verdict == .failed)
    }

    @Test func `that are contracts in YAML under a name of JSON are told what to do`() throws {
        let files = MemoryFiles(["api.json": "# Pets\nopenapi: 3.1.0\ninfo:\n  title: Pets\n"])
        let report = try Check(files: files).run(["api.json"])
        #expect(report.errors.map(\.id) == ["contract/yaml"])
        #expect(report.errors.first?.line == "api.json:2")
    }

    @Test func `that are YAML and broken are told with the place`() throws {
        let files = MemoryFiles(["api.yaml": "openapi: 3.1.0\ninfo:\n\ttitle: Pets\n", "b.yml": "a: b: c\n"])
        let report = try Check(files: files).run(["api.yaml", "b.yml"])
        #expect(report.errors.map(\.id) == ["yaml/syntax", "yaml/syntax"])
        #expect(report.errors.map(\.line) == ["api.yaml:3", "b.yml:1"])
    }

    @Test func `that are YAML are told of text without quotes that YAML reads as something else`() throws {
        let text = "openapi: 3.1.0\ninfo:\n  title: Pets\n  version: 1.0\npaths: {}\n"
        let report = try Check(files: MemoryFiles(["api.yaml": text])).run(["api.yaml"])
        #expect(report.errors.map(\.line) == ["api.yaml:4"])
        let advice = "quote the value; without quotes, YAML does not read the value as a string"
        #expect(report.errors.first?.advice == advice)
    }

    /// Those of one app: `backlot check` of all of them is a step of its own in `.ci/run`.
    @Test func `of this repository hold`() throws {
        let folders = ["\(Project.folder)/Contracts/kiwit", "\(Project.scenarios)/kiwit"]
        let report = try Check(files: DiskFiles()).run(folders)
        #expect(report.errors.map(\.description) == [])
        #expect(report.verdict == .held)
    }
}
