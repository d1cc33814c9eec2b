import Basics
import Checking
import HTTPCodec
import JSON
import Reports
import Rules
import ScenarioFormat
import Simulation
package import StubServing

extension SessionDocument {
    /// The documents that `backlot serve` makes of a session: the report, an archive, its picture, and a story.
    ///
    /// - Parameter version: that of the program, which an archive names.
    package static func all(version: String) -> [SessionDocument] {
        [
            SessionDocument("report", contentType: "text/html; charset=utf-8", file: "report.html") { source in
                var report = Report(title: "report")
                let story = PlayedStory(source.recording)
                report.stories = [story]
                report.checks = story.checks
                return ReportFormat.html.text(of: report)
            },
            SessionDocument("har", contentType: "application/json", file: "session.har") { source in
                source.recording.har(version: version).text(.pretty) + "\n"
            },
            SessionDocument("picture", contentType: "image/svg+xml", file: "picture.svg") { source in
                SequencePicture(PlayedStory(source.recording)).svg
            },
            SessionDocument("story", contentType: "application/json", file: "story.json") { source in
                StoryDraft(source).text
            },
        ]
    }
}

/// The story of what has just happened in a session, as the text of a scenario file.
///
/// It extends the file that is played. Time stands still in it and moves where it moved; what was asked of the admin API
/// happens again after the same exchanges; the expectations are how many requests came for each route, which is for its
/// author to make right where the client was wrong.
struct StoryDraft {
    private let source: SessionDocument.Source
    /// The shortest pause in virtual time that the story contains; shorter ones are a person's at the keyboard.
    private static let shortestPause = Duration.seconds(60)

    init(_ source: SessionDocument.Source) {
        self.source = source
    }

    private var exchanges: [Exchange] { source.recording.evidence.exchanges.filter { $0.origin == nil } }

    var text: String {
        let session = source.session
        let root = DraftScenario(source.loaded.root.object ?? [:])
        let happened = (root[.timeline]?.array ?? []) + timeline
        let clock = DraftScenario(root[.clock]?.object ?? [:])
        let isFrozen = clock[.automatic] == nil && clock[.rate] == nil
        var story: DraftScenario = [
            .extends: .string(FilePath.name(of: source.loaded.path)),
            .id: .string("\(source.loaded.scenario.story?.id ?? source.recording.backend.storyWord)-again"),
            .title: .string("What happened in session \(session.name)"),
            .about: .string(
                "Recorded from \(exchanges.count) exchanges; describe the behavior of a correct client here."
            ),
        ]
        if source.recording.dropped > 0 {
            story.comment = .string(
                "The journal had dropped \(source.recording.dropped) exchanges, so earlier requests are missing here."
            )
        }
        story.set([
            .clock: .scenario([.start: .string(session.start.description), .frozen: isFrozen ? true : nil]),
            .timeline: happened.isEmpty ? nil : .array(happened),
            .expect: .array(expectations),
        ])
        return String(decoding: JSONLayout.lines.utf8(story.json), as: UTF8.self)
    }

    /// Commands and pauses in their order.
    private var timeline: [JSONValue] {
        var entries: [DraftEvent] = []
        var counts: [String: Int] = [:]
        var trigger: DraftEvent = [.at: "0s"]
        var commands = source.session.commands[...]
        var latest = source.session.start
        for exchange in exchanges {
            var movesClock = false
            while let command = commands.first, command.afterExchange < exchange.number {
                commands.removeFirst()
                let event = DraftEvent(command.tree.object ?? [:])
                movesClock = movesClock || Self.movesClock(event)
                entries.append(trigger.setting(event))
            }
            let pause = exchange.time - latest
            if !movesClock, pause >= Self.shortestPause {
                let seconds = Duration.seconds(pause.components.seconds)
                entries.append(trigger.setting([.advance: .string(DurationText.text(seconds))]))
            }
            latest = exchange.time
            guard let route = exchange.route else { continue }
            counts[route, default: 0] += 1
            trigger = [.after: .expectation([.request: .string(route), .count: .number(counts[route] ?? 1)])]
        }
        entries += commands.map { trigger.setting(DraftEvent($0.tree.object ?? [:])) }
        return entries.map(\.json)
    }

    private static func movesClock(_ event: DraftEvent) -> Bool {
        [DraftKeys.Event.advance, .set, .rate, .automatic, .freeze].contains { event[$0] != nil }
            && event[.update] == nil
    }

    /// The number of requests of each route, in the order of the first ones.
    private var expectations: [JSONValue] {
        var routes: [String] = []
        var found: [String: (count: Int, statuses: Set<Int>)] = [:]
        for exchange in exchanges {
            guard let route = exchange.route else { continue }
            if found[route] == nil { routes.append(route) }
            found[route, default: (0, [])].count += 1
            found[route, default: (0, [])].statuses.insert(exchange.status.code)
        }
        return routes.map { route in
            let statuses = found[route]?.statuses ?? []
            return .expectation([
                .request: .string(route), .count: .number(found[route]?.count ?? 0),
                .status: statuses.count == 1 ? statuses.first.map { JSONValue.number($0) } : nil,
            ])
        }
    }
}

extension String {
    /// The letters and digits of a name, for an id.
    fileprivate var storyWord: String {
        let letters = unicodeScalars.filter { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        }
        return letters.isEmpty ? "story" : String(String.UnicodeScalarView(letters))
    }
}
