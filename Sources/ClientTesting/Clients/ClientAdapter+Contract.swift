package import Basics
package import OpenAPI

extension ClientAdapter {
    /// Reads the contract, by the path that people would type in the current folder where that is the same file.
    package func readContract(in project: ProjectRoot, files: any FileReading) throws(ContractError) -> Contract {
        let path = FilePath.join(project.path, contract)
        let isHere = files.resolve(contract) != nil && files.resolve(contract) == files.resolve(path)
        return try ContractLoader(files: files, project: project).load(isHere ? contract : path)
    }
}
