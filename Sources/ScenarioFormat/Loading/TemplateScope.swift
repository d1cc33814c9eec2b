/// What placeholders may speak of in the place that is being read.
struct TemplateScope {
    /// The parameters of the route's path.
    var pathParameters: [String] = []
    /// What the route has found, and what the response makes.
    var found: [PlaceholderParser.FoundName] = []
    /// Whether there is an item that the value is about.
    var hasItem = false
    /// Whether there is an element for which a change is made.
    var hasElement = false
    /// Whether there is an uploaded part that the value is about.
    var hasUpload = false
    /// Whether a request causes it.
    var hasRequest = true
    /// Whether a value may be left out.
    var mayOmit = false
    /// Whether the operands of matchers may hold placeholders: while a request is answered, and not afterwards.
    var makesOperands = true
}

extension ScenarioBuilder {
    /// Reads something in a scope that differs from the one around it.
    mutating func within<Result>(
        _ change: (inout TemplateScope) -> Void,
        read: (inout ScenarioBuilder) -> Result
    ) -> Result {
        let outer = scope
        change(&scope)
        defer { scope = outer }
        return read(&self)
    }
}
