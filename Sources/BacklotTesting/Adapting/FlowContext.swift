import ClientTesting
import Foundation
import JSON
import Testing

/// The story that a client is in, as a flow sees it.
public struct FlowContext<Client: Sendable>: Sendable {
    let context: any StoryContext<Client>

    /// The story's id, without its variant.
    public var story: String { context.story }

    /// The variant that is run; `nil` for the story itself.
    public var variant: String? { context.variant }

    /// Which start of the app this is, from 1.
    public var launch: Int { context.launch }

    /// The process that the flow is run in, in a story with several; `nil` in every other.
    public var process: String? { context.process }

    /// Reports a fact about the client, as `{"client": {"screen": "list"}}` in the story expects it.
    ///
    /// - Parameters:
    ///   - fact: its name in the story.
    ///   - value: a text, a number, a truth value, or anything else that can be JSON.
    public func report(_ fact: String, _ value: some Encodable & Sendable) async throws {
        let bytes: [UInt8]
        do {
            bytes = Array(try JSONEncoder().encode(value))
        } catch {
            throw TestProblem("the fact \"\(fact)\" cannot be JSON: \(error)")
        }
        await context.report(fact, try JSONParser().parse(bytes).root)
    }

    /// The client on another device of the story, with what that device has stored.
    public func client(on device: String) async throws -> Client {
        try await context.client(on: device)
    }

    /// The user does nothing for this time, with the app open; no real time passes.
    public func wait(_ duration: Duration) async throws {
        try await context.wait(seconds: duration / .seconds(1))
    }

    /// Does something whose error a user would see.
    ///
    /// - Returns: the error's name; `nil` when no error was thrown.
    public func outcome(of work: @Sendable () async throws -> Void) async -> String? {
        await context.outcome(of: work)
    }
}

/// What the user of a client does in one launch of a story.
///
/// The client is made anew for each launch, with what the launch before has stored; ``FlowContext/launch`` says which it
/// is. Only what users and screens do belongs here: the client handles its tokens. What a flow throws is a finding;
/// take an error where the user would see one, with ``FlowContext/outcome(of:)``.
public struct Flow<Client: Sendable>: Sendable {
    /// The story's id; a story's variants are run by its flow, too.
    public let story: String
    /// The process of a story with several that it is the flow of; `nil` for all that have none of their own.
    public let process: String?
    let location: SourceLocation
    let play: @Sendable (Client, FlowContext<Client>) async throws -> Void

    /// What happens in a story.
    ///
    /// - Parameters:
    ///   - story: the story's id.
    ///   - process: the process of a story with several, such as `extension`; `nil` for all that have no flow of their
    ///     own.
    ///   - play: uses the client as its user does.
    ///   - fileID: where the flow is written, as the next three; what is wrong in its story is an issue there.
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
