public import Foundation

/// A client for the Smeem backend, which stores diaries written in a foreign language.
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
/// The service manages tokens automatically. If the access token has expired, the service renews the token once for all
/// waiting requests and sends each request again. If the session ends, ``events`` reports the end once.
public struct SmeemService: Sendable {
    /// The client that sends the requests and keeps the session.
    public let client: ServiceClient
    /// The submissions in progress, which must not be sent twice.
    private let drafts = SingleSubmission<Smeem.DiaryDraft, Smeem.WrittenDiary, SmeemError>()
    /// The same for the ends of the session.
    let endings = SingleSubmission<Ending, Void, SmeemError>()

    /// Creates a service that uses the tokens in a store.
    ///
    /// - Parameters:
    ///   - baseURL: The server's URL, without `/api/v2`.
    ///   - store: The persistent storage for tokens, such as the keychain.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The clock that measures the delays between retries.
    ///   - timeout: The maximum time to wait for a response, in seconds.
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
    /// The server's reasons for a rejected request.
    public typealias Reason = Smeem.Reason
}

extension SmeemService {
    /// Checks whether the server is running.
    ///
    /// This method is intended for the server's developers.
    ///
    /// - Returns: The server's message, `server connect`.
    public func testConnection() async throws(SmeemError) -> String {
        try await ask(.connectionTest)
    }

    /// Requests a push notification for the member.
    ///
    /// This method is intended for the server's developers.
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
                    debugDescription: "the server's message is not \"server connect\""
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
    /// Returns the member's bookmarks.
    public func bookmarks() async throws(SmeemError) -> [Smeem.Bookmark] {
        try await ask(Endpoint<Smeem.Bookmarks>.smeemData(.get, "bookmarks")).bookmarks
    }

    /// Returns a bookmark with all details, or `nil` if the bookmark belongs to another member.
    public func bookmark(_ id: Smeem.Bookmark.ID) async throws(SmeemError) -> Smeem.BookmarkDetail? {
        try await ask(Endpoint<Smeem.BookmarkDetail?>.smeemData(.get, "bookmarks", "detail", "\(id)"))
    }

    /// Saves an expression from a web page.
    ///
    /// - Parameter page: The page's URL.
    public func addBookmark(of page: String) async throws(SmeemError) -> Smeem.NewBookmark {
        try await ask(.smeemData(.post, "bookmarks", body: .json(["url": page])))
    }

    /// Saves an expression that the user has entered.
    public func addBookmark(_ bookmark: Smeem.TypedBookmark) async throws(SmeemError) -> Smeem.NewBookmark {
        try await ask(.smeemData(.post, "bookmarks", "fallback", body: .json(bookmark)))
    }

    /// Changes the text properties of a bookmark.
    ///
    /// - Parameters:
    ///   - change: The new properties.
    /// - Returns: The text properties after the change.
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
    /// Determines the app's first screen after a launch.
    ///
    /// The session does not end if the version check fails, the server cannot be reached or the store cannot be read.
    /// The app still opens, and its later requests report the error.
    ///
    /// - Parameter version: The app's version.
    public func launch(version: Smeem.VersionNumber) async -> Smeem.Launch {
        if let versions = try? await appVersions(), versions.iosVersion.excludes(version) { return .update(versions) }
        guard (try? await isSignedIn) != false else { return .start }
        // The error does not matter here, only whether the session has ended.
        try? await refreshSession()
        return (try? await isSignedIn) != false ? .home : .start
    }

    /// Returns the supported versions of the apps.
    ///
    /// The request times out after ten seconds, because the user is waiting for the result.
    public func appVersions() async throws(SmeemError) -> Smeem.AppVersions {
        var endpoint = Endpoint<Smeem.AppVersions>.smeemData(.get, "versions", "client", "app", authorization: .none)
        endpoint.timeout = min(10, client.timeout)
        return try await ask(endpoint)
    }

    /// Returns all goals.
    public func goals() async throws(SmeemError) -> [Smeem.Goal] {
        try await ask(Endpoint<Smeem.Goals>.smeemData(.get, "goals", authorization: .none)).goals
    }

    /// Returns the details of a goal.
    public func detail(of goal: Smeem.GoalType) async throws(SmeemError) -> Smeem.GoalDetail {
        try await ask(.smeemData(.get, "goals", goal.rawValue, authorization: .none))
    }

    /// Returns all plans.
    public func plans() async throws(SmeemError) -> [Smeem.Plan] {
        try await ask(Endpoint<Smeem.Plans>.smeemData(.get, "plans", authorization: .none)).plans
    }

    /// Returns a Boolean value that indicates whether a nickname is taken.
    ///
    /// Another member may take the nickname before this member sets it.
    public func isTaken(_ nickname: Smeem.Nickname) async throws(SmeemError) -> Bool {
        let query = [URLQueryItem(name: "name", value: nickname.text)]
        let endpoint = Endpoint<Smeem.NicknameCheck>
            .smeemData(.get, "members", "nickname", "check", query: query, authorization: .none)
        return try await ask(endpoint).isExist
    }

    /// The meaning of a refused nickname: the server's database refuses a taken one with its own message (500), and older
    /// servers with a rule (400), so a request is the only way to know.
    func reason(for error: SmeemError, with nickname: Smeem.Nickname) async -> SmeemError {
        guard let status = error.refusal?.status, [400, 500].contains(status) else { return error }
        return (try? await isTaken(nickname)) == true ? .refused(.nicknameTaken(nickname)) : error
    }
}

extension Smeem {
    struct NicknameCheck: Codable, Sendable, Hashable {
        var isExist: Bool
    }
}

