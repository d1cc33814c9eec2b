import Basics
import JSON

extension PlaceholderParser {
    /// The names that a scenario declares and placeholders may use.
    struct Vocabulary {
        var kinds: [String] = []
        var counters: [String] = []
        var states: [String] = []
        /// The story's other servers.
        var origins: [String] = []
        /// The parameters of the route's path, where there is a route.
        var pathParameters: [String] = []
        /// What is known of any account.
        var accountData: [String] = []
        /// What the route has found, and what the response makes, by name.
        var found: [FoundName] = []
        /// Whether there is an item that the value is about.
        var hasItem = false
        /// Whether there is an element for which a change is made.
        var hasElement = false
        /// Whether there is an uploaded part that the value is about.
        var hasUpload = false
        /// Whether a request causes it.
        var hasRequest = true
        /// Whether a value may be left out where it stands.
        var mayOmit = false
    }

    /// Something that a response may speak of by its name.
    struct FoundName {
        var name: String
        var collection = ""
        /// Whether it is one account, which has a name.
        var isAccount = false
        /// What there is to see where it is a list.
        var listMembers: [String]?

        /// Why nothing can be in a place of it; `nil` where something may.
        func problem(with pointer: JSONPointer) -> Problem? {
            guard let listMembers, let first = pointer.tokens.first, !listMembers.containsExactly(first) else {
                return nil
            }
            return Problem(
                message: "what is found as \"\(name)\" is a list, which has no \"\(first)\"",
                advice: first == "sum"
                    ? "let the selection have \"sum\"" : PlaceholderParser.advice(for: first, among: listMembers)
            )
        }
    }
}
