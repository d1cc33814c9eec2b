import Foundation
import TestSupport
import Testing

/// A reader of reports that somebody else wrote, a package of Python: used where it is installed, needed nowhere.
struct IndependentReader: Sendable, CustomTestStringConvertible {
    /// The package's module, such as `junitparser`.
    var module: String
    /// A program that reads the file named by its first argument, and fails when it finds fault with it.
    var program: String

    var testDescription: String { module }

    static let junitparser = IndependentReader(
        module: "junitparser",
        program: """
            import sys, junitparser
            report = junitparser.JUnitXml.fromfile(sys.argv[1])
            cases = [case for suite in report for case in suite]
            for suite in report: assert suite.tests == len(list(suite)), suite.name
            assert report.tests == len(cases), report.tests
            results = [result for case in cases for result in case.result]
            assert report.failures == sum(isinstance(result, junitparser.Failure) for result in results)
            assert report.skipped == sum(isinstance(result, junitparser.Skipped) for result in results)
            """
    )
    static let sarifTools = IndependentReader(
        module: "sarif",
        program: """
            import sys, sarif.loader
            report = sarif.loader.load_sarif_file(sys.argv[1])
            assert report.get_distinct_tool_names() == ["backlot"]
            for record in report.get_records(): assert record["Severity"] in ("error", "warning", "note"), record
            """
    )
    static let sarifPydantic = IndependentReader(
        module: "sarif_pydantic",
        program: """
            import sys, sarif_pydantic
            with open(sys.argv[1]) as file: report = sarif_pydantic.Sarif.model_validate_json(file.read())
            assert report.runs[0].tool.driver.name == "backlot"
            """
    )

    /// Reads a report; returns what it has to say when it finds fault, else nothing.
    func complaint(about text: String) async throws -> String? {
        let file = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString).report")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let reading = try await IndependentReader.python(program, file.path())
        return reading.status == 0 ? nil : reading.output
    }

    private static func python(_ program: String, _ arguments: String...) async throws -> FinishedProgram {
        try await FinishedProgram(running: "/usr/bin/env", ["python3", "-c", program] + arguments)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, and says so, where the reader is missing.
    static func installed(_ reader: IndependentReader) -> Self {
        .enabled("Python's \(reader.module) is not installed") { await Python.imports(reader.module) }
    }
}
