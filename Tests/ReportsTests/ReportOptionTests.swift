import Testing

@testable import Reports

@Suite
struct `The option --report` {
    @Test func `names a format and a file`() throws {
        let option = try ReportOption("junit=out/report=1.xml")
        #expect(option.format == .junit)
        #expect(option.file == "out/report=1.xml")
        #expect(try ReportOption("json=-").file == nil)
    }

    @Test(arguments: [
        ("jnit=a.xml", "unknown report format \"jnit\"; did you mean junit?"),
        (
            "pdf=a.pdf",
            "unknown report format \"pdf\"; the formats are text, json, junit, sarif, github, markdown and html"
        ),
        ("sarif", "a report requires a file: sarif=FILE, or sarif=- for standard output"),
        ("sarif=", "a report requires a file: sarif=FILE, or sarif=- for standard output"),
    ])
    func `says what is wrong with a text`(text: String, sentence: String) {
        #expect(throws: ReportOptionProblem(sentence: sentence)) { try ReportOption(text) }
    }
}
