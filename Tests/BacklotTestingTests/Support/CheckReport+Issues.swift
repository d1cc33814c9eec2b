import Basics
import Testing

@testable import BacklotTesting

extension CheckReport {
    /// The issues that the report records; they do not fail the test.
    var recordedIssues: [Issue] {
        let recorded = Lock<[Issue]>([])
        withKnownIssue {
            recordIssues()
        } matching: { issue in
            recorded.withLock { $0.append(issue) }
            return true
        }
        return recorded.withLock { $0 }
    }
}
