import ClientTesting
import Foundation
import JSON
import Testing

/// The context in which a flow runs, including the story and the launch.
public struct FlowContext<Client: Sendable>: Sendable {
    let context: any StoryContext<Client>

    /// The story's ID, without its variant.
    public var story: String { context.story }

    /// The variant that is run, or `nil` for the story itself.
    public var variant: String? { context.variant }

    /// The app's launch number, starting at 1.
    public var launch: Int { context.launch }

    /// The flow's process in a story with several processes, or `nil` in other stories.
    public var process: String? { context.process }

    /// Reports a fact about the client for the story's expectations, such as `{"client": {"screen": "list"}}`.
    ///
    /// - Parameters:
    ///   - fact: The fact's name in the story.
    ///   - value: The fact's value: a string, a number, a Boolean value or another value that can be encoded as JSON.
    public func report(_ fact: String, _ value: some Encodable & Sendable) async throws {
        let bytes: [UInt8]
        do {
            bytes = Array(try JSONEncoder().encode(value))
        } catch {
            throw TestProblem("the fact \"\(fact)\" cannot be encoded as JSON: \(error)")
        }
        await context.report(fact, try JSONParser().parse(bytes).root)
    }

    /// Returns the client on another device in the story, with the data that the device has stored.
    public func client(on device: String) async throws -> Client {
        try await context.client(on: device)
    }

    /// Keeps the app open without input for a duration of virtual time.
    public func wait(_ duration: Duration) async throws {
        try await context.wait(seconds: duration / .seconds(1))
    }

    /// Performs an action whose errors the app would show to the user.
    ///
    /// - Returns: The name of the error, or `nil` if no error was thrown.
    public func outcome(of work: @Sendable () async throws -> Void) async -> String? {
        await context.outcome(of: work)
    }
}

/// The user's actions in one launch of a story.
///
/// A new client is created for each launch with the data that the previous launch stored. ``FlowContext/launch`` is the
/// launch number. A flow contains only the actions of users and screens, because the client itself handles its tokens.
/// An error thrown by a flow is a finding. Use ``FlowContext/outcome(of:)`` to catch errors that the app would show to
/// the user.
public struct Flow<Client: Sendable>: Sendable {
    /// The story's ID.
    ///
    /// The flow is also run for the story's variants.
    public let story: String
    /// The flow's process in a story with several processes, or `nil` for all processes without a separate flow.
    public let process: String?
    let location: SourceLocation
    let play: @Sendable (Client, FlowContext<Client>) async throws -> Void

    /// Creates a flow for a story.
    ///
    /// - Parameters:
    ///   - story: The story's ID.
    ///   - process: The process in a story with several processes, such as `extension`, or `nil` for all processes
    ///     without a separate flow.
    ///   - play: The user's actions.
    ///   - fileID: The source location of the flow, together with the following three parameters. The story's failures
    ///     are recorded there.
    public init(
        _ story: String,
        process: String? = nil,
        play: @escaping @Sendable (Client, FlowContext<Client>) async throws -> Void,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) {
        self.story = story
        self.process = process
        location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        self.play = play
    }
}
