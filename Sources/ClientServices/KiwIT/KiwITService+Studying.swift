extension KiwITService {
    /// Notes that the user has studied a lecture, and makes sure of it.
    ///
    /// The server takes that note once for each lecture. When its answer is lost, or says that something went wrong,
    /// the lecture is looked up: if it counts as studied, all is well, and only the trophies won are not known.
    public func study(_ lecture: Int) async throws(KiwITError) -> KiwIT.StudyResult {
        do throws(KiwITError) {
            return try await recordStudy(of: lecture)
        } catch {
            guard error.leavesDoubt || error == .invalidRequestBody else { throw error }
            // Whether looking it up fails says nothing new.
            guard let study = try? await self.lecture(lecture).study else { throw error }
            return KiwIT.StudyResult(study: study, trophies: [])
        }
    }

    /// Notes that the user has studied a lecture.
    ///
    /// ``study(_:)`` does so as well, and looks when it is in doubt.
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
