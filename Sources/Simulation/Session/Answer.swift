import HTTPCodec

/// The reply that was chosen for a request, and why.
struct Answer {
    enum Source {
        case scenario(CompiledReply)
        case problem(Problem)
        /// A message that the contract documents, without a date.
        case documented(HTTPResponse)
    }

    var source: Source
    var nearest: NearestRoute?
    /// The methods of a known path, for a reply that has to name them.
    var allowedMethods: [String]?
    /// The sequence that the reply is the next one of, and that counts on when the reply is made.
    var sequence: Session.SequenceKey?

    init(_ reply: CompiledReply) {
        source = .scenario(reply)
    }

    init(_ problem: Problem) {
        source = .problem(problem)
    }

    init(documented response: HTTPResponse) {
        source = .documented(response)
    }
}
