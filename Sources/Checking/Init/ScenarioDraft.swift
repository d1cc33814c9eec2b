package import Basics
package import OpenAPI

/// The files of a new scenario, before anybody writes them.
package struct ScenarioDraft: Sendable {
    /// A file, by its path relative to the scenario's folder.
    package struct File: Sendable {
        package var path: String
        package var bytes: [UInt8]
    }

    /// The backend file first, then the fixtures in the order of the contract.
    package var files: [File]
    package var routeCount: Int
    /// The token kinds that were guessed, by name.
    package var tokenKinds: [String]
    /// What could not be taken over, each with its place in the contract.
    package var findings: [Finding]
}

extension ScenarioDraft {
    /// A folder's name for a contract's scenario: the title in lower-case letters, digits and hyphens.
    package static func folderName(for contract: Contract) -> String {
        DraftFixtures.name(of: contract.title)
    }
}
