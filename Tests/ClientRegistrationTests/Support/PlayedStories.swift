import ContractRunner
import Foundation
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
        return await run.play(adapter, from: Project.folder)
    }

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
