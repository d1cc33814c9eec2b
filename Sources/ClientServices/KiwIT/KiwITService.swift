public import Foundation

/// A client for the kiwIT backend, which provides lectures, quizzes and trophies.
///
/// The service keeps the user signed in. If the access token has expired, the service renews the token once for all
/// waiting requests and sends each request again. Every request ends after at most ``TransportRequest/timeout``
/// seconds. The service can be copied and shared freely, because all copies share one session.
public struct KiwITService: Sendable {
    /// The client that sends the requests and keeps the session.
    public let client: ServiceClient
    let signingOut = SingleSubmission<String, Void, KiwITError>()
    let starring = SingleSubmission<Int, KiwIT.QuizBookmarkChange, KiwITError>()

    /// Creates a service that uses the tokens in a store.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL for all paths, such as `https://api.example.com/api/v1`.
    ///   - store: The persistent storage for tokens, such as the keychain.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The clock that measures the delays between retries and determines whether a refresh token has
    ///     expired.
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
            rules: .kiwIT(baseURL: baseURL, clock: clock, timeout: timeout),
            store: store,
            transport: transport,
            clock: clock,
            timeout: timeout
        )
    }

    /// Requests the user's statistics from an obsolete endpoint.
    ///
    /// The July 2024 version of the server fails to serialize its response, and other versions do not support the endpoint.
    /// Because no response is documented, this method throws an error with the server's status.
    public func requestStatistics() async throws(KiwITError) {
        try await ask(.command(.get, "user", "stat"))
    }

    /// Checks that the server is reachable.
    public func checkHealth() async throws(KiwITError) {
        try await ask(.command(.get, "healthCheck", authorization: .none))
    }
}

extension KiwITService: AppService {
    /// The server's reasons for a rejected request.
    public typealias Reason = KiwIT.Reason
}

extension KiwITService {
    /// Returns the signed-in user's profile.
    public func profile() async throws(KiwITError) -> KiwIT.Profile {
        try await ask(.json(.get, "user"))
    }

    /// Changes the user's nickname.
    ///
    /// - Throws: ``KiwIT/Reason/invalidRequestBody`` if the nickname is taken or blank.
    public func changeNickname(to nickname: String) async throws(KiwITError) -> KiwIT.Profile {
        try await ask(.json(.patch, "user", body: .json(["nickname": nickname])))
    }
}

extension KiwITService {
    /// Returns all trophies as pages.
    public func trophies(pageSize: Int = 30) -> Pages<KiwIT.Trophy> {
        pages(of: pageSize, trophies(page:size:))
    }

    /// Returns one page of trophies.
    public func trophies(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.Trophy] {
        try await self.page(page, of: size, ["trophy"])
    }

    /// Returns a trophy.
    ///
    /// - Throws: ``KiwIT/Reason/invalidRequestBody`` if the trophy does not exist.
    public func trophy(_ id: Int) async throws(KiwITError) -> KiwIT.Trophy {
        try await ask(.json(.get, "trophy", "\(id)"))
    }

    /// Returns pages of the trophies that the user has won, most recent first.
    public func wonTrophies(pageSize: Int = 30) -> Pages<KiwIT.WonTrophy> {
        pages(of: pageSize, wonTrophies(page:size:))
    }

    /// Returns one page of the trophies that the user has won, most recent first.
    public func wonTrophies(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.WonTrophy] {
        try await self.page(page, of: size, ["trophy", "my"])
    }

    /// Returns the user's most recent trophy, or `nil` if the user has not won a trophy yet.
    public func latestTrophy() async throws(KiwITError) -> KiwIT.WonTrophy? {
        try await ask(.jsonUnlessNone(.get, "trophy", "my", "latest", none: [204]))
    }
}

extension KiwITService {
    /// Marks a lecture as studied and verifies the result if necessary.
    ///
    /// The server accepts this request only once for each lecture. If the response is lost or reports an error, the
    /// method requests the lecture. If the lecture counts as studied, the call succeeds, but the result does not
    /// contain the trophies that were won.
    public func study(_ lecture: Int) async throws(KiwITError) -> KiwIT.StudyResult {
        do throws(KiwITError) {
            return try await recordStudy(of: lecture)
        } catch {
            guard error.leavesDoubt || error == .refused(.invalidRequestBody) else { throw error }
            // A failure of the look-up adds nothing new.
            guard let study = try? await self.lecture(lecture).study else { throw error }
            return KiwIT.StudyResult(study: study, trophies: [])
        }
    }

    /// Marks a lecture as studied.
    ///
    /// ``study(_:)`` sends the same request and verifies the result if necessary.
    ///
    /// - Throws: ``KiwIT/Reason/invalidRequestBody`` if the lecture was already marked as studied or does not exist.
    public func recordStudy(of lecture: Int) async throws(KiwITError) -> KiwIT.StudyResult {
        try await ask(.json(.post, "content", "\(lecture)"))
    }

