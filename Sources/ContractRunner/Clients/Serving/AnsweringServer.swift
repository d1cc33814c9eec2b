package import OpenAPIContracts
package import SocketIO

/// Answers clients under test as a contract documents it, each on a lane of its own.
///
/// Every request is written down and judged by the contract.
package struct AnsweringServer: Sendable {
    package let contract: Contract
    let samples: SampleAnswers
    private let usual: UsualAnswers

    package init(_ contract: Contract) {
        self.contract = contract
        samples = SampleAnswers(contract, seed: 1)
        usual = UsualAnswers(contract, samples: samples)
    }

    /// What an operation answers unless a script says otherwise.
    package func usualAnswer(of operation: Operation) -> ServerAnswer { .reply(usual.answer(of: operation)) }

    /// Opens a lane on a free port; whoever opens it closes it.
    package func openLane() throws(SystemError) -> Lane { try Lane(usual) }

    /// Does the work for each element, on so many lanes side by side; results are in the order of the elements.
    ///
    /// A lane that was closed meanwhile, because its client never ended, is replaced.
    package func results<Element: Sendable, Result: Sendable>(
        of elements: [Element],
        lanes count: Int,
        _ work: @escaping @Sendable (Element, Lane) async -> Result
    ) async throws -> [Result] {
        try await Turns.results(of: elements.count, hands: count) { turns in
            var results: [(turn: Int, Result)] = []
            var lane = try openLane()
            defer { lane.close() }
            while let turn = turns.next() {
                try Task.checkCancellation()
                if lane.isClosed { lane = try openLane() }
                results.append((turn, await work(elements[turn], lane)))
            }
            return results
        }
    }
}
