import Basics
import ClientTesting
import Foundation
import StoryRunning
import TestSupport

/// Plays stories of this package to a client.
///
/// `BACKLOT_STORIES=WI-03,WI-04 swift test --filter 'A registered client'` plays only these, and `BACKLOT_SCHEDULES=50`
/// plays those with a race so often.
enum PlayedStories {
    /// - Parameter ids: the only stories that are wanted; what the environment says when `nil`.
    static func outcome(
        of adapter: some ClientAdapter,
        only ids: [String]? = nil,
        schedules: Int? = nil,
        seed: UInt64? = nil
    ) async -> FlowRun.Outcome {
        var run = FlowRun()
        run.only = ids ?? named(of: adapter)
        run.schedules = schedules ?? ProcessInfo.processInfo.environment["BACKLOT_SCHEDULES"].flatMap { Int($0) } ?? 1
        run.seed = seed
        return await play(adapter, in: run)
    }

    static func play(_ adapter: some ClientAdapter, in run: FlowRun = FlowRun()) async -> FlowRun.Outcome {
        await run.play(selection(for: adapter), to: adapter)
    }

    /// The stories of a client's folder, read once for all tests.
    private static func selection(for adapter: some ClientAdapter) -> StorySelection {
        guard let folder = adapter.stories else { return StorySelection([]) }
        return selections.withLock { selections in
            if let known = selections[folder] { return known }
            let selection = StorySelection(["\(Project.folder)/\(folder)"])
            selections[folder] = selection
            return selection
        }
    }

    private static let selections = Lock<[String: StorySelection]>([:])

    /// The stories among those in the environment that belong to a client; none when there is none, which means all.
    private static func named(of adapter: some ClientAdapter) -> [String] {
        let ids = (ProcessInfo.processInfo.environment["BACKLOT_STORIES"] ?? "").split(separator: ",").map(String.init)
        return ids.filter { id in adapter.flows.keys.contains { id == $0 || id.hasPrefix($0 + "/") } }
    }

    /// Whether the environment means other clients only.
    static func isLeftOut(_ adapter: some ClientAdapter) -> Bool {
        ProcessInfo.processInfo.environment["BACKLOT_STORIES"] != nil && named(of: adapter).isEmpty
    }
}
