package import Basics
package import JSON
import ScenarioFormat
package import Simulation

/// A story as it was run: what a journal that is kept for later has to hold.
///
/// A reader of it needs neither the server nor the scenario any more.
package struct Recording: Sendable {
    /// The title of the story, and the texts next to it.
    package struct Heading: Sendable, Hashable {
        package var id: String
        package var title: String
        package var about: String
        package var reproduces: [String]
        /// The file that it was loaded from, as the user would write it.
        package var file: String
        package var isSilent: Bool
    }

    /// The version of the form in which recordings are saved.
    package static let version = 1

    package var session: String
    package var backend = ""
    /// `nil` where a backend was served without a story.
    package var heading: Heading?
    package var seed: UInt64 = 0
    /// The number of exchanges that the journal dropped to stay within its bounds.
    package var dropped = 0
    /// A Boolean value that indicates whether a server of others responded, whose responses are judged like the requests.
    package internal(set) var isCaptured = false
    /// A Boolean value that indicates whether only some of the exchanges were asked for.
    package var isFiltered = false
    package var evidence = Evidence()
    package var verdict = Verdict()
}

extension Recording {
    /// Records a session, and judges it.
    ///
    /// - Parameters:
    ///   - file: the file that its scenario was loaded from.
    ///   - sources: where its expectations stand.
    ///   - exits: how the client's launches have ended, where the run started them.
    ///   - processExits: the same by process, where several share the session.
    ///   - isProvisional: whether the client may be in the middle of something.
    package init(
        _ session: Session,
        file: String,
        in sources: SourceMap,
        exits: [Int] = [],
        processExits: [String: [Int]] = [:],
        isProvisional: Bool = false,
        at now: MonotonicTime
    ) {
        let scenario = session.played.scenario
        self.session = session.name
        backend = scenario.backend
        heading = scenario.story.map { story in
            Heading(
                id: story.id,
                title: story.title,
                about: story.about,
                reproduces: story.reproduces,
                file: file,
                isSilent: story.isSilent
            )
        }
        seed = session.seed
        dropped = session.journal.dropped
        evidence = Evidence(session, at: now)
        evidence.exits = exits
        evidence.processExits = processExits
        evidence.isProvisional = isProvisional
        verdict = Verdict(on: scenario, by: evidence, in: sources)
        // Judged as they were sent, and kept in a form that signs no client in.
        for index in evidence.exchanges.indices { evidence.exchanges[index] = session.shown(evidence.exchanges[index]) }
        for index in evidence.collections.indices {
            evidence.collections[index].items = evidence.collections[index].items.map { session.shown($0) }
        }
    }
}
