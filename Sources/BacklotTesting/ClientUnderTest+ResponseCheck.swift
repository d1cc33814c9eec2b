import ClientTesting
import Reports

extension ClientUnderTest {
    /// Makes every call with every answer that the contract documents for it, and with connections that fail.
    ///
    /// Each request that the client sends is held against the contract; so is what it makes of the answer: a documented
    /// success must be a value, a refusal an error, and nothing but the end of the session may end the session.
    ///
    /// - Parameter operations: the calls that are wanted, by `operationId`, where `*` stands for anything; all when there
    ///   is none.
    /// - Throws: ``TestProblem`` when the contract cannot be found or used, or has no such operation.
    public func testDocumentedResponses(of operations: String...) async throws -> CheckReport {
        let adapted = try AdaptedClient(self)
        var options = ResponseCheckOptions(operations: operations)
        if isOnURLSession { options.network = .urlSession }
        let matrix = ResponseCheck(adapted, contract: try adapted.loadContract(with: operations), options)
        var report = try await matrix.run().report
        report.title = "matrix of \(name)"
        return CheckReport(report: report)
    }
}
