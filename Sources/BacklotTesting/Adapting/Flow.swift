/// What the user of a client does in one launch of a story.
///
/// The client is made anew for each launch, with what the launch before has stored; ``FlowScene/launch`` tells which it
/// is. Only what users and screens do belongs here: tokens are the client's business. What a flow throws is a finding;
/// take an error where the user would see one, with ``FlowScene/outcome(of:)``.
public struct Flow<Client: Sendable>: Sendable {
    /// The story's id; a story's variants are played by its flow, too.
    public let story: String
    let play: @Sendable (Client, FlowScene<Client>) async throws -> Void

    /// What happens in a story.
    ///
    /// - Parameters:
    ///   - story: the story's id.
    ///   - play: uses the client as its user does.
    public init(_ story: String, play: @escaping @Sendable (Client, FlowScene<Client>) async throws -> Void) {
        self.story = story
        self.play = play
    }
}
