import Basics
import OpenAPI
import ScenarioFormat
import TestSupport
import Testing

@testable import Checking
@testable import ClientTesting

@Suite
struct `The contract of a new scenario` {
    private static let document = Drafting.document(paths: #"{"/a": {"$ref": "parts/paths.json#/a"}}"#)
    private static let alone = Drafting.document(paths: "{}")
    private static let part = #"{"a": {"get": {"responses": {"204": {"description": ""}}}}}"#

    private func placement(
        of path: String,
        in folder: String,
        _ contents: [String: String]
    ) throws -> ContractPlacement {
        let files = MemoryFiles(contents)
        let root = try #require(ProjectRoot(path.hasPrefix("/else") ? "/else" : "/code", files: files))
        let contract = try ContractLoader(files: files, project: root).load(path)
        return try ContractPlacement(of: contract, in: folder, files: files)
    }

    @Test
    func `is referred to where the project has it`() throws {
        let contents = ["/code/.git/HEAD": "", "/code/api/openapi.json": Self.alone]
        let placement = try placement(of: "/code/api/openapi.json", in: "/code/Stubs/pets", contents)
        #expect(placement.path == "../../api/openapi.json")
        #expect(placement.copies.isEmpty)
    }

    @Test
    func `is referred to where the new folder makes the project`() throws {
        let contents = ["/code/openapi.json": Self.alone]
        let placement = try placement(of: "/code/openapi.json", in: "/code/Scenarios/pets", contents)
        #expect(placement.path == "../../openapi.json")
        #expect(placement.copies.isEmpty)
    }

    @Test
    func `is copied from outside`() throws {
        let contents = ["/else/openapi.json": Self.alone, "/code/.git/HEAD": ""]
        let placement = try placement(of: "/else/openapi.json", in: "/code/pets", contents)
        #expect(placement.path == "openapi.json")
        #expect(placement.copies.map(\.path) == ["openapi.json"])
        #expect(placement.copies.map(\.bytes) == [Array(Self.alone.utf8)])
    }

    @Test
    func `is copied with the files that it refers to`() throws {
        let contents = ["/else/api/v1/openapi.json": Self.document, "/else/api/v1/parts/paths.json": Self.part]
        let placement = try placement(of: "/else/api/v1/openapi.json", in: "/code/pets", contents)
        #expect(placement.path == "contract/openapi.json")
        #expect(placement.copies.map(\.path) == ["contract/openapi.json", "contract/parts/paths.json"])
    }
}
