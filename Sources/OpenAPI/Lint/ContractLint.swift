package import Basics
import JSON

extension Contract {
    /// Everything that is doubtful about the contract itself, each with its place.
    ///
    /// What the loader found already is in ``findings`` and not told again.
    package func lint() -> [Finding] {
        let rules = [
            pathFindings(), operationIDFindings(), securityFindings(), schemaFindings(), exitFindings(),
            exampleFindings(), componentFindings(),
        ]
        return rules.flatMap(\.self).inOrder(of: sources)
    }
}
