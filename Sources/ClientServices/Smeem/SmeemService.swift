public import Foundation

/// Smeem's server: diaries in a language that one learns, and what belongs to them.
///
/// ```swift
/// let smeem = SmeemService(baseURL: url, store: KeychainTokens())
/// switch await smeem.launch(version: Smeem.VersionNumber("2.0.1")) {
/// case .home: let list = try await smeem.diaries(in: .month(of: Date()))
/// case .start: showStart()
/// case .update(let notice): showUpdate(notice.title, notice.content)
/// }
/// ```
///
/// Tokens come and go by themselves: an expired access token is renewed once for all calls that wait for it, and each
/// of them is sent again. When the session cannot go on, ``events`` reports it once.
public struct SmeemService: Sendable {
    let client: ServiceClient
    /// The submissions in progress, which must not be sent twice.
    private let drafts = SingleSubmission<Smeem.DiaryDraft, Smeem.WrittenDiary, SmeemError>()
    /// The same for the ends of the session.
    let endings = SingleSubmission<Ending, Void, SmeemError>()

    /// Creates a service for a server, with the tokens of the store.
    ///
    /// - Parameters:
    ///   - baseURL: the server's address, below which `/api/v2` begins.
    ///   - store: where the tokens outlive the app, such as the keychain.
    ///   - transport: what carries the requests.
    ///   - clock: the time for pauses between attempts.
    ///   - timeout: seconds until a response has to be there.
    public init(
        baseURL: URL,
        store: any TokenStore,
        transport: any Transport = URLSessionTransport(),
        clock: any ServiceClock = SystemServiceClock(),
        timeout: TimeInterval = 30
    ) {
        client = ServiceClient(
            baseURL: baseURL,
            rules: .smeem(baseURL: baseURL, timeout: timeout),
            store: store,
            transport: transport,
            clock: clock,
            timeout: timeout
        )
    }

    /// A way to end the session.
    enum Ending: Sendable, Hashable {
        case signOut
        case withdrawal
    }
}

extension SmeemService: AppService {
    typealias Failure = SmeemError
}

extension SmeemService {
    /// Asks whether the server is there, for those who work on it.
    ///
    /// - Returns: its message, `server connect`.
    public func testConnection() async throws(SmeemError) -> String {
        try await ask(.connectionTest)
    }

    /// Has a push message sent to the member, for those who work on the server.
    public func testPushMessage() async throws(SmeemError) {
        try await ask(.smeemDone(.get, "test", "alarm"))
    }
}

extension Endpoint<String> {
    /// The one response that is not JSON.
    static var connectionTest: Endpoint {
        smeem(.get, ["test"], 2, [], .none, .none) { response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
            // A proxy's page in the server's place does not count as the server.
            guard let text = String(data: response.body, encoding: .utf8), text == "server connect" else {
                let context = DecodingError.Context(
                    codingPath: [],
                    debugDescription: "the server's message is different"
                )
                throw .undecodable(
                    UndecodableResponse(status: response.status, body: response.body, reason: .dataCorrupted(context))
                )
            }
            return text
        }
    }
}

extension SmeemService {
    /// The member's bookmarks.
    public func bookmarks() async throws(SmeemError) -> [Smeem.Bookmark] {
        try await ask(Endpoint<Smeem.Bookmarks>.smeemData(.get, "bookmarks")).bookmarks
    }

    /// A bookmark with all that belongs to it; `nil` when it belongs to another member.
    public func bookmark(_ id: Smeem.Bookmark.ID) async throws(SmeemError) -> Smeem.BookmarkDetail? {
        try await ask(Endpoint<Smeem.BookmarkDetail?>.smeemData(.get, "bookmarks", "detail", "\(id)"))
    }

    /// Keeps the expression of a page.
    ///
    /// - Parameter page: the page's address.
    public func addBookmark(of page: String) async throws(SmeemError) -> Smeem.NewBookmark {
        try await ask(.smeemData(.post, "bookmarks", body: .json(["url": page])))
    }

    /// Keeps an expression that the user has typed.
    public func addBookmark(_ bookmark: Smeem.TypedBookmark) async throws(SmeemError) -> Smeem.NewBookmark {
        try await ask(.smeemData(.post, "bookmarks", "fallback", body: .json(bookmark)))
    }

