package import Findings
package import ProjectFiles

/// Reads an OpenAPI file and every file that it refers to.
package struct ContractLoader: Sendable {
    private let files: any FileReading
    private let project: ProjectRoot

    package init(files: any FileReading, project: ProjectRoot) {
        self.files = files
        self.project = project
    }

    /// Loads a contract.
    ///
    /// - Throws: ``ContractError`` with everything that keeps the contract from being used.
    package func load(_ path: String) throws(ContractError) -> Contract {
        throw ContractError(findings: [], watched: [])
    }
}

/// Why a contract cannot be used.
package struct ContractError: Error {
    package var findings: [Finding]
    /// The files that were looked at, so that the next save of one may mend it.
    package var watched: [String]
}
