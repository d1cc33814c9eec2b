import ScenarioFormat

/// A story and what the user does in it, made so that a class of bug shows.
struct BugCase: Sendable, CustomStringConvertible {
    /// Something that the user does, or that happens to the user's device.
    enum Action: Sendable {
        case load([Request])
        /// Opens one screen after the other without waiting for any, at moments that the seed decides.
        case browse([Request], within: Duration)
        case upload(String, pieces: Int)
        case signIn(String)
        case signOut
        /// Signs out while requests are under way, at a moment that the seed decides.
        case signOutDuring([Request], within: Duration)
        /// Time passes while the app does nothing.
        case pass(Duration)
        /// The app is started again, with what it has stored.
        case launch
        /// The same with a store that is out of order.
        case launchWith(StoreFault)
    }

    /// The bug that shows here; `nil` where only correct clients play.
    let bug: Bug?
    let title: String
    /// What the story changes in the backend, as a JSON object.
    let story: String
    let actions: [Action]
    /// How far the device's clock is ahead.
    var clockError = Duration.zero
    /// Whether the bug is a race, which is only there if requests were under way together when the token died.
    var isRace = false

    var description: String { bug.map { "\($0) \(title)" } ?? title }

    /// Whether the case is about time, which passes there without the client's waiting for it.
    var isAboutTime = false

    /// Whether something happens while the user looks at the first screen.
    var needsThought = false
    /// Whether the story expects what only comes of requests at the same time.
    var needsCompany = false

    /// The devices on which the same is done at the same time, each with a client of its own.
    var devices = ["phone"]

    /// The processes of the app on a device, which share its store; none where it is one.
    var processes: [String] = []
    /// Whether the app tells what its clock shows whenever time has passed.
    var tellsTime = false

    /// Whether it needs what a program of its own does not have: a second process beside it, or a store that fails.
    var isForWorldsOnly: Bool {
        !processes.isEmpty
            || actions.contains { if case .launchWith = $0 { true } else { false } }
    }

    /// What the story is called: the bug's number, or the trial's.
    var id: String { bug?.number ?? "T\((Self.trials.firstIndex { $0.title == title } ?? 0) + 1)" }

    /// The story as a file beside `backend.json`.
    ///
    /// - Parameter more: members of its own, with a comma before each.
    func storyText(with more: String = "") -> String {
        let rest = (story.isEmpty ? "" : ", \(story)") + more
        return "{\"extends\": \"backend.json\", \"id\": \"\(id)\", \"title\": \"\(title)\"\(rest)}"
    }
}