    /// Changes the texts of a bookmark.
    ///
    /// - Parameters:
    ///   - id: the bookmark.
    ///   - change: what is to be otherwise.
    /// - Returns: the texts after the change.
    @discardableResult
    public func changeBookmark(_ id: Smeem.Bookmark.ID, _ change: Smeem.BookmarkChange) async throws(SmeemError)
        -> Smeem.BookmarkTexts
    {
        try await ask(.smeemData(.patch, "bookmarks", "\(id)", body: .json(change)))
    }

    /// Deletes a bookmark.
    public func deleteBookmark(_ id: Smeem.Bookmark.ID) async throws(SmeemError) {
        try await ask(.smeemDone(.delete, "bookmarks", "\(id)"))
    }
}

extension Endpoint {
    /// A path below `/api/v2`, or another version, whose response has content.
    static func smeemData(
        _ method: HTTPMethod,
        _ path: String...,
        version: Int = 2,
        query: [URLQueryItem] = [],
        body: Body = .none,
        authorization: Authorization = .session
    ) -> Endpoint where Value: Decodable {
        smeem(method, path, version, query, body, authorization) { response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
            return try response.decoded(as: SmeemEnvelope<Value>.self).data
        }
    }

    /// Every call but GET may meet the lock of another call, and is sent again a little later: what was refused
    /// by it was not begun.
    static func smeem(
        _ method: HTTPMethod,
        _ path: [String],
        _ version: Int = 2,
        _ query: [URLQueryItem] = [],
        _ body: Body = .none,
        _ authorization: Authorization = .session,
        _ read: @escaping @Sendable (TransportResponse) throws(ServiceProblem) -> Value
    ) -> Endpoint {
        Endpoint(
            method: method,
            path: ["api", "v\(version)"] + path,
            query: query,
            body: body,
            authorization: authorization,
            retriesWhenBusy: method != .get,
            read: read
        )
    }
}

extension Endpoint<Void> {
    /// A path below `/api/v2` whose response says that it is done, with a body or without one.
    static func smeemDone(_ method: HTTPMethod, _ path: String..., body: Body = .none) -> Endpoint {
        smeem(method, path, 2, [], body) { response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
            guard response.status != 204 else { return }
            _ = try response.decoded(as: SmeemDone.self)
        }
    }
}

extension SmeemService {
    /// Decides where the app goes when it is launched.
    ///
    /// Neither a version check that fails nor a server that cannot be reached ends a session, nor does a store that cannot
    /// be read: the app opens with what it has, and its calls report what is wrong.
    ///
    /// - Parameter version: the app's own version.
    public func launch(version: Smeem.VersionNumber) async -> Smeem.Launch {
        if let versions = try? await appVersions(), versions.iOS.excludes(version) { return .update(versions) }
        guard (try? await isSignedIn) != false else { return .start }
        // The error does not matter here, only whether the session has ended.
        try? await refreshSession()
        return (try? await isSignedIn) != false ? .home : .start
    }

    /// Says which versions of the apps may be used.
    ///
    /// This takes ten seconds at most, because a user should not wait longer.
    public func appVersions() async throws(SmeemError) -> Smeem.AppVersions {
        var endpoint = Endpoint<Smeem.AppVersions>.smeemData(.get, "versions", "client", "app", authorization: .none)
        endpoint.timeout = min(10, client.timeout)
        return try await ask(endpoint)
    }

    /// The goals that there are.
    public func goals() async throws(SmeemError) -> [Smeem.Goal] {
        try await ask(Endpoint<Smeem.Goals>.smeemData(.get, "goals", authorization: .none)).goals
    }

    /// The plan for a goal.
    public func detail(of goal: Smeem.GoalType) async throws(SmeemError) -> Smeem.GoalDetail {
        try await ask(.smeemData(.get, "goals", goal.rawValue, authorization: .none))
    }

    /// The plans that there are.
    public func plans() async throws(SmeemError) -> [Smeem.Plan] {
        try await ask(Endpoint<Smeem.Plans>.smeemData(.get, "plans", authorization: .none)).plans
    }

    /// Says whether a nickname is taken.
    ///
    /// Another user may take it a moment later.
    public func isTaken(_ nickname: Smeem.Nickname) async throws(SmeemError) -> Bool {
        let query = [URLQueryItem(name: "name", value: nickname.text)]
        let endpoint = Endpoint<Smeem.NicknameCheck>
            .smeemData(.get, "members", "nickname", "check", query: query, authorization: .none)
        return try await ask(endpoint).isTaken
    }

