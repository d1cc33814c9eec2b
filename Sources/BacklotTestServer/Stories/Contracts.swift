package import Simulation

extension BacklotServer {
    /// The handling of a story's contract.
    ///
    /// This library does not read OpenAPI. `import BacklotTesting` adds `openAPI`, which checks requests and responses
    /// against the file. If a test sets neither, the story is played without its contract, and the verdict has a note
    /// that says so; a story whose responses come from its contract does not start.
    public struct Contracts: Sendable {
        /// `nil` where contracts stay unread.
        let reader: (any ContractReader)?

        /// Contracts that a reader understands.
        package init(reader: any ContractReader) { self.reader = reader }

        private init() { reader = nil }

        /// The contract is not read, and no request is checked against it.
        public static var unread: Contracts { Contracts() }
    }
}
