package import Findings

extension Contract {
    /// Everything that is doubtful about the contract itself, each with its place.
    package func lint() -> [Finding] { [] }
}
