import Foundation

/// Why a call of ``SmeemService`` came to nothing: what the app tells its user.
public enum SmeemError: ServiceError, Hashable {
    /// The server says that this cannot be done (400 to 499), and would say so again.
    case clientError(Smeem.Refusal)
    /// The server could not do it (500 and above), and may another time.
    case serverError(Smeem.Refusal)
    /// There is no answer: the user's connection, most often.
    case userError(TransportFailure)
    /// The server did it, or says so, in an answer that cannot be read.
    case unreadable(UndecodableResponse)
    /// Kakao or Apple does not know the token, so the user has to sign in there again. Nothing was stored.
    case socialTokenRefused(Smeem.Refusal)
    /// Somebody else has taken the nickname; the user chooses another one, and stays signed in.
    case nicknameTaken(Smeem.Nickname)
    /// Nobody is signed in, and nothing was sent.
    case signedOut
    /// The session is over; its tokens are forgotten.
    case sessionEnded(SessionEvent.Reason)
    /// The tokens cannot be read, saved or cleared, for the reason given.
    case storage(String)
    /// The request breaks a rule of the server, and was not sent, for the reason given.
    case unsendable(String)
}

extension SmeemError: ServiceWords {
    init(_ problem: ServiceProblem) {
        self =
            switch problem {
            case .transport(let failure): .userError(failure)
            case .status(let response) where (400..<500).contains(response.status):
                .clientError(Smeem.Refusal(response))
            case .status(let response): .serverError(Smeem.Refusal(response))
            case .undecodable(let response): .unreadable(response)
            case .signedOut: .signedOut
            case .sessionEnded(let reason): .sessionEnded(reason)
            case .storage(let reason): .storage(reason)
            case .unsendable(let reason): .unsendable(reason)
            }
    }

    /// What the server said, if it said no.
    public var refusal: Smeem.Refusal? {
        switch self {
        case .clientError(let refusal), .serverError(let refusal), .socialTokenRefused(let refusal): refusal
        default: nil
        }
    }

    /// Whether the same call may work in a while, so that a screen should offer to try again.
    public var isTemporary: Bool {
        switch self {
        case .userError(let failure): failure.isTemporary
        case .clientError(let refusal): refusal.status == 429
        case .serverError: true
        default: false
        }
    }

    /// Whether the server may have done what it was asked for, although nobody knows.
    public var leavesDoubt: Bool {
        switch self {
        case .userError(let failure): !failure.isBeforeSending
        case .serverError, .unreadable: true
        default: false
        }
    }

    /// Whether nobody is signed in, or nobody is any more, so that the sign-in screen is next.
    public var needsSignIn: Bool {
        switch self {
        case .signedOut, .sessionEnded: true
        default: false
        }
    }
}

extension Smeem {
    /// What the server says when it says no.
    ///
    /// There are three kinds of bodies: a broken rule or an exception tells its message at the top, a refused token in an
    /// answer inside the answer, and the web framework has words of its own. None of them is needed to know what to do:
    /// the status tells it.
    public struct Refusal: Sendable, Hashable {
        /// The answer's status.
        public var status: Int
        /// The server's words, for people or for developers; `nil` when they cannot be read.
        public var message: String?

        /// A refusal with a status and the server's words.
        public init(status: Int, message: String? = nil) {
            self.status = status
            self.message = message
        }

        init(_ response: TransportResponse) {
            self.init(
                status: response.status,
                message: (try? JSONDecoder().decode(Body.self, from: response.body))?.words
            )
        }

        /// The rule that was broken: what the message has in brackets.
        public var rule: String? {
            guard let message, message.hasPrefix("["), let end = message.firstIndex(of: "]") else { return nil }
            return message[message.index(after: message.startIndex)..<end].trimmingCharacters(in: .whitespaces)
        }

        private struct Body: Decodable {
            var message: String?
            var error: String?
            var body: Inner?

            struct Inner: Decodable {
                var message: String?
            }

            var words: String? { message ?? body?.message ?? error }
        }
    }
}
