import Basics
import Reports
import TestSupport
import Testing

@Suite
struct `A report` {
    private static let folder = FilePath.folder(of: #filePath) + "/Golden"

    @Test(arguments: ReportFormat.allCases, ["full", "held", "empty", "stories"])
    func `is written as the golden file has it`(format: ReportFormat, name: String) throws {
        let report = try #require(SampleReport.named.first { $0.name == name }).report
        let path = "\(Self.folder)/\(name).\(format.rawValue)"
        let text = Self.withoutStyle(format.text(of: report))
        guard !Golden.isUpdated else { return try Golden.update(path, to: text) }
        #expect(text == (try Golden.text(of: path)))
    }

    /// A page without its style sheet, which is the same in all of them.
    private static func withoutStyle(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard
            let start = lines.firstIndex(where: { $0.hasSuffix("<style>") }),
            let end = lines[start...].firstIndex(where: { $0.hasPrefix("</style>") })
        else { return text }
        return (lines[...start] + lines[end...]).joined(separator: "\n")
    }

    @Test func `is coloured for a terminal only`() {
        let plain = TextReport(SampleReport.full).text
        let coloured = TextReport(SampleReport.full, isColoured: true).text
        #expect(!plain.contains("\u{1B}"))
        #expect(coloured.contains("\u{1B}[31m"))
        #expect(!coloured.contains("control \u{1B}"))
    }

    @Test(arguments: ReportFormat.allCases)
    func `is the same every time`(format: ReportFormat) {
        #expect(format.text(of: SampleReport.full) == format.text(of: SampleReport.full))
    }
}
