package import Simulation

extension BacklotServer {
    /// The handling of a story's contract.
    ///
    /// This library does not read OpenAPI files. The library `BacklotTesting` adds `openAPI`, which checks requests and
    /// responses against the file. Without `openAPI`, the story is played without its contract, and the verdict
    /// contains a note about the missing check. A story whose responses come from its contract cannot start without
    /// `openAPI`.
    public struct Contracts: Sendable {
        /// `nil` where contracts stay unread.
        let reader: (any ContractReader)?

        /// Contracts that a reader understands.
        package init(reader: any ContractReader) { self.reader = reader }

        private init() { reader = nil }

        /// A setting that ignores the contract, so requests and responses are not checked.
        public static var unread: Contracts { Contracts() }
    }
}
