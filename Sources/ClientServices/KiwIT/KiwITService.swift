public import Foundation

/// kiwIT's backend: sign in, read lectures, take quizzes, win trophies.
///
/// The service keeps its user signed in: when an access token has expired, it is renewed once for all calls that wait
/// for it, and each call is sent again. Every call ends, at the latest after ``TransportRequest/timeout``. It may be
/// copied and shared freely; all copies are of one session.
public struct KiwITService: Sendable {
    let client: ServiceClient
    let signingOut = SingleSubmission<String, Void, KiwITError>()
    let starring = SingleSubmission<Int, KiwIT.QuizBookmarkChange, KiwITError>()

    /// Creates a service for a server, with the tokens of the store.
    ///
    /// - Parameters:
    ///   - baseURL: where the backend's paths begin, such as `https://api.example.com/api/v1`.
    ///   - store: where the tokens outlive the app, such as the keychain.
    ///   - transport: what carries the requests.
    ///   - clock: the time for pauses between attempts, and by which a refresh token has expired.
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
            rules: .kiwIT(baseURL: baseURL, clock: clock, timeout: timeout),
            store: store,
            transport: transport,
            clock: clock,
            timeout: timeout
        )
    }

    /// Asks for what the user has done, which is no more than a leftover.
    ///
    /// The server of July 2024 fails to write its response, and no other one has it, so nothing is documented that
    /// could be returned; this throws the server's answer instead.
    public func requestStatistics() async throws(KiwITError) {
        try await ask(.command(.get, "user", "stat"))
    }

    /// Checks that the server is reachable.
    public func checkHealth() async throws(KiwITError) {
        try await ask(.command(.get, "healthCheck", authorization: .none))
    }
}

extension KiwITService: AppService {
    typealias Failure = KiwITError
}

extension KiwITService {
    /// The signed-in user.
    public func profile() async throws(KiwITError) -> KiwIT.Profile {
        try await ask(.json(.get, "user"))
    }

    /// Gives the user another name.
    ///
    /// - Throws: ``KiwITError/invalidRequestBody`` when the nickname is taken or blank.
    public func changeNickname(to nickname: String) async throws(KiwITError) -> KiwIT.Profile {
        try await ask(.json(.patch, "user", body: .json(["nickname": nickname])))
    }
}

extension KiwITService {
    /// All trophies that can be won, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func trophies(pageSize: Int = 30) -> Pages<KiwIT.Trophy> {
        pages(of: pageSize, trophies(page:size:))
    }

    /// One page of the trophies that can be won.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///   - size: how many it has at most.
    public func trophies(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.Trophy] {
        try await self.page(page, of: size, ["trophy"])
    }

    /// A trophy.
    ///
    /// - Throws: ``KiwITError/invalidRequestBody`` when there is no such trophy.
    public func trophy(_ id: Int) async throws(KiwITError) -> KiwIT.Trophy {
        try await ask(.json(.get, "trophy", "\(id)"))
    }

    /// The trophies that the user has won, the latest first, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func wonTrophies(pageSize: Int = 30) -> Pages<KiwIT.WonTrophy> {
        pages(of: pageSize, wonTrophies(page:size:))
    }

    /// One page of the trophies that the user has won, the latest first.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///   - size: how many it has at most.
    public func wonTrophies(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.WonTrophy] {
        try await self.page(page, of: size, ["trophy", "my"])
    }

    /// The trophy that the user has won last; `nil` when none was won yet.
    public func latestTrophy() async throws(KiwITError) -> KiwIT.WonTrophy? {
        try await ask(.jsonUnlessNone(.get, "trophy", "my", "latest", none: [204]))
    }
}

extension KiwITService {
    /// Notes that the user has studied a lecture, and makes sure of it.
    ///
    /// The server takes that note once for each lecture. When its response is lost, or says that something went wrong,
    /// the lecture is looked up: if it counts as studied, the call succeeds, and only the trophies won are not known.
    public func study(_ lecture: Int) async throws(KiwITError) -> KiwIT.StudyResult {
        do throws(KiwITError) {
            return try await recordStudy(of: lecture)
        } catch {
            guard error.leavesDoubt || error == .invalidRequestBody else { throw error }
            // A failure of the look-up adds nothing new.
            guard let study = try? await self.lecture(lecture).study else { throw error }
            return KiwIT.StudyResult(study: study, trophies: [])
        }
    }

