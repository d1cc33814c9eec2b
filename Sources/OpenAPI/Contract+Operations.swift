package import Basics
package import HTTPCodec

extension Contract {
    /// The operation that a request is for, and the values of its path parameters.
    ///
    /// A concrete path wins over a templated one (OpenAPI 3.1, section 4.8.8.2), as long as it has the method. The path
    /// may begin with a server's; a query behind it does not matter.
    package func operation(_ method: HTTPMethod, _ path: String) -> MatchedOperation? {
        let matches = index.matches(path)
        guard let match = matches.first(where: { operations[$0.number].method == method }) else { return nil }
        return MatchedOperation(
            operation: operations[match.number],
            pathValues: Dictionary(match.values, uniquingKeysWith: { first, _ in first })
        )
    }

    /// The operations on a path, whatever their method: each method once, from the path that fits best.
    package func operations(at path: String) -> [Operation] {
        var methods: Set<HTTPMethod> = []
        return index.matches(path).map { operations[$0.number] }.filter { methods.insert($0.method).inserted }
    }

    /// The operation that a scenario's route stands for: the same method, and the same template but for the names of
    /// its parameters; or one that a concrete path of the route matches.
    package func operation(_ method: HTTPMethod, template: PathTemplate) -> Operation? {
        index.matches(template).lazy.map { operations[$0] }.first { $0.method == method }
    }
}