extension SmeemService {
    /// Returns the member's settings.
    public func profile() async throws(SmeemError) -> Smeem.Profile {
        try await ask(.smeemData(.get, "members", "me"))
    }

    /// Changes the member's goal, plan and reminder.
    public func choose(_ choice: Smeem.MemberChoice) async throws(SmeemError) {
        try await ask(.choose(choice))
    }

    /// Changes the member's nickname.
    ///
    /// - Returns: The badges that the member earned by setting the nickname.
    /// - Throws: ``Smeem/Reason/nicknameTaken(_:)`` if another member has the nickname.
    @discardableResult
    public func changeNickname(to nickname: Smeem.Nickname) async throws(SmeemError) -> [Smeem.Badge] {
        do throws(SmeemError) {
            return try await ask(.change(nickname, termsAccepted: nil)).badges
        } catch {
            throw await reason(for: error, with: nickname)
        }
    }

    /// Turns push notifications on or off.
    public func setPushMessages(_ isOn: Bool) async throws(SmeemError) {
        try await ask(.smeemDone(.patch, "members", "push", body: .json(["hasAlarm": isOn])))
    }

    /// Records a visit for today.
    public func visit() async throws(SmeemError) {
        try await ask(.smeemDone(.patch, "members", "visit"))
    }

    /// Returns the member's progress with the plan.
    ///
    /// - Returns: The progress, or `nil` from older servers if the member has no plan. Current servers always return a
    ///   value.
    public func planProgress() async throws(SmeemError) -> Smeem.PlanProgress? {
        try await ask(.planProgress)
    }

    /// Returns the member's achievements.
    public func performance() async throws(SmeemError) -> Smeem.Performance {
        try await ask(.smeemData(.get, "members", "performance", "summary"))
    }

    /// Returns the badges that the member has earned, grouped by type.
    public func badges() async throws(SmeemError) -> [Smeem.BadgeGroup] {
        try await ask(Endpoint<Smeem.BadgeGroups>.smeemData(.get, "members", "badges")).badgeTypes
    }

    /// Returns all badges with the member's progress.
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
    /// The May 2024 version of the server omitted `data` for a member without a plan.
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
    /// Returns the member's diaries in a date range.
    public func diaries(in span: Smeem.DaySpan) async throws(SmeemError) -> Smeem.DiaryList {
        let query = [
            URLQueryItem(name: "start", value: span.first.description),
            URLQueryItem(name: "end", value: span.last.description),
        ]
        return try await ask(.smeemData(.get, "diaries", query: query))
    }

    /// Returns a random topic for a diary.
    public func randomTopic() async throws(SmeemError) -> Smeem.Topic {
        try await ask(.smeemData(.get, "topics", "random"))
    }

    /// Writes a diary.
    ///
    /// If the same draft is already being submitted, this method waits for that request, so tapping the button twice
    /// neither creates a second diary nor shows an error.
    ///
    /// - Throws: ``SmeemError/unsendable(_:)`` if the text exceeds ``Smeem/DiaryDraft/longest``.
    public func write(_ draft: Smeem.DiaryDraft) async throws(SmeemError) -> Smeem.WrittenDiary {
        try checkLength(draft.content)
        return try await drafts.submit(draft) { () async throws(SmeemError) in
            try await ask(.smeemData(.post, "diaries", body: .json(draft)))
        }
    }

    /// Returns a diary with all details.
    public func diary(_ id: Smeem.Diary.ID) async throws(SmeemError) -> Smeem.DiaryDetail {
        try await ask(.smeemData(.get, "diaries", "\(id)"))
    }

    /// Changes the text of a diary but not its topic.
    ///
    /// - Parameters:
    ///   - content: The new text, with at most ``Smeem/DiaryDraft/longest`` characters.
    /// - Throws: ``SmeemError/unsendable(_:)`` if the text is too long.
    public func changeDiary(_ id: Smeem.Diary.ID, to content: String) async throws(SmeemError) {
        try checkLength(content)
        try await ask(.smeemDone(.patch, "diaries", "\(id)", body: .json(["content": content])))
    }

    /// Deletes a diary.
    ///
    /// If the response is lost, the request is retried once. A diary that is not found during the retry counts as
    /// deleted.
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

    /// Requests corrections for a diary, which is possible only once for each diary.
    public func correctDiary(_ id: Smeem.Diary.ID) async throws(SmeemError) -> [Smeem.Correction] {
        try await ask(Endpoint<Smeem.Corrections>.smeemData(.post, "diaries", "\(id)", "corrections")).corrections
    }

    /// Rates the corrections of a diary as satisfactory.
    ///
    /// - Parameters:
    ///   - comment: The member's additional comment.
    public func praiseCorrections(of id: Smeem.Diary.ID, comment: String = "") async throws(SmeemError) {
        try await rate(CorrectionRating(diaryId: id, isSatisfied: true, dissatisfactionTypes: [], reason: comment))
    }

    /// Rates the corrections of a diary as unsatisfactory.
    ///
    /// - Parameters:
    ///   - reasons: The reasons for the dissatisfaction.
    ///   - comment: The member's additional comment.
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
            throw .unsendable("a diary can have at most \(Smeem.DiaryDraft.longest) characters")
        }
    }
}

extension SmeemError {
    /// A Boolean value that indicates whether the server may have done what it was asked for, and that is unknown.
    var isLostAnswer: Bool {
        switch self {
        case .transport(.connectionLost), .transport(.timedOut): true
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

/// A namespace for the types of the Smeem backend, such as members and diaries.
public enum Smeem {}
