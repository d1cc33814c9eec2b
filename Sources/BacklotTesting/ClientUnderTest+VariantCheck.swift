import Basics
import ClientTesting
import Reports

extension ClientUnderTest {
    /// Makes every call with every form of response that its schema allows, and with some that it forbids.
    ///
    /// Absent and null members, empty and long lists, numbers at their bounds, texts of every script: whatever the
    /// contract allows must come back as a value that is the same when it is encoded again. A response without a required
    /// member must be refused.
    ///
    /// - Parameters:
    ///   - operations: the calls that are wanted, by `operationId`, where `*` stands for anything; all when there is none.
    ///   - seed: what chance begins with; the same seed makes the same responses.
    /// - Throws: ``TestProblem`` when the contract cannot be found or used, or has no such operation.
    public func testResponseVariants(of operations: String..., seed: UInt64 = 1) async throws -> CheckReport {
        guard !isOnURLSession else {
            throw TestProblem("responses are not swept over the platform's own networking, which would take minutes")
        }
        let adapted = try AdaptedClient(self)
        let options = VariantCheckOptions(operations: operations, seed: seed)
        let sweep = VariantCheck(adapted, contract: try adapted.loadContract(with: operations), options)
        var report = await sweep.run().report
        report.title = "sweep of \(name)"
        return CheckReport(report: report)
    }
}
