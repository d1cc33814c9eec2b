extension KiwITService {
    /// Signs in with a Kakao or Apple token.
    ///
    /// Signing in invalidates the account's refresh tokens on all other devices.
    ///
    /// - Parameters:
    ///   - token: Kakao's access token or Apple's identity token.
    ///   - provider: The provider that issued the token.
    /// - Returns: The sign-in result, which includes the details for a sign-up if the server does not know the user.
    /// - Throws: ``KiwIT/Reason/invalidRequestBody`` if Kakao or Apple rejects the token.
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

    /// Creates an account and signs in.
    ///
    /// - Throws: ``KiwIT/Reason/invalidRequestBody`` if the email address or the nickname is taken, or if the nickname is
    ///   blank. If the address belongs to a banned user, a different nickname does not help.
    public func signUp(_ signUp: KiwIT.SignUp) async throws(KiwITError) {
        let pair: KiwIT.TokenPair = try await ask(
            .json(.post, "user", "sign-up", body: .json(signUp), authorization: .none)
        )
        try await begin(pair.tokens)
    }

    /// Signs out locally and, if the server can be reached, on the server.
    ///
    /// The local session has ended when this method returns or throws, regardless of the response. Concurrent calls
    /// send only one request. Without a session, no request is sent.
    ///
    /// - Throws: ``KiwITError/storage(_:)`` if the tokens cannot be read, in which case the server was not notified, or
    ///   if the tokens cannot be deleted, in which case they would sign the user in at the next launch. Call this
    ///   method again to delete the tokens. Any other error means that the server may not have received the request.
    ///   The refresh token may then remain valid until it expires.
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

    /// Deactivates the account, which the user can reactivate by signing in within 100 days.
    ///
    /// The session ends if the server reports success. Ask the user for confirmation first. See
    /// ``KiwIT/Profile/isConfirmed(by:)``.
    ///
    /// - Throws: ``KiwITError/storage(_:)`` if the account is deactivated but its tokens cannot be deleted. In this
    ///   case, ``signOut()`` deletes the tokens.
    public func withdraw() async throws(KiwITError) {
        try await end(with: .command(.delete, "user"))
    }
}

extension KiwITService {
    /// Returns all quiz groups as pages, sorted by ID.
    public func quizGroups(pageSize: Int = 30) -> Pages<KiwIT.ListedQuizGroup> {
        pages(of: pageSize, quizGroups(page:size:))
    }

    /// Returns one page of quiz groups.
    public func quizGroups(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.ListedQuizGroup] {
        try await self.page(page, of: size, ["quiz", "group"])
    }

    /// Returns a quiz group with its quizzes.
    ///
    /// - Throws: ``KiwIT/Reason/invalidRequestBody`` if the group does not exist.
    public func quizGroup(_ id: Int) async throws(KiwITError) -> KiwIT.QuizSheet {
        try await ask(.json(.get, "quiz", "group", "\(id)"))
    }

    /// Submits the answers to all quizzes in a group, in any order.
    ///
    /// Each call is a new attempt. If an error's ``KiwITError/leavesDoubt`` is `true`, call ``latestSolvedQuizGroup()``
    /// to check whether the attempt was counted.
    ///
    /// - Parameters:
    ///   - answers: One answer for each quiz in the group.
    /// - Throws: ``KiwIT/Reason/invalidRequestBody`` if `answers` does not contain exactly one answer for each quiz.
    public func submit(
        _ answers: [KiwIT.GivenResponse],
        toQuizGroup group: Int
    ) async throws(KiwITError) -> KiwIT.QuizResult {
        try await ask(.json(.post, "quiz", "group", "\(group)", body: .json(["answerList": answers])))
    }

    /// Returns the most recently solved quiz group, or `nil` if the user has not solved a group yet.
    public func latestSolvedQuizGroup() async throws(KiwITError) -> KiwIT.SolvedQuizGroup? {
        try await ask(.jsonUnlessNone(.get, "quiz", "group", "latest-solved", none: [204]))
    }

    /// Returns pages of the quiz groups that the user has solved, most recent first.
    public func solvedQuizGroups(pageSize: Int = 30) -> Pages<KiwIT.SolvedQuizGroup> {
        pages(of: pageSize, solvedQuizGroups(page:size:))
    }

    /// Returns one page of the quiz groups that the user has solved, most recent first.
    ///
    /// - Parameters:
    ///   - page: The page number, starting at zero. The page directly after the last page is empty. Requests for later
    ///     pages fail.
    public func solvedQuizGroups(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.SolvedQuizGroup] {
        try await self.page(page, of: size, ["quiz", "group", "solved"])
    }

    /// Returns the bookmarked quizzes as pages.
    ///
    /// After removing a bookmark, call ``PagedList/remove(_:)``.
    public func bookmarkedQuizzes(pageSize: Int = 30) -> Pages<KiwIT.BookmarkedQuiz> {
        pages(of: pageSize, bookmarkedQuizzes(page:size:))
    }

    /// Returns one page of bookmarked quizzes, most recent first.
    public func bookmarkedQuizzes(page: Int, size: Int = 30) async throws(KiwITError) -> [KiwIT.BookmarkedQuiz] {
        try await self.page(page, of: size, ["quiz", "kept"])
    }

    /// Bookmarks a quiz, or removes the bookmark if the quiz is already bookmarked.
    ///
    /// The response does not include the new state, only the quiz's ID. Update the quiz with this ID, not the quiz that
    /// is currently shown. The request is never retried automatically, and a second call waits for the first call.
    ///
    /// - Throws: ``KiwIT/Reason/invalidRequestBody`` if the quiz does not exist.
    public func toggleBookmark(ofQuiz quiz: Int) async throws(KiwITError) -> KiwIT.QuizBookmarkChange {
        try await starring.submit(quiz) { () async throws(KiwITError) in
            try await ask(.json(.post, "quiz", "\(quiz)", "kept"))
        }
    }
}
