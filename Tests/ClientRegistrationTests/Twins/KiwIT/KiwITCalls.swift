/// All that a twin of kiwIT can ask, by the contract's names.
struct KiwITCalls: Sendable {
    let bugs: Set<KiwITBug>
    let shapes: KiwITShapes

    init(_ bugs: Set<KiwITBug>) {
        self.bugs = bugs
        shapes = KiwITShapes(bugs: bugs)
    }

    // MARK: Accounts

    var signIn: KiwITCall {
        KiwITCall("signIn", "POST", "/user/sign-in", shapes.tokenPair)
            .sending(#"{"token":"from-kakao","provider":"KAKAO"}"#).open([202: shapes.signUpRequired])
    }

    func signUp(_ email: String, _ nickname: String) -> KiwITCall {
        KiwITCall("signUp", "POST", "/user/sign-up", shapes.tokenPair)
            .sending(#"{"email":"\#(email)","nickname":"\#(nickname)","provider":"KAKAO"}"#).open()
    }

    func refresh(_ token: String) -> KiwITCall {
        KiwITCall("refresh", "PATCH", "/user/refresh").sending(#"{"refreshToken":"\#(token)"}"#).open()
    }

    var signOut: KiwITCall { KiwITCall("signOut", "PATCH", "/user/sign-out") }
    var withdraw: KiwITCall { KiwITCall("withdraw", "DELETE", "/user") }
    var profile: KiwITCall { KiwITCall("getProfile", "GET", "/user", shapes.profile) }

    private var accounts: [KiwITCall] {
        [
            profile,
            KiwITCall("editProfile", "PATCH", "/user", shapes.profile).sending(#"{"nickname":"키위나무"}"#),
            KiwITCall("checkHealth", "GET", "/healthCheck").open(),
        ]
    }

    // MARK: Lectures

    var lecture: KiwITCall { KiwITCall("getLecture", "GET", "/content/31", shapes.lectureRecord) }
    var studyLecture: KiwITCall { KiwITCall("studyLecture", "POST", "/content/31", shapes.studyResult) }

    var answerExercise: KiwITCall {
        KiwITCall("answerExercise", "PATCH", "/content/31/exercise", shapes.study).sending(#"{"answer":"true"}"#)
    }

    func toggleLecture(_ id: Int = 31) -> KiwITCall {
        KiwITCall("toggleLectureKept", "PATCH", "/content/\(id)/kept", shapes.bookmarkedStudy)
    }

    var latestLecture: KiwITCall {
        KiwITCall("getLatestLecture", "GET", "/content/latest", shapes.lecture).empty(400)
    }

    func studiedLectures(size: Int = 30) -> KiwITCall {
        KiwITCall("getStudiedLectures", "GET", "/content/studied", .list(shapes.lectureRecord)).page(0, of: size)
    }

    func bookmarkedLectures(_ page: Int = 0, size: Int = 30) -> KiwITCall {
        KiwITCall("getKeptLectures", "GET", "/content/kept", .list(shapes.lectureRecord)).page(page, of: size)
    }

    var levels: KiwITCall { KiwITCall("getLevels", "GET", "/content/level", .list(shapes.level)) }

    private var lectures: [KiwITCall] {
        [
            levels,
            KiwITCall("getLecturesOfLevel", "GET", "/content/level/1", .list(shapes.lecture)).page(0, of: 15),
            KiwITCall("getCategories", "GET", "/content/category", .list(shapes.category)),
            KiwITCall("getChapters", "GET", "/content/category/3", .list(shapes.chapter)),
            lecture, studyLecture, answerExercise, toggleLecture(), latestLecture, studiedLectures(),
            bookmarkedLectures(),
        ]
    }

    // MARK: Quizzes and trophies

    func quizGroups(_ page: Int = 0) -> KiwITCall {
        let call = KiwITCall("getQuizGroups", "GET", "/quiz/group", .list(shapes.listedGroup))
        return bugs.contains(.sendsNoQuery) ? call : call.page(page)
    }

    var submit: KiwITCall {
        KiwITCall("submitQuizGroup", "POST", "/quiz/group/5", shapes.quizResult).sending(
            #"{"answerList":[{"quizId":51,"answer":"2"},{"quizId":52,"answer":"false"},{"quizId":53,"answer":"BFS"}]}"#
        )
    }

    var quizSheet: KiwITCall { KiwITCall("getQuizGroup", "GET", "/quiz/group/5", shapes.quizSheet) }

    var latestQuizGroup: KiwITCall {
        KiwITCall("getLatestSolvedQuizGroup", "GET", "/quiz/group/latest-solved", shapes.solvedGroup).empty(204)
    }

    func solvedQuizGroups(size: Int = 30) -> KiwITCall {
        KiwITCall("getSolvedQuizGroups", "GET", "/quiz/group/solved", .list(shapes.solvedGroup)).page(0, of: size)
    }

    func bookmarkedQuizzes(size: Int = 30) -> KiwITCall {
        KiwITCall("getKeptQuizzes", "GET", "/quiz/kept", .list(shapes.keptQuiz)).page(0, of: size)
    }

    func toggleQuiz(_ id: Int) -> KiwITCall {
        KiwITCall("toggleQuizKept", "POST", "/quiz/\(id)/kept", shapes.quizKept)
    }

    var wonTrophies: KiwITCall { KiwITCall("getMyTrophies", "GET", wonPath, .list(shapes.wonTrophy)).page(0) }

    var latestTrophy: KiwITCall {
        KiwITCall("getMyLatestTrophy", "GET", wonPath + "/latest", shapes.wonTrophy).empty(204)
    }

    private var wonPath: String { bugs.contains(.asksForOldTrophies) ? "/user/trophy" : "/trophy/my" }

    private var quizzes: [KiwITCall] {
        [
            quizGroups(), quizSheet, submit, latestQuizGroup, solvedQuizGroups(), bookmarkedQuizzes(),
            toggleQuiz(52), wonTrophies, latestTrophy,
            KiwITCall("getTrophies", "GET", "/trophy", .list(shapes.trophy)).page(0),
            KiwITCall("getTrophy", "GET", "/trophy/1", shapes.trophy),
        ]
    }

    // MARK: Interviews

    private var interviews: [KiwITCall] {
        [
            KiwITCall("getInterviews", "GET", "/interview", shapes.interviews).page(0),
            KiwITCall("getInterviewOptions", "GET", "/interview/option", shapes.options),
            KiwITCall("makeInterview", "POST", "/interview", shapes.interview).sending(
                #"{"categoryId":"3","levelNum":"1","timeLimit":"600","etcRequest":"","questionsCnt":"2"}"#
            ).empty(202),
            KiwITCall("getInterviewRooms", "GET", "/interview/3", shapes.heldInterview),
            KiwITCall("startInterview", "POST", "/interview/3"),
            KiwITCall("editInterview", "PUT", "/interview/3").sending(#"{"title":"실전 면접"}"#),
            KiwITCall("deleteInterview", "DELETE", "/interview/3"),
            KiwITCall("getInterviewQuestions", "GET", "/interview/3/question", shapes.interviewSheet),
            KiwITCall("getInterviewRoom", "GET", "/interview/room/9", shapes.answeredRoom),
            KiwITCall("answerInterview", "POST", "/interview/room/9").sending(
                #"{"answerList":[{"myAnswer":"스택은 LIFO","roomId":9,"questionId":21}]}"#
            ),
            KiwITCall("deleteInterviewRoom", "DELETE", "/interview/room/9"),
            KiwITCall("getInterviewQueue", "GET", "/interview/room/9/queue", shapes.queuePlace),
        ]
    }

    /// All that is one call and nothing more.
    var plain: [KiwITCall] { accounts + lectures + quizzes + interviews }
}
