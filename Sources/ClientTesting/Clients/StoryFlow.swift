package import JSON

/// What the user of a client does in one launch of a story.
///
/// The client is made with what the launch before has left; what the flow throws ends the launch and is a finding.
package typealias StoryFlow<Client: Sendable> = @Sendable (Client, any StoryScene<Client>) async throws -> Void

/// The story that a client plays, as a flow sees it.
package protocol StoryScene<Client>: Sendable {
    associatedtype Client: Sendable

    /// The story's id, without its variant.
    var story: String { get }
    /// The variant that is played; `nil` for the story as it is.
    var variant: String? { get }
    /// Which start of the app this is, from 1.
    var launch: Int { get }

    /// Tells something about the client, as `{"client": …}` expects it.
    func report(_ fact: String, _ value: JSONValue) async

    /// The client on another device of the story, with what that device has stored.
    func client(on device: String) async throws -> Client

    /// The user does nothing for so long, in seconds, with the app open; no real time passes.
    func wait(seconds: Double) async throws

    /// Whether anything of an outcome is seen on the screen: the name of what was thrown, or `nil` for success.
    func outcome(of work: @Sendable () async throws -> Void) async -> String?
}
