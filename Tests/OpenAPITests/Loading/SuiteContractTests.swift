import Basics
import JSON
import OpenAPI
import TestSupport
import Testing

/// Contracts of real services, which are no part of the project: skipped where `shared/suites` is not there.
@Suite(.enabled(if: Suites.has("openapi"), "suites/openapi is not there; set BACKLOT_SUITES"))
struct `A real service's contract` {
    @Test(arguments: [("openapi/stripe/spec3.json", 417), ("openapi/adyen/CheckoutService-v71.json", 28)])
    func `is usable and sound`(path: String, count: Int) throws {
        let files = DiskFiles()
        let file = "\(Suites.folder)/\(path)"
        let project = try #require(ProjectRoot(enclosing: file, files: files))
        let contract = try ContractLoader(files: files, project: project).load(file)
        #expect(contract.operations.count == count)
        let findings = contract.findings + contract.lint()
        #expect(findings.filter { $0.severity == .error }.map(\.description) == [])
        for operation in contract.operations {
            let concrete = operation.path.replacing("{", with: "").replacing("}", with: "")
            let path = (contract.servers.first?.basePath ?? "") + concrete
            let shape = contract.operation(operation.method, path)?.operation.path.split(separator: "/").count
            #expect(shape == operation.path.split(separator: "/").count)
        }
        let root = try JSONParser().parse(files.read(file)).root
        for finding in findings {
            let place = try #require(finding.place)
            let pointer = try #require(place.pointer.flatMap { JSONPointer($0) })
            #expect(pointer.value(in: root) != nil, "\(finding)")
        }
    }
}