    /// Answers the exercise of a studied lecture.
    ///
    /// - Parameters:
    ///   - isRight: A Boolean value that indicates whether the user considers the statement correct.
    /// - Throws: ``KiwIT/Reason/invalidRequestBody`` if the lecture has not been studied yet.
    public func answerExercise(of lecture: Int, isRight: Bool) async throws(KiwITError) -> KiwIT.Study {
        try await ask(.json(.patch, "content", "\(lecture)", "exercise", body: .json(["answer": isRight])))
    }

    /// Bookmarks a studied lecture, or removes the bookmark if the lecture is already bookmarked.
    ///
    /// The request is never retried automatically. If an error's ``KiwITError/leavesDoubt`` is `true`, check the
    /// lecture before you retry, because a second request would undo the first.
    ///
    /// - Returns: The user's progress, including the new value of ``KiwIT/Study/isBookmarked``.
    /// - Throws: ``KiwIT/Reason/invalidRequestBody`` if the lecture has not been studied yet.
    public func toggleBookmark(ofLecture lecture: Int) async throws(KiwITError) -> KiwIT.Study {
        try await ask(.json(.patch, "content", "\(lecture)", "kept"))
    }
}

extension Endpoint {
    /// An endpoint that responds with one status when there is nothing yet.
    static func jsonUnlessNone<Wrapped: Decodable>(
        _ method: HTTPMethod,
        _ path: String...,
        body: Body = .none,
        none: Set<Int>
    ) -> Endpoint where Value == Wrapped? {
        Endpoint(method: method, path: path, body: body) { response throws(ServiceProblem) in
            if none.contains(response.status) { return nil }
            guard response.isSuccess else { throw .status(response) }
            return try response.decoded(as: Wrapped.self)
        }
    }
}

extension KiwITService {
    /// A list whose pages have numbers, and whose last page is short.
    func pages<Item: Identifiable & Sendable>(
        of size: Int,
        _ page: @escaping @Sendable (_ number: Int, _ size: Int) async throws(KiwITError) -> [Item]
    ) -> Pages<Item> where Item.ID: Sendable {
        let size = max(1, size)
        return Pages(
            from: "0",
            // What is taken away moves the rest up; and one page more, for what was fetched while it was taken away.
            rewound: { cursor, removed in
                String(max(0, (Int(cursor) ?? 0) - (removed + size - 1) / size - 1))
            },
            fetch: { cursor in
                let number = cursor.flatMap(Int.init) ?? 0
                let items = try await page(number, size)
                return Page(items, next: items.count < size ? nil : String(number + 1))
            }
        )
    }

    /// Asks for a page by its number, from zero.
    func page<Item: Decodable & Sendable>(
        _ number: Int,
        of size: Int,
        _ path: [String],
        _ more: [URLQueryItem] = []
    ) async throws(KiwITError) -> [Item] {
        var endpoint = Endpoint<[Item]>.json(.get)
        endpoint.path = path
        endpoint.query = more + KiwIT.pageQuery(number, of: size)
        return try await ask(endpoint)
    }
}

extension KiwIT {
    static func pageQuery(_ number: Int, of size: Int) -> [URLQueryItem] {
        [URLQueryItem(name: "limit", value: "\(max(1, size))"), URLQueryItem(name: "next", value: "\(max(0, number))")]
    }
}

extension KiwITService {
    /// Returns the user's interviews as pages.
    public func interviews(pageSize: Int = 30) -> Pages<KiwIT.Interview> {
        pages(of: pageSize, interviews(page:size:))
    }

    /// Returns one page of the user's interviews.
    public func interviews(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.Interview] {
        let query = KiwIT.pageQuery(page, of: size)
        let list: KiwIT.InterviewList = try await ask(.json(.get, "interview", query: query))
        return list.interviewList
    }

    /// Returns the interview topics.
    public func interviewOptions() async throws(KiwITError) -> KiwIT.InterviewOptions {
        try await ask(.json(.get, "interview", "option"))
    }

    /// Generates an interview.
    ///
    /// - Returns: The interview, or `nil` if the server is still generating it.
    public func makeInterview(_ interview: KiwIT.NewInterview) async throws(KiwITError) -> KiwIT.Interview? {
        try await ask(.jsonUnlessNone(.post, "interview", body: .json(interview), none: [202]))
    }

    /// Returns an interview and the rooms in which the user has taken the interview.
    public func interview(_ id: Int) async throws(KiwITError) -> KiwIT.HeldInterview {
        try await ask(.json(.get, "interview", "\(id)"))
    }

    /// Returns an interview with its questions.
    public func interviewQuestions(_ id: Int) async throws(KiwITError) -> KiwIT.InterviewSheet {
        try await ask(.json(.get, "interview", "\(id)", "question"))
    }

