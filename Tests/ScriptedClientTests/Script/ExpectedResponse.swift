import HTTPCodec

/// What comes back, as a client sees it.
enum ExpectedResponse: Sendable, Hashable {
    case status(Int)
    case broken(Breakage)

    /// Whether the response that came is this one.
    func fits(_ response: ReceivedResponse) -> Bool {
        switch (self, response.content) {
        case (.status(let wanted), .response(let response)): wanted == response.status.code
        // Nobody who has got nothing can tell whether the server did its work.
        case (.broken(.empty), .broken(.lost)): true
        case (.broken(let wanted), .broken(let came)): wanted == came
        default: false
        }
    }

    var words: String {
        switch self {
        case .status(let code): "\(code)"
        case .broken(let breakage): breakage.rawValue
        }
    }
}

/// How a response fails to come.
enum Breakage: String, Sendable, Hashable, CaseIterable {
    case reset
    case empty
    case truncated
    case malformed
    case garbage
    /// The client hangs up before anything has come.
    case never
    /// Nothing comes, although the server has done its work.
    case lost
}
