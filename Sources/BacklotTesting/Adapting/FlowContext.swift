import ClientTesting
import Foundation
import JSON
import Testing

/// The current story of a client, for a flow.
public struct FlowContext<Client: Sendable>: Sendable {
    let context: any StoryContext<Client>

    /// The story's id, without its variant.
    public var story: String { context.story }

    /// The variant that is run; `nil` for the story itself.
    public var variant: String? { context.variant }

    /// The number of the app's launch, from 1.
    public var launch: Int { context.launch }

    /// The process of the flow, in a story with several; `nil` otherwise.
    public var process: String? { context.process }

    /// Reports a fact about the client, which the story expects with `{"client": {"screen": "list"}}`.
    ///
    /// - Parameters:
    ///   - fact: its name in the story.
    ///   - value: a string, a number, a Boolean value, or another value that can be encoded as JSON.
    public func report(_ fact: String, _ value: some Encodable & Sendable) async throws {
        let bytes: [UInt8]
        do {
            bytes = Array(try JSONEncoder().encode(value))
        } catch {
            throw TestProblem("the fact \"\(fact)\" cannot be encoded as JSON: \(error)")
        }
        await context.report(fact, try JSONParser().parse(bytes).root)
    }

    /// The client on another device of the story, with what that device has stored.
    public func client(on device: String) async throws -> Client {
        try await context.client(on: device)
    }

    /// Keeps the app open without input for a duration of virtual time.
    public func wait(_ duration: Duration) async throws {
        try await context.wait(seconds: duration / .seconds(1))
    }

    /// Performs an action whose error a user would see.
    ///
    /// - Returns: the error's name; `nil` if no error was thrown.
    public func outcome(of work: @Sendable () async throws -> Void) async -> String? {
        await context.outcome(of: work)
    }
}

/// The actions of a client's user in one launch of a story.
///
/// The client is created for each launch, with the data that the launch before stored; ``FlowContext/launch`` is its
/// number. A flow contains only actions of users and screens: the client handles its tokens. An error of a flow is a
/// finding; catch one that the user would see with ``FlowContext/outcome(of:)``.
public struct Flow<Client: Sendable>: Sendable {
    /// The story's ID; its flow also runs the story's variants.
    public let story: String
    /// The process of the flow, in a story with several; `nil` for all processes without a separate flow.
    public let process: String?
    let location: SourceLocation
    let play: @Sendable (Client, FlowContext<Client>) async throws -> Void

    /// Creates the flow of a story.
    ///
    /// - Parameters:
    ///   - story: the story's ID.
    ///   - process: the process of a story with several, such as `extension`; `nil` for all without a separate flow.
    ///   - play: the actions of the user.
    ///   - fileID: the source location of the flow, with the next three; failures of its story are issues there.
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
