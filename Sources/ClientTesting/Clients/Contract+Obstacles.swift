import Basics
import OpenAPI

extension Contract {
    /// The errors because of which a client is tested with less than the contract documents, or with another operation.
    ///
    /// A part that cannot be read is left out, and would only be seen as a check that is skipped.
    var obstacles: [Finding] { errors + operationIDFindings() }
}
