extension KiwITService {
    /// The user's interviews, page by page.
    ///
    /// - Parameter pageSize: how many a page has.
    public func interviews(pageSize: Int = 30) -> Pages<KiwIT.Interview> {
        pages(of: pageSize) { number, size throws(KiwITError) in try await interviews(page: number, size: size) }
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

    /// What an interview can be about.
    public func interviewOptions() async throws(KiwITError) -> KiwIT.InterviewOptions {
        try await ask(.json(.get, "interview", "option"))
    }

    /// Has an interview made.
    ///
    /// - Returns: the interview; `nil` when making it takes longer than the server wants to keep one waiting.
    public func makeInterview(_ interview: KiwIT.NewInterview) async throws(KiwITError) -> KiwIT.Interview? {
        let endpoint = Endpoint<KiwIT.Interview?>(method: .post, path: ["interview"], body: .json(interview)) {
            response throws(ServiceProblem) in
            if response.status == 202 { return nil }
            guard response.isSuccess else { throw .status(response) }
            return try response.decoded(as: KiwIT.Interview.self)
        }
        return try await ask(endpoint)
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

    /// Where a room stands in the queue.
    ///
    /// - Parameter room: the room's number.
    public func queuePlace(ofInterviewRoom room: Int) async throws(KiwITError) -> KiwIT.QueuePlace {
        try await ask(.json(.get, "interview", "room", "\(room)", "queue"))
    }

    /// What the user has answered in a room.
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
