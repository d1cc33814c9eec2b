import Reports
import Testing

@Suite struct `The coverage of a client` {
    @Test func `counts an operation once, however often it was asked for`() {
        func line(_ operation: String, _ answers: String...) -> ClientCoverage {
            let answers = answers.map { ClientCoverage.Answer($0, "value", isSound: true) }
            return ClientCoverage(client: "Pets", contract: "pets.json", operation: operation, answers: answers)
        }
        var report = Report(title: "test")
        report.clients = [line("getPet", "200", "204"), line("addPet", "201"), line("getPet", "200")]
        let words = "Pets got 4 responses to 2 operations: 4 values, 0 errors, all correct"
        #expect(ReportFormat.text.text(of: report).contains(words), "\(ReportFormat.text.text(of: report))")
    }
}
