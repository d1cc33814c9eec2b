import Basics
import OpenAPI
import Reports
import ScenarioFormat
import TestSupport

@testable import Checking
@testable import ClientTesting

/// A contract in memory, and the scenario that is drafted from it.
struct Drafting {
    let contract: Contract
    let draft: BackendDraft
    private let bytes: [UInt8]

    init(_ bytes: [UInt8], seed: UInt64 = 0) throws {
        self.bytes = bytes
        let files = MemoryFiles(["openapi.json": bytes])
        guard let root = ProjectRoot("/project", files: files) else { throw FileProblem(reason: "there is no root") }
        contract = try ContractLoader(files: files, project: root).load("/project/openapi.json")
        draft = ScenarioDrafter(contract, at: "../../openapi.json", seed: seed).draft()
    }

    init(_ text: String) throws {
        try self.init(Array(text.utf8))
    }

    /// The contract and the written draft beside it.
    private var written: MemoryFiles {
        var contents = ["openapi.json": bytes]
        for file in draft.files { contents["Scenarios/drafted/\(file.path)"] = file.bytes }
        return MemoryFiles(contents)
    }

    /// A file of the draft as the loader reads it.
    func load(_ name: String = "backend.json") throws -> LoadedScenario {
        let files = written
        guard let root = ProjectRoot("/project", files: files) else { throw FileProblem(reason: "there is no root") }
        return try ScenarioLoader(files: files, project: root).load("/project/Scenarios/drafted/\(name)")
    }

    /// What a check of the draft says.
    func check() throws -> Report {
        try Check(files: written).run(["/project/Scenarios/drafted"])
    }

    func text(of path: String) -> String? {
        draft.files.first { $0.path == path }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// A contract with these paths and nothing around them that matters.
    static func document(paths: String, rest: String = "{}") -> String {
        """
        {"openapi": "3.1.0", "info": {"title": "Test", "version": "1"}, "paths": \(paths), "components": \(rest)}
        """
    }
}
