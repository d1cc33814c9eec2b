import Checking
package import OpenAPI

/// Answers clients under test as a contract documents it, each on a network of its own.
///
/// Every request is written down and judged by the contract.
package struct RespondingServer: Sendable {
    package let contract: Contract
    let samples: SampleResponses
    let usual: UsualResponses
    /// What the calls so far have shown of the client's threads.
    let threads = ClientThreads()

    package init(_ contract: Contract) {
        self.contract = contract
        samples = SampleResponses(contract, seed: 1)
        usual = UsualResponses(contract, samples: samples)
    }
}