    /// Creates a room for an interview.
    public func startInterview(_ id: Int) async throws(KiwITError) {
        try await ask(.command(.post, "interview", "\(id)"))
    }

    /// Changes an interview's title.
    public func renameInterview(_ id: Int, to title: String) async throws(KiwITError) {
        try await ask(.command(.put, "interview", "\(id)", body: .json(["title": title])))
    }

    /// Deletes an interview.
    public func deleteInterview(_ id: Int) async throws(KiwITError) {
        try await ask(.command(.delete, "interview", "\(id)"))
    }

    /// Returns a room's position in the queue.
    public func queuePlace(ofInterviewRoom room: Int) async throws(KiwITError) -> KiwIT.QueuePlace {
        try await ask(.json(.get, "interview", "room", "\(room)", "queue"))
    }

    /// Returns a room and the user's answers in the room.
    public func interviewRoom(_ id: Int) async throws(KiwITError) -> KiwIT.AnsweredInterviewRoom {
        try await ask(.json(.get, "interview", "room", "\(id)"))
    }

    /// Submits the answers to an interview's questions.
    ///
    /// - Parameters:
    ///   - answers: The user's answers, each with the ID of its question.
    public func submitAnswers(
        _ answers: [KiwIT.InterviewAnswer],
        inInterviewRoom room: Int
    ) async throws(KiwITError) {
        let list = answers.map { KiwIT.SubmittedAnswer(myAnswer: $0.text, roomId: room, questionId: $0.questionID) }
        try await ask(.command(.post, "interview", "room", "\(room)", body: .json(["answerList": list])))
    }

    /// Deletes a room and the user's answers in the room.
    public func deleteInterviewRoom(_ id: Int) async throws(KiwITError) {
        try await ask(.command(.delete, "interview", "room", "\(id)"))
    }
}

extension KiwITService {
    /// Returns all levels.
    public func levels() async throws(KiwITError) -> [KiwIT.Level] {
        try await ask(.json(.get, "content", "level"))
    }

    /// Returns a level's lectures as pages, sorted by ID.
    public func lectures(ofLevel level: Int, pageSize: Int = 15) -> Pages<KiwIT.Lecture> {
        pages(of: pageSize) { number, size throws(KiwITError) in
            try await lectures(ofLevel: level, page: number, size: size)
        }
    }

    /// Returns one page of a level's lectures.
    ///
    /// The page is empty if `page` is greater than the last page number or if the level does not exist.
    public func lectures(
        ofLevel level: Int,
        page: Int,
        size: Int = 15
    ) async throws(KiwITError) -> [KiwIT.Lecture] {
        try await self.page(page, of: size, ["content", "level", "\(level)"])
    }

    /// Returns all categories.
    public func categories() async throws(KiwITError) -> [KiwIT.Category] {
        try await ask(.json(.get, "content", "category"))
    }

    /// Returns a category's chapters, except chapters without lectures.
    public func chapters(ofCategory category: Int) async throws(KiwITError) -> [KiwIT.Chapter] {
        try await ask(.json(.get, "content", "category", "\(category)"))
    }

    /// Returns a lecture and the user's progress in the lecture.
    ///
    /// - Throws: ``KiwIT/Reason/invalidRequestBody`` if the lecture does not exist.
    public func lecture(_ id: Int) async throws(KiwITError) -> KiwIT.LectureRecord {
        try await ask(.json(.get, "content", "\(id)"))
    }

    /// Returns the most recently studied lecture, or `nil` if the user has not studied a lecture yet.
    public func latestLecture() async throws(KiwITError) -> KiwIT.Lecture? {
        // The server responds with 400 without one.
        try await ask(.jsonUnlessNone(.get, "content", "latest", none: [204, 400]))
    }

    /// Returns pages of the lectures that the user has studied, most recent first.
    public func studiedLectures(pageSize: Int = 30) -> Pages<KiwIT.LectureRecord> {
        pages(of: pageSize, studiedLectures(page:size:))
    }

    /// Returns one page of the lectures that the user has studied, most recent first.
    public func studiedLectures(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.LectureRecord] {
        try await self.page(page, of: size, ["content", "studied"])
    }

    /// Returns the bookmarked lectures as pages.
    ///
    /// After removing a bookmark, call ``PagedList/remove(_:)``.
    public func bookmarkedLectures(pageSize: Int = 30) -> Pages<KiwIT.LectureRecord> {
        pages(of: pageSize, bookmarkedLectures(page:size:))
    }

    /// Returns one page of bookmarked lectures, most recent first.
    public func bookmarkedLectures(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.LectureRecord] {
        try await self.page(page, of: size, ["content", "kept"])
    }
}

/// A namespace for the types of the kiwIT backend, such as lectures, quizzes and trophies.
///
/// Start with ``KiwITService``.
public enum KiwIT {}
