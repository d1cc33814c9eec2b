package import Simulation

extension BacklotServer {
    /// What is done about the contract that a story names.
    ///
    /// This library compiles no OpenAPI. `import BacklotTesting` adds `openAPI`, which holds requests and responses
    /// against the file. Where a test says neither, the story is played without its contract, and the verdict has a note
    /// that says so; a story whose responses come from its contract does not start.
    public struct Contracts: Sendable {
        /// `nil` where contracts stay unread.
        let reader: (any ContractReader)?

        /// Contracts that a reader understands.
        package init(reader: any ContractReader) { self.reader = reader }

        private init() { reader = nil }

        /// No contract is read, and nothing is held against it.
        public static var unread: Contracts { Contracts() }
    }
}
