import HTTPCodec

/// The response that was chosen for a request, and why.
struct ChosenResponse {
    /// The rare ones lie elsewhere, so that the usual one is small.
    enum Source {
        case scenario(CompiledResponse)
        indirect case problem(Problem)
        /// A message that the contract documents, without a date.
        indirect case documented(HTTPResponse)
    }

    var source: Source
    var nearest: NearestRoute?
    /// The methods of a known path, for a response that has to name them.
    var allowedMethods: [String]?
    /// The sequence that the response is the next one of, and that counts on when the response is made.
    var sequence: ResponseSequences.Key?

    init(_ response: CompiledResponse) {
        source = .scenario(response)
    }

    init(_ problem: Problem) {
        source = .problem(problem)
    }

    init(documented response: HTTPResponse) {
        source = .documented(response)
    }

    /// A Boolean value that indicates whether the upstream server responds.
    var isForwarded: Bool {
        if case .scenario(let response) = source { response.isForwarded } else { false }
    }

    /// A Boolean value that indicates whether the response, or a change with it, reads the request's body as JSON.
    var readsBody: Bool {
        if case .scenario(let response) = source { response.readsBody } else { false }
    }
}
