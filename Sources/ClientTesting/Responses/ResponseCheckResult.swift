package import Basics
package import Reports

/// The result of a response check for one client.
package struct ResponseCheckResult: Sendable {
    /// The client's name.
    package var client: String
    /// The contract's path.
    package var contract: String
    /// In the order of the contract.
    package var cells: [ResponseCheckCell]
    /// Findings without a call, such as an operation that the client does not have.
    package var general: [Finding]
    /// Operations that the client does not have on purpose, with the reasons, in the order of the contract.
    package var omissions: [(operation: String, reason: String)]
    /// Refusals that are results for the client, as sentences with the reasons.
    package var answers: [String] = []
    package var network: ResponseCheckOptions.Network
    /// In real time.
    package var duration: Duration

    /// Every finding, what belongs to no call first.
    package var findings: [Finding] { general + cells.flatMap(\.findings) }

    /// The platform networking's own actions; empty over the raw client.
    package var facts: [PlatformFact] { network == .urlSession ? PlatformFact.all : [] }
}

extension ResponseCheckResult: CustomStringConvertible {
    /// The message of a failing test: a line for each finding.
    package var description: String {
        let findings = findings
        let made = cells.count { $0.skipped == nil }
        var lines = ["\(client): \(made) calls, \(findings.count) findings"]
        lines += findings.map { "\($0)" }
        return lines.joined(separator: "\n")
    }
}

extension ResponseCheckResult {
    /// The result in the form of a report: a check for each call, and a table of what the client makes of each
    /// response.
    package var report: Report {
        var report = Report(title: "test", findings: general)
        report.checks = cells.map { cell in
            var check = Report.Check(
                group: client,
                name: cell.name,
                findings: cell.findings,
                skipped: cell.skipped,
                place: cell.place
            )
            check.repeated = cell.repeated
            return check
        }
        report.clients = coverage
        report.summary = summary
        return report
    }

    private var coverage: [ClientCoverage] {
        var lines: [ClientCoverage] = []
        for cell in cells {
            guard let outcome = cell.outcome else { continue }
            let isSound = !(cell.findings + cell.repeated).contains { $0.severity == .error }
            let answer = ClientCoverage.Answer(cell.answer, outcome, isSound: isSound)
            if let last = lines.indices.last, lines[last].operation.exact == cell.operation.exact {
                lines[last].answers.append(answer)
            } else {
                lines.append(
                    ClientCoverage(
                        client: client,
                        contract: contract,
                        operation: cell.operation,
                        answers: [answer],
                        place: cell.place
                    )
                )
            }
        }
        return lines
    }

    private var summary: [String] {
        var lines = omissions.map { "\(client) does without \($0.operation): \($0.reason)" }
        lines += answers.map { "\(client): \($0)" }
        var reasons: [String] = []
        for case let reason? in cells.map(\.skipped) where !reasons.contains(reason) { reasons.append(reason) }
        for reason in reasons {
            let count = cells.count { $0.skipped == reason }
            lines.append("\(count) \(count == 1 ? "call was" : "calls were") not made: \(reason)")
        }
        for fact in facts {
            let count = cells.count { $0.excuses.contains(fact) }
            let excuses = count == 0 ? "" : ", which excuses \(plural(count, "call"))"
            lines.append("\(fact.id): the platform \(fact.what)\(excuses) (\(fact.source))")
        }
        return lines
    }
}

/// The faults that a response check finds, by the stable IDs of its findings.
package enum ResponseCheckFault: String, Sendable, Hashable, CaseIterable {
    // MARK: What is sent

    /// A request that the contract does not allow, or one without the token that it requires.
    case request = "responses/request"
    /// Another operation's request than the one that was called for.
    case wrongOperation = "responses/wrong-operation"
    /// No request at all.
    case noRequest = "responses/no-request"
    /// The same request once more, though it got a response, or may have been carried out.
    case sentTwice = "responses/sent-twice"
    /// A call that is not made again with the new token.
    case notReplayed = "responses/not-replayed"

    // MARK: What comes of it

    /// A documented success that is taken for a failure.
    case refusedResponse = "responses/refused-response"
    /// A refusal that is decoded like a success, or whose body is decoded wrongly; a warning, because the call fails.
    case undecodedRefusal = "responses/undecoded-refusal"
    /// A refusal or a broken connection that is taken for a success.
    case wrongSuccess = "responses/wrong-success"
    /// A call that never ends, with nothing under way.
    case hang = "responses/hang"
    /// A call that does not stop.
    case loop = "responses/loop"
    /// Work that continues after the call has ended; a warning, because it may be intended.
    case leftOver = "responses/left-over"
    /// A client that ends the whole process.
    case crash = "responses/crash"

    // MARK: What is left of the session

    /// A session that ends though neither the user nor the server has ended it.
    case sessionLost = "responses/session-lost"
    /// A session that continues with a refresh token that the server has refused; a warning, because the app may end it.
    case sessionKept = "responses/session-kept"
    /// Stored tokens that are not those which the server has given.
    case tokensChanged = "responses/tokens-changed"

    // MARK: What the adapter says

    /// A token in the session whose name neither the client nor a grant has.
    case unknownToken = "responses/unknown-token"
    /// An adapter that throws where it is to make a client.
    case noClient = "responses/no-client"
    /// An operation that the adapter has twice.
    case adaptedTwice = "responses/adapted-twice"
    /// An operation of the contract that the adapter neither has nor leaves out with a reason.
    case noAdapter = "responses/no-adapter"
    /// A refusal that the adapter calls a result, although the call never returns one.
    case idleAnswer = "responses/idle-answer"
    /// An operation of the adapter that the contract does not have.
    case noOperation = "responses/no-operation"
}
