import ClientTesting
import JSON

/// What a twin's user does and sees.
struct KiwITTwinApp: Sendable {
    let twin: KiwITTwin
    let context: any StoryContext<KiwITTwin>
    let calls: KiwITCalls

    init(_ twin: KiwITTwin, _ context: any StoryContext<KiwITTwin>, _ bugs: Set<KiwITBug>) {
        self.twin = twin
        self.context = context
        calls = KiwITCalls(bugs)
    }

    func has(_ bug: KiwITBug) -> Bool { calls.bugs.contains(bug) }
    func tell(_ fact: String, _ value: Bool) async { await context.report(fact, .bool(value)) }
    func tell(_ fact: String, _ value: Int) async { await context.report(fact, .number(JSONNumber(value))) }
    func tell(_ fact: String, _ value: String) async { await context.report(fact, .string(value)) }

    func show(_ screen: String) async {
        let isSignedIn = await twin.kept != nil
        await tell("screen", isSignedIn ? screen : "login")
        await tell("signedOut", !isSignedIn)
    }

    /// Whether a call fails, with what it brings.
    func see(_ call: KiwITCall) async -> (value: JSONValue?, isError: Bool) {
        do {
            let body = try await twin.make(call)
            return (try body.map { try JSONParser().parse($0).root }, false)
        } catch {
            return (nil, true)
        }
    }

    func openHome() async -> Bool {
        let renewals = await twin.renewals
        let lecture = await see(calls.latestLecture)
        if has(.forgetsWhatFollows), await twin.renewals != renewals { return lecture.isError }
        let quiz = await see(calls.latestQuizGroup)
        return lecture.isError || quiz.isError
    }

    func openProfile() async -> Bool {
        let five = [
            calls.studiedLectures(size: 1), calls.bookmarkedLectures(size: 1), calls.solvedQuizGroups(size: 1),
            calls.bookmarkedQuizzes(size: 1), calls.latestTrophy,
        ]
        return await withTaskGroup(of: Bool.self) { group in
            for call in five { group.addTask { await see(call).isError } }
            return await group.reduce(false) { $0 || $1 }
        }
    }

    /// Fetches pages until one is short.
    func rows(_ page: (Int) -> KiwITCall) async -> [Int] {
        var ids: [Int] = []
        var number = 0
        while let items = await see(page(number)).value?.array {
            for id in items.compactMap({ $0["id"]?.int }) where !ids.contains(id) { ids.append(id) }
            if items.count < 30 { break }
            number += 1
        }
        return ids
    }
}
