import Basics
import Foundation

/// Independent test data that is no part of the project.
///
/// A fresh clone has none of it, and the suites that need it are skipped; the end of a test run names them. Below
/// ``folder`` they look for
///
/// - `json-schema/tests` and `json-schema/remotes` of <https://github.com/json-schema-org/JSON-Schema-Test-Suite>, and
///   `json-schema/generated.jsonl`, a thousand further cases;
/// - `json/test_parsing` of <https://github.com/nst/JSONTestSuite>;
/// - `yaml/cases` of <https://github.com/yaml/yaml-test-suite>, as its branch `data` has them;
/// - `http/http11probe.json`, the cases of <https://github.com/MDA2AV/Http11Probe> as ``HTTPProbe`` reads them;
/// - `openapi/stripe` and `openapi/adyen`, the documents of <https://github.com/stripe/openapi> and
///   <https://github.com/Adyen/adyen-openapi>, and `openapi/*.cases.jsonl`, labelled values for both.
package enum Suites {
    /// Where it lies: `BACKLOT_SUITES`, or the folder `shared/suites` beside the project.
    package static let folder: String = {
        if let named = ProcessInfo.processInfo.environment["BACKLOT_SUITES"], !named.isEmpty { return named }
        return URL(filePath: Project.folder).deletingLastPathComponent().appending(path: "shared/suites").path()
    }()

    /// Whether a file or folder of it is there; where it is not, the end of the test run says so.
    ///
    /// - Parameter test: the file whose tests are skipped without it.
    package static func has(_ path: String, for test: String = #fileID) -> Bool {
        if FileManager.default.fileExists(atPath: "\(folder)/\(path)") { return true }
        _ = tellsAtExit
        skipped.withLock { _ = $0.insert("\(test) needs \(path)") }
        return false
    }

    private static let skipped = Lock<Set<String>>([])

    /// Has the skipped suites written when the process exits, which is after everything that the test runner has to say.
    private static let tellsAtExit: Void = {
        atexit {
            let lines = Suites.skipped.withLock { $0 }.sorted()
            let text = """

                Not run: \(lines.count) conformance suites, whose data is not in \(Suites.folder):
                  \(lines.joined(separator: "\n  "))
                BACKLOT_SUITES=FOLDER swift test runs them. Tests/TestSupport/Suites.swift says what they are.

                """
            FileHandle.standardError.write(Data(text.utf8))
        }
    }()

    /// The paths below a folder of it that end so, sorted.
    package static func files(in path: String, endingIn suffix: String) -> [String] {
        let names = FileManager.default.subpaths(atPath: "\(folder)/\(path)") ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { "\(path)/\($0)" }
    }

    package static func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(folder)/\(path)")))
    }
}
