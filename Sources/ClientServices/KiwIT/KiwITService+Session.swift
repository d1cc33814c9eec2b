extension KiwITService {
    /// A Boolean value that indicates whether a user is signed in, according to the tokens in the store.
    ///
    /// - Throws: ``KiwITError/storage(_:)`` when they cannot be read, which does not mean that the user has signed out.
    public var isSignedIn: Bool {
        get async throws(KiwITError) { try await tokens() != nil }
    }

    /// The events of the session from now on: each sign-in, and each end once, even if it affects several calls.
    ///
    /// Each access creates a separate stream, which continues as long as a task waits for the next event.
    public var events: AsyncStream<SessionEvent> {
        get async { await client.session.events() }
    }

    /// Signs in with what Kakao or Apple has given.
    ///
    /// Signing in takes the refresh token from every other device of the account.
    ///
    /// - Parameters:
    ///   - token: Kakao's access token, or Apple's identity token.
    ///   - provider: whose token it is.
    /// - Returns: what is required for a sign-up, when the server does not know the user.
    /// - Throws: ``KiwITError/invalidRequestBody`` when Kakao or Apple does not vouch for the token.
    public func signIn(with token: String, from provider: KiwIT.Provider) async throws(KiwITError) -> KiwIT.SignIn {
        let endpoint = Endpoint<KiwIT.SignInResponse>(
            method: .post,
            path: ["user", "sign-in"],
            body: .json(["token": token, "provider": provider.rawValue]),
            authorization: .none
        ) { response throws(ServiceProblem) in
            switch response.status {
            case 202: .signUpRequired(try response.decoded(as: KiwIT.SignUpDraft.self))
            case 200: .signedIn(try response.decoded(as: KiwIT.TokenPair.self).tokens)
            default: throw .status(response)
            }
        }
        switch try await ask(endpoint) {
        case .signUpRequired(let draft): return .signUpRequired(draft)
        case .signedIn(let tokens):
            try await begin(tokens)
            return .signedIn
        }
    }

    /// Makes an account, and signs in with it.
    ///
    /// - Throws: ``KiwITError/invalidRequestBody`` when the email or the nickname is taken, or the nickname blank. The
    ///   email may belong to a user who is banned; asking again with another nickname does not help then.
    public func signUp(_ signUp: KiwIT.SignUp) async throws(KiwITError) {
        let pair: KiwIT.TokenPair = try await ask(
            .json(.post, "user", "sign-up", body: .json(signUp), authorization: .none)
        )
        try await begin(pair.tokens)
    }

    /// Renews the access token now, as at each launch, and so finds out whether the session still holds.
    ///
    /// There is no need to call this before other calls: they renew a token that has expired.
    ///
    /// - Throws: ``KiwITError/invalidToken(_:)`` when the user has to sign in again. After every other error, such as a
    ///   missing network, the session goes on.
    public func refreshSession() async throws(KiwITError) { try await renew() }

    /// Signs out here, and on the server if it can be reached.
    ///
    /// The session here has ended when this returns or throws, regardless of the response. Calls that come together are
    /// one; without a session nothing is sent.
    ///
    /// - Throws: ``KiwITError/storage(_:)`` when the tokens cannot be read, so that the server was not notified, or not
    ///   cleared, so that they would sign the user in at the next launch; call it again to clear them. Otherwise why the
    ///   server may not have received it. Its refresh token may then be valid until it expires.
    public func signOut() async throws(KiwITError) {
        try await signingOut.submit("sign-out") { () async throws(KiwITError) in
            let session = await client.session.generation
            var problem: KiwITError?
            do throws(KiwITError) {
                try await ask(.command(.patch, "user", "sign-out"))
            } catch {
                problem = error
            }
            try await end(session)
            if let problem, problem != .signedOut { throw problem }
        }
    }

    /// Gives up the account, which a sign-in within 100 days would bring back.
    ///
    /// The session ends when the server agrees. Ask for a confirmation first: see
    /// ``KiwIT/Profile/isConfirmed(by:)``.
    ///
    /// - Throws: ``KiwITError/storage(_:)`` also when the server has agreed, but the store cannot be cleared; then
    ///   ``signOut()`` clears it.
    public func withdraw() async throws(KiwITError) {
        let session = await client.session.generation
        try await ask(.command(.delete, "user"))
        try await end(session)
    }
}

extension KiwITService {
    /// All quiz groups by their ids, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func quizGroups(pageSize: Int = 30) -> Pages<KiwIT.ListedQuizGroup> {
        pages(of: pageSize, quizGroups(page:size:))
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
    /// Each time is a new attempt. When the error ``KiwITError/leavesDoubt``, ``latestSolvedQuizGroup()`` shows whether
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
        try await ask(.jsonUnlessNone(.get, "quiz", "group", "latest-solved", none: [204]))
    }

    /// The groups that the user has solved, the latest first, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func solvedQuizGroups(pageSize: Int = 30) -> Pages<KiwIT.SolvedQuizGroup> {
        pages(of: pageSize, solvedQuizGroups(page:size:))
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

    /// The quizzes with a bookmark, page by page; after a bookmark is taken away, call ``PagedList/remove(_:)``.
    ///
    /// - Parameter pageSize: how many a page has.
    public func bookmarkedQuizzes(pageSize: Int = 30) -> Pages<KiwIT.BookmarkedQuiz> {
        pages(of: pageSize, bookmarkedQuizzes(page:size:))
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
    /// The response does not say which of the two it was, only which quiz it is about: change the star of that one, not
    /// of the quiz that is shown during the call. It is never repeated automatically, and a second tap during the call waits for the first.
    ///
    /// - Throws: ``KiwITError/invalidRequestBody`` when there is no such quiz.
    public func toggleBookmark(ofQuiz quiz: Int) async throws(KiwITError) -> KiwIT.QuizBookmarkChange {
        try await starring.submit(quiz) { () async throws(KiwITError) in
            try await ask(.json(.post, "quiz", "\(quiz)", "kept"))
        }
    }
}
