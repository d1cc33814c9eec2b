import Basics
package import OpenAPI
package import Reports

/// Checks a live server against its contract: sends documented requests and judges what comes back.
///
/// An operation that changes something by the contract or by its method is left out unless the options allow it;
/// with them only what the run has created is changed and deleted. Nothing is sent to any other server.
package struct Verification: Sendable {
    /// After this number of requests without a response in a row, the rest is not sent.
    static let silenceLimit = 5

    let contract: Contract
    let url: ServerURL
    let options: VerificationOptions
    let credentials: VerificationCredentials
    let pause: @Sendable (Duration) -> Void
    /// The time since a fixed moment.
    let elapsed: @Sendable () -> Duration
    let isInterrupted: @Sendable () -> Bool
    let progress: @Sendable (VerificationProgress) -> Void

    /// - Parameters:
    ///   - elapsed: decides when a token is over; the time since now by default.
    ///   - pause: waits for a server that asks for it, and blocks the thread.
    ///   - isInterrupted: whether no further request may be sent.
    ///   - progress: called when an operation is done, from any thread.
    package init(
        of contract: Contract,
        against url: ServerURL,
        options: VerificationOptions = VerificationOptions(),
        credentials: VerificationCredentials = VerificationCredentials(),
        elapsed: (@Sendable () -> Duration)? = nil,
        pause: @escaping @Sendable (Duration) -> Void,
        isInterrupted: @escaping @Sendable () -> Bool = { false },
        progress: @escaping @Sendable (VerificationProgress) -> Void = { _ in }
    ) {
        self.contract = contract
        self.url = url
        self.options = options
        self.credentials = credentials
        self.pause = pause
        let start = ContinuousClock.now
        self.elapsed = elapsed ?? { start.duration(to: .now) }
        self.isInterrupted = isInterrupted
        self.progress = progress
    }

    /// Sends the requests and reports a check for each chosen operation.
    ///
    /// It blocks its thread.
    ///
    /// - Throws: when no operation is chosen, or an option names something that the contract does not have.
    package func run() throws(VerificationProblem) -> VerificationOutcome {
        let operations = try chosenOperations()
        try checkParameters()
        return VerificationRun(self, operations, by: try options.trust.way(to: url)).play()
    }

    /// The user's path, or that of the contract's first server.
    var basePath: String {
        url.basePath ?? ServerURL.withoutSlashes(contract.servers.first?.basePath ?? "")
    }
}

/// The result of a verification.
package struct VerificationOutcome: Sendable {
    /// A check for each chosen operation, also where the run ended early.
    package var report: Report
    /// The reason why the rest was not judged, such as a server that does not listen.
    package var problem: VerificationProblem?
    package var isInterrupted = false
}

/// The state of a run when an operation is done.
package struct VerificationProgress: Sendable {
    /// The operation: `GET /pets/{id}`.
    package var label: String
    package var done: Int
    package var total: Int
}

extension Verification {
    /// The operations that the options name, in the order of the contract.
    ///
    /// - Throws: when there is no operation, and when the `x-backlot-effect` of an operation is not valid.
    func chosenOperations() throws(VerificationProblem) -> [Operation] {
        let marks = contract.findings.filter { $0.place?.pointer?.contains("/x-backlot-") == true }
        if let finding = marks.first(where: { $0.severity >= .warning }) {
            throw VerificationProblem(
                "no request was sent, because the contract contains an invalid mark: \(finding)"
            )
        }
        let known = contract.operations.compactMap(\.operationID)
        for id in options.operationIDs where !known.contains(id.exact) {
            let meant = Suggestion.nearest(to: id, among: known)
            throw VerificationProblem(
                "\(contract.path) contains no operation \"\(id.printable.shortened)\"",
                advice: meant.map { "did you mean \"\($0)\"?" }
            )
        }
        let chosen = contract.operations.filter { operation in
            let isNamed =
                options.operationIDs.isEmpty
                || operation.operationID.map { options.operationIDs.contains($0.exact) } ?? false
            return isNamed && (options.filters.isEmpty || options.filters.contains { $0.fits(operation) })
        }
        guard !chosen.isEmpty else {
            throw VerificationProblem(
                contract.operations.isEmpty
                    ? "\(contract.path) documents no operation" : "the filter matches no operation in \(contract.path)"
            )
        }
        return chosen
    }
}

extension Verification {
    /// Refuses values for parameters that do not exist.
    private func checkParameters() throws(VerificationProblem) {
        for given in options.parameters {
            let meant = contract.operations.filter { given.operations?.fits($0) != false }
            let names = meant.flatMap { $0.parameters.map(\.name) + ResourceTemplate.parameters(in: $0.path) }
            if names.contains(given.name.exact) { continue }
            let name = given.name.printable.shortened
            guard given.operations == nil || !meant.isEmpty else {
                throw VerificationProblem("the filter of --parameter before \"\(name)\" matches no operation")
            }
            let nearest = Suggestion.nearest(to: given.name, among: names)
            throw VerificationProblem(
                "no operation has a parameter \"\(name)\"",
                advice: nearest.map { "did you mean \"\($0)\"?" }
            )
        }
    }
}

/// The reason why a server could not be verified, or not to the end.
package struct VerificationProblem: Error, Sendable, Hashable {
    /// The finding and what would be right, without a closing full stop.
    package var sentence: String
    /// The remedy, without a closing full stop.
    package var advice: String?

    package init(_ sentence: String, advice: String? = nil) {
        self.sentence = sentence
        self.advice = advice
    }
}
