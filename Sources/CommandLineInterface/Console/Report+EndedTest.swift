import Basics
package import Reports

extension Report {
    /// What is left to say about a test that a client has brought to an end.
    ///
    /// - Parameters:
    ///   - deed: what the client has done.
    ///   - latest: what was under way, the latest first.
    ///   - advice: what to look for.
    package init(ofTestEndedBy deed: String, latest: [String], advice: String) {
        var message = "\(deed), " + (latest.first.map { "at or shortly after \($0)" } ?? "before the first call")
        if latest.count > 1 {
            message += "; under way may also have been \(latest.dropFirst().joined(separator: ", "))"
        }
        let remedy = "run that alone with --operation or --story, \(advice); what else was found is lost"
        self.init(title: "test", findings: [Finding(.error, id: "responses/crash", message, advice: remedy)])
    }
}
