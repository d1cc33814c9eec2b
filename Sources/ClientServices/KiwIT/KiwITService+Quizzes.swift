extension KiwITService {
    /// All quiz groups by their ids, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func quizGroups(pageSize: Int = 30) -> Pages<KiwIT.ListedQuizGroup> {
        pages(of: pageSize) { number, size throws(KiwITError) in try await quizGroups(page: number, size: size) }
    }

    /// One page of the quiz groups.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///   - size: how many it has at most.
    public func quizGroups(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.ListedQuizGroup] {
        try await self.page(page, of: size, ["quiz", "group"])
    }

    /// A quiz group with its quizzes.
    ///
    /// - Throws: ``KiwITError/invalidRequestBody`` when there is no such group.
    public func quizGroup(_ id: Int) async throws(KiwITError) -> KiwIT.QuizSheet {
        try await ask(.json(.get, "quiz", "group", "\(id)"))
    }

    /// Hands in the answers to all quizzes of a group, in any order.
    ///
    /// Each time is a new attempt. When the error ``KiwITError/leavesDoubt``, ``latestSolvedQuizGroup()`` tells whether
    /// this one has counted.
    ///
    /// - Parameters:
    ///   - answers: one for each quiz.
    ///   - group: the group's number.
    /// - Throws: ``KiwITError/invalidRequestBody`` when there is not exactly one answer for each quiz.
    public func submit(
        _ answers: [KiwIT.GivenResponse],
        toQuizGroup group: Int
    ) async throws(KiwITError) -> KiwIT.QuizResult {
        try await ask(.json(.post, "quiz", "group", "\(group)", body: .json(["answerList": answers])))
    }

    /// The group that the user has solved last; `nil` when none was solved yet.
    public func latestSolvedQuizGroup() async throws(KiwITError) -> KiwIT.SolvedQuizGroup? {
        try await ask(.jsonUnlessNone("quiz", "group", "latest-solved", none: [204]))
    }

    /// The groups that the user has solved, the latest first, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func solvedQuizGroups(pageSize: Int = 30) -> Pages<KiwIT.SolvedQuizGroup> {
        pages(of: pageSize) { number, size throws(KiwITError) in
            try await solvedQuizGroups(page: number, size: size)
        }
    }

    /// One page of the groups that the user has solved, the latest first.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///     The one right behind the end is empty, any further one an error.
    ///   - size: how many it has at most.
    public func solvedQuizGroups(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.SolvedQuizGroup] {
        try await self.page(page, of: size, ["quiz", "group", "solved"])
    }

    /// The quizzes with a bookmark, page by page; who takes a bookmark away tells ``PagedList/remove(_:)``.
    ///
    /// - Parameter pageSize: how many a page has.
    public func bookmarkedQuizzes(pageSize: Int = 30) -> Pages<KiwIT.BookmarkedQuiz> {
        pages(of: pageSize) { number, size throws(KiwITError) in
            try await bookmarkedQuizzes(page: number, size: size)
        }
    }

    /// One page of the quizzes with a bookmark, the latest first.
    ///
    /// - Parameters:
    ///   - page: the page's number, from zero.
    ///   - size: how many it has at most.
    public func bookmarkedQuizzes(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.BookmarkedQuiz] {
        try await self.page(page, of: size, ["quiz", "kept"])
    }

    /// Sets the bookmark of a quiz, or takes it away if there is one.
    ///
    /// The answer does not say which of the two it was, only which quiz it is about: change the star of that one, not
    /// of the quiz that is shown meanwhile. Never sent twice by itself.
    ///
    /// - Throws: ``KiwITError/invalidRequestBody`` when there is no such quiz.
    public func toggleBookmark(ofQuiz quiz: Int) async throws(KiwITError) -> KiwIT.QuizBookmarkChange {
        try await ask(.json(.post, "quiz", "\(quiz)", "kept"))
    }
}
