import Basics
import OpenAPI
import TestSupport
import Testing

/// Loads a contract that is there as text; `api.json` is the one that is loaded.
func contract(_ files: [String: String]) throws -> Contract {
    let files = MemoryFiles(files)
    let project = try #require(ProjectRoot("/project", files: files))
    return try ContractLoader(files: files, project: project).load("api.json")
}

/// A contract with these paths and components.
func contract(paths: String, components: String = "{}", more: String = "", version: String = "3.1.0") throws -> Contract
{
    try contract(["api.json": document(paths: paths, components: components, more: more, version: version)])
}

func document(paths: String, components: String = "{}", more: String = "", version: String = "3.1.0") -> String {
    """
    {"openapi": "\(version)", "info": {"title": "T", "version": "1"}, \(more)
    "paths": \(paths),
    "components": \(components)}
    """
}

/// What keeps a contract from being loaded.
func refusal(_ files: [String: String]) throws -> [Finding] {
    do {
        _ = try contract(files)
        return []
    } catch let error as ContractError {
        return error.findings
    }
}