    /// Notes that the user has studied a lecture.
    ///
    /// ``study(_:)`` does so as well, and checks the state in doubt.
    ///
    /// - Throws: ``KiwITError/invalidRequestBody`` when it was studied before, or there is no such lecture.
    public func recordStudy(of lecture: Int) async throws(KiwITError) -> KiwIT.StudyResult {
        try await ask(.json(.post, "content", "\(lecture)"))
    }

    /// Answers the exercise of a lecture that was studied.
    ///
    /// - Parameters:
    ///   - lecture: the lecture's number.
    ///   - isRight: whether the user takes the exercise's statement for right.
    /// - Throws: ``KiwITError/invalidRequestBody`` when the lecture was not studied yet.
    public func answerExercise(of lecture: Int, isRight: Bool) async throws(KiwITError) -> KiwIT.Study {
        try await ask(.json(.patch, "content", "\(lecture)", "exercise", body: .json(["answer": isRight])))
    }

    /// Sets the bookmark of a lecture that was studied, or takes it away if there is one.
    ///
    /// Never sent twice by itself. When the error ``KiwITError/leavesDoubt``, look the lecture up before trying again,
    /// for that would take back what was done.
    ///
    /// - Returns: the new state, with ``KiwIT/Study/isBookmarked``.
    /// - Throws: ``KiwITError/invalidRequestBody`` when the lecture was not studied yet.
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
    /// The user's interviews, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func interviews(pageSize: Int = 30) -> Pages<KiwIT.Interview> {
        pages(of: pageSize, interviews(page:size:))
    }

    /// One page of the user's interviews.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///   - size: how many it has at most.
    public func interviews(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.Interview] {
        let query = KiwIT.pageQuery(page, of: size)
        let list: KiwIT.InterviewList = try await ask(.json(.get, "interview", query: query))
        return list.interviews
    }

    /// The topics of interviews.
    public func interviewOptions() async throws(KiwITError) -> KiwIT.InterviewOptions {
        try await ask(.json(.get, "interview", "option"))
    }

    /// Has an interview made.
    ///
    /// - Returns: the interview; `nil` when making it takes longer than the server keeps a client waiting.
    public func makeInterview(_ interview: KiwIT.NewInterview) async throws(KiwITError) -> KiwIT.Interview? {
        try await ask(.jsonUnlessNone(.post, "interview", body: .json(interview), none: [202]))
    }

    /// An interview, with each time that the user has held it.
    public func interview(_ id: Int) async throws(KiwITError) -> KiwIT.HeldInterview {
        try await ask(.json(.get, "interview", "\(id)"))
    }

    /// An interview with its questions.
    public func interviewQuestions(_ id: Int) async throws(KiwITError) -> KiwIT.InterviewSheet {
        try await ask(.json(.get, "interview", "\(id)", "question"))
    }

    /// Opens a room to hold an interview in.
    public func startInterview(_ id: Int) async throws(KiwITError) {
        try await ask(.command(.post, "interview", "\(id)"))
    }

    /// Gives an interview another title.
    public func renameInterview(_ id: Int, to title: String) async throws(KiwITError) {
        try await ask(.command(.put, "interview", "\(id)", body: .json(["title": title])))
    }

    /// Deletes an interview.
    public func deleteInterview(_ id: Int) async throws(KiwITError) {
        try await ask(.command(.delete, "interview", "\(id)"))
    }

    /// Returns the position of a room in the queue.
    ///
    /// - Parameter room: the room's number.
    public func queuePlace(ofInterviewRoom room: Int) async throws(KiwITError) -> KiwIT.QueuePlace {
        try await ask(.json(.get, "interview", "room", "\(room)", "queue"))
    }

    /// The user's answers in a room.
    public func interviewRoom(_ id: Int) async throws(KiwITError) -> KiwIT.AnsweredInterviewRoom {
        try await ask(.json(.get, "interview", "room", "\(id)"))
    }

    /// Hands in the answers to an interview's questions.
    ///
    /// - Parameters:
    ///   - answers: what was answered, by the question's id.
    ///   - room: the room's number.
    public func submitAnswers(
        _ answers: [KiwIT.InterviewAnswer],
        inInterviewRoom room: Int
    ) async throws(KiwITError) {
        let list = answers.map { KiwIT.SubmittedAnswer(answer: $0.text, roomID: room, questionID: $0.questionID) }
        try await ask(.command(.post, "interview", "room", "\(room)", body: .json(["answerList": list])))
    }

    /// Deletes a room and what was answered in it.
    public func deleteInterviewRoom(_ id: Int) async throws(KiwITError) {
        try await ask(.command(.delete, "interview", "room", "\(id)"))
    }
}

