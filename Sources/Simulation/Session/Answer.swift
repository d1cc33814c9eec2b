import HTTPCodec

/// The response that was chosen for a request, and why.
struct Answer {
    enum Source {
        case scenario(CompiledResponse)
        case problem(Problem)
        /// A message that the contract documents, without a date.
        case documented(HTTPResponse)
    }

    var source: Source
    var nearest: NearestRoute?
    /// The methods of a known path, for a response that has to name them.
    var allowedMethods: [String]?
    /// The sequence that the response is the next one of, and that counts on when the response is made.
    var sequence: Session.SequenceKey?

    init(_ response: CompiledResponse) {
        source = .scenario(response)
    }

    init(_ problem: Problem) {
        source = .problem(problem)
    }

    init(documented response: HTTPResponse) {
        source = .documented(response)
    }
}
