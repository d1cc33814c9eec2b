package import Basics
package import JSON
package import OpenAPI
package import ScenarioFormat
package import Simulation

/// Reads the OpenAPI files that scenarios name.
package struct OpenAPIReader: ContractReader {
    private let mappings: [URLMapping]

    /// - Parameter mappings: the files that are read in place of URLs.
    package init(mappings: [URLMapping] = []) {
        self.mappings = mappings
    }

    package var options: [String] { mappings.flatMap { ["--map", "\($0.url)=\($0.path)"] } }

    package func contract(
        at path: String,
        files: any FileReading,
        project: ProjectRoot,
        overlays: [String]
    ) throws(ScenarioError) -> any ServedContract {
        do throws(ContractError) {
            return try ContractLoader(
                files: files,
                project: project,
                overlays: overlays,
                mappings: mappings
            )
            .load(path)
        } catch {
            throw ScenarioError(error.findings, watched: error.watched)
        }
    }
}

extension Contract: ServedContract {
    package var operationCount: Int { operations.count }

    package var issuer: JSONValue? { ContractIssuer(self)?.backend }

    package func prepare() { schemas.prepare() }

    package func enforcer(nextTo loaded: LoadedScenario, _ terms: ContractTerms) -> any ContractEnforcer {
        OpenAPIEnforcer(terms.assertsFormats ? assertingFormats() : self, nextTo: loaded, terms)
    }
}