extension KiwITService {
    /// All levels.
    public func levels() async throws(KiwITError) -> [KiwIT.Level] {
        try await ask(.json(.get, "content", "level"))
    }

    /// The lectures of a level by their ids, page by page.
    ///
    /// - Parameters:
    ///   - level: the level's number.
    ///   - pageSize: how many a page has.
    public func lectures(ofLevel level: Int, pageSize: Int = 15) -> Pages<KiwIT.Lecture> {
        pages(of: pageSize) { number, size throws(KiwITError) in
            try await lectures(ofLevel: level, page: number, size: size)
        }
    }

    /// One page of a level's lectures; empty behind the last one, and for a level that does not exist.
    ///
    /// - Parameters:
    ///   - level: the level's number.
    ///   - page: the page's number, from zero.
    ///   - size: how many it has.
    public func lectures(
        ofLevel level: Int,
        page: Int,
        size: Int = 15
    ) async throws(KiwITError) -> [KiwIT.Lecture] {
        try await self.page(page, of: size, ["content", "level", "\(level)"])
    }

    /// All categories.
    public func categories() async throws(KiwITError) -> [KiwIT.Category] {
        try await ask(.json(.get, "content", "category"))
    }

    /// The chapters of a category that have lectures.
    ///
    /// - Parameter category: the category's number.
    public func chapters(ofCategory category: Int) async throws(KiwITError) -> [KiwIT.Chapter] {
        try await ask(.json(.get, "content", "category", "\(category)"))
    }

    /// A lecture, and what the user has made of it.
    ///
    /// - Throws: ``KiwITError/invalidRequestBody`` when there is no such lecture.
    public func lecture(_ id: Int) async throws(KiwITError) -> KiwIT.LectureRecord {
        try await ask(.json(.get, "content", "\(id)"))
    }

    /// The lecture that the user studied last; `nil` when none was studied yet.
    public func latestLecture() async throws(KiwITError) -> KiwIT.Lecture? {
        // The server responds with 400 without one.
        try await ask(.jsonUnlessNone(.get, "content", "latest", none: [204, 400]))
    }

    /// The lectures that the user has studied, the latest first, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func studiedLectures(pageSize: Int = 30) -> Pages<KiwIT.LectureRecord> {
        pages(of: pageSize, studiedLectures(page:size:))
    }

    /// One page of the lectures that the user has studied, the latest first.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///   - size: how many it has at most.
    public func studiedLectures(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.LectureRecord] {
        try await self.page(page, of: size, ["content", "studied"])
    }

    /// The lectures with a bookmark, page by page; after a bookmark is taken away, call ``PagedList/remove(_:)``.
    ///
    /// - Parameter pageSize: how many a page has.
    public func bookmarkedLectures(pageSize: Int = 30) -> Pages<KiwIT.LectureRecord> {
        pages(of: pageSize, bookmarkedLectures(page:size:))
    }

    /// One page of the lectures with a bookmark, the latest first.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///   - size: how many it has at most.
    public func bookmarkedLectures(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.LectureRecord] {
        try await self.page(page, of: size, ["content", "kept"])
    }
}

/// The operations of kiwIT's backend: lectures, quizzes, trophies, interviews, and users.
///
/// ``KiwITService`` is where to begin.
public enum KiwIT {}