    /// The meaning of a refused nickname: the server's database refuses a taken one with its own message (500), and older
    /// servers with a rule (400), so a request is the only way to know.
    func reason(for error: SmeemError, with nickname: Smeem.Nickname) async -> SmeemError {
        guard let status = error.refusal?.status, [400, 500].contains(status) else { return error }
        return (try? await isTaken(nickname)) == true ? .nicknameTaken(nickname) : error
    }
}

extension Smeem {
    struct NicknameCheck: Codable, Sendable, Hashable {
        var isTaken: Bool

        enum CodingKeys: String, CodingKey {
            case isTaken = "isExist"
        }
    }
}

extension SmeemService {
    /// The data for the settings.
    public func profile() async throws(SmeemError) -> Smeem.Profile {
        try await ask(.smeemData(.get, "members", "me"))
    }

    /// Changes goal, plan and reminder.
    public func choose(_ choice: Smeem.MemberChoice) async throws(SmeemError) {
        try await ask(.choose(choice))
    }

    /// Gives the member another nickname.
    ///
    /// - Returns: the badges that this has won.
    /// - Throws: ``SmeemError/nicknameTaken(_:)`` when another member has it.
    @discardableResult
    public func changeNickname(to nickname: Smeem.Nickname) async throws(SmeemError) -> [Smeem.Badge] {
        do throws(SmeemError) {
            return try await ask(.change(nickname, termsAccepted: nil)).badges
        } catch {
            throw await reason(for: error, with: nickname)
        }
    }

    /// Turns push messages on or off.
    public func setPushMessages(_ isOn: Bool) async throws(SmeemError) {
        try await ask(.smeemDone(.patch, "members", "push", body: .json(["hasAlarm": isOn])))
    }

    /// Counts today as a visit.
    public func visit() async throws(SmeemError) {
        try await ask(.smeemDone(.patch, "members", "visit"))
    }

    /// The member's progress with the plan.
    ///
    /// - Returns: `nil` from servers that say nothing of a member without a plan; today's send a value without one.
    public func planProgress() async throws(SmeemError) -> Smeem.PlanProgress? {
        try await ask(.planProgress)
    }

    /// The member's achievements.
    public func performance() async throws(SmeemError) -> Smeem.Performance {
        try await ask(.smeemData(.get, "members", "performance", "summary"))
    }

    /// The badges that the member has won, by type.
    public func badges() async throws(SmeemError) -> [Smeem.BadgeGroup] {
        try await ask(Endpoint<Smeem.BadgeGroups>.smeemData(.get, "members", "badges")).badgeTypes
    }

    /// All badges, won or not.
    public func badgeProgress() async throws(SmeemError) -> [Smeem.BadgeProgress] {
        try await ask(Endpoint<Smeem.BadgeCollection>.smeemData(.get, "members", "badges", version: 3)).badges
    }
}

extension Endpoint<Void> {
    static func choose(_ choice: Smeem.MemberChoice) -> Endpoint {
        .smeemDone(.patch, "members", "plan", body: .json(choice))
    }
}

extension Endpoint<Smeem.NewBadges> {
    static func change(_ nickname: Smeem.Nickname, termsAccepted: Bool?) -> Endpoint {
        let change = MemberChange(username: nickname.text, termAccepted: termsAccepted)
        return .smeemData(.patch, "members", body: .json(change))
    }
}

extension Endpoint<Smeem.PlanProgress?> {
    /// Servers of May 2024 left `data` out for a member without a plan.
    static var planProgress: Endpoint {
        smeem(.get, ["members", "plan"]) { response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
            return try response.decoded(as: SmeemOptionalEnvelope<Smeem.PlanProgress>.self).data
        }
    }
}

private struct MemberChange: Encodable {
    var username: String
    var termAccepted: Bool?
}

extension SmeemService {
    /// The member's diaries of some days.
    public func diaries(in span: Smeem.DaySpan) async throws(SmeemError) -> Smeem.DiaryList {
        let query = [
            URLQueryItem(name: "start", value: span.first.description),
            URLQueryItem(name: "end", value: span.last.description),
        ]
        return try await ask(.smeemData(.get, "diaries", query: query))
    }

