package import JSON

/// A response, a fault or an event that a story adds to its backend.
///
/// A story in which it was not played says nothing of how the client takes it, so the verdict is incomplete then.
package struct StoryPart: Sendable {
    package enum Kind: String, Sendable {
        case response
        case fault
        case event
    }

    /// When the story must have played it.
    package enum Demand: Sendable {
        case always
        /// Only where a case answered its route instead: a story may change routes that its client never asks for.
        case unlessUnasked
    }

    package var kind: Kind
    package var demand: Demand
    /// How a report calls it, such as `response 2 of GET /feed`; no two parts of a story have the same.
    package var name: String
    package var position: JSONPosition
    /// The key of the route that plays it; `nil` for an event.
    package var route: String?
    /// The other server whose route that is; `nil` for the backend itself.
    package var origin: String?
    /// The status of a response.
    package var status: Int?
    /// What sets it off, for what stands in the timeline.
    package var trigger: TimelineEntry.Trigger?
}
