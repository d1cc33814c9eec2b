import Foundation

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