    /// Something to write about, another one each time.
    public func randomTopic() async throws(SmeemError) -> Smeem.Topic {
        try await ask(.smeemData(.get, "topics", "random"))
    }

    /// Writes a diary.
    ///
    /// When the same draft is being written already, this waits for that, so that a second tap on the button writes no
    /// second diary and shows no error.
    ///
    /// - Throws: ``SmeemError/unsendable(_:)`` for a text longer than ``Smeem/DiaryDraft/longest``.
    public func write(_ draft: Smeem.DiaryDraft) async throws(SmeemError) -> Smeem.WrittenDiary {
        try checkLength(draft.content)
        return try await drafts.submit(draft) { () async throws(SmeemError) in
            try await ask(.smeemData(.post, "diaries", body: .json(draft)))
        }
    }

    /// A diary with all that belongs to it.
    public func diary(_ id: Smeem.Diary.ID) async throws(SmeemError) -> Smeem.DiaryDetail {
        try await ask(.smeemData(.get, "diaries", "\(id)"))
    }

    /// Changes the text of a diary; its topic stays.
    ///
    /// - Parameters:
    ///   - id: the diary.
    ///   - content: the new text, of as many characters as ``Smeem/DiaryDraft/longest`` at most.
    /// - Throws: ``SmeemError/unsendable(_:)`` for a longer text.
    public func changeDiary(_ id: Smeem.Diary.ID, to content: String) async throws(SmeemError) {
        try checkLength(content)
        try await ask(.smeemDone(.patch, "diaries", "\(id)", body: .json(["content": content])))
    }

    /// Deletes a diary.
    ///
    /// When the response is lost, this asks once more; a diary that is not there then is deleted.
    public func deleteDiary(_ id: Smeem.Diary.ID) async throws(SmeemError) {
        let endpoint = Endpoint<Void>.smeemDone(.delete, "diaries", "\(id)")
        do throws(SmeemError) {
            try await ask(endpoint)
        } catch {
            guard error.isLostAnswer else { throw error }
            do throws(SmeemError) {
                try await ask(endpoint)
            } catch {
                guard error.refusal?.status == 404 else { throw error }
            }
        }
    }

    /// Has the sentences of a diary corrected, which may be done once for each diary.
    public func correctDiary(_ id: Smeem.Diary.ID) async throws(SmeemError) -> [Smeem.Correction] {
        try await ask(Endpoint<Smeem.Corrections>.smeemData(.post, "diaries", "\(id)", "corrections")).corrections
    }

    /// Says that the corrections of a diary were of use.
    ///
    /// - Parameters:
    ///   - id: the diary.
    ///   - comment: what else the member has to say.
    public func praiseCorrections(of id: Smeem.Diary.ID, comment: String = "") async throws(SmeemError) {
        try await rate(CorrectionRating(diaryId: id, isSatisfied: true, dissatisfactionTypes: [], reason: comment))
    }

    /// Says what the corrections of a diary lack.
    ///
    /// - Parameters:
    ///   - id: the diary.
    ///   - reasons: what was not satisfying.
    ///   - comment: what else the member has to say.
    public func criticizeCorrections(
        of id: Smeem.Diary.ID,
        for reasons: [Smeem.Dissatisfaction],
        comment: String = ""
    ) async throws(SmeemError) {
        try await rate(
            CorrectionRating(diaryId: id, isSatisfied: false, dissatisfactionTypes: reasons, reason: comment)
        )
    }

    private func rate(_ rating: CorrectionRating) async throws(SmeemError) {
        try await ask(.smeemDone(.post, "survey", "coaching", body: .json(rating)))
    }

    private func checkLength(_ content: String) throws(SmeemError) {
        guard content.unicodeScalars.count <= Smeem.DiaryDraft.longest else {
            throw .unsendable("a diary has room for \(Smeem.DiaryDraft.longest) characters")
        }
    }
}

extension SmeemError {
    /// A Boolean value that indicates whether the server may have done what it was asked for, and that is unknown.
    var isLostAnswer: Bool {
        switch self {
        case .userError(.connectionLost), .userError(.timedOut): true
        default: false
        }
    }
}

private struct CorrectionRating: Encodable {
    var diaryId: Smeem.Diary.ID
    var isSatisfied: Bool
    var dissatisfactionTypes: [Smeem.Dissatisfaction]
    var reason: String
}

/// The operations of Smeem's backend: members, diaries, and related data.
public enum Smeem {}
