package import JSON

/// A response, a fault or an event that a story adds to its backend.
///
/// A story in which it was not played does not show the client's reaction, so the verdict is incomplete.
package struct StoryPart: Sendable {
    package enum Kind: String, Sendable {
        /// Played by an exchange that gets one of ``responses``.
        case response
        /// Played by an exchange whose connection it breaks.
        case fault
        /// Played when it happens and changes something on the server.
        case event
        /// Played by a client that begins a TLS handshake while it applies.
        case handshake
    }

    package var kind: Kind
    /// Its name in a report, such as `response 2 of GET /feed`; no two parts of a story have the same.
    package var name: String
    package var position: JSONPosition
    /// The number of times that the story must have played it.
    package var times = 1
    /// A Boolean value that indicates whether the story is judged even if it was not played.
    package var isOptional = false
    /// A Boolean value that indicates whether chance decides if it is played.
    package var isRandom = false
    /// The key of the route that plays it; `nil` for an event.
    package var route: String?
    /// The other server whose route that is; `nil` for the backend itself.
    package var origin: String?
    /// The number of requests that its route must get before it is played completely.
    package var requests = 1
    /// The places of the responses that play it.
    package var responses: [JSONPosition] = []
    /// The status of a response.
    package var status: Int?
    /// Its trigger, for an event of the timeline.
    package var trigger: TimelineEntry.Trigger?
}
