import ClientServices
import ClientTesting

extension KiwITAdapter {
    static var lectures: [ClientOperation<KiwITClient>] {
        [
            .value("getLevels") { try await $0.levels() },
            .value("getLecturesOfLevel") { try await $0.lectures(ofLevel: 1, page: 0) },
            .value("getCategories") { try await $0.categories() },
            .value("getChapters") { try await $0.chapters(ofCategory: 3) },
            .value("getLecture") { try await $0.lecture(31) },
            .value("studyLecture", tolerances: [noTrophies]) { try await $0.recordStudy(of: 31) },
            .value("answerExercise") { try await $0.answerExercise(of: 31, isRight: true) },
            .value("toggleLectureKept") { try await $0.toggleBookmark(ofLecture: 31) },
            .value("getLatestLecture", answers: [.init(400, "nothing was studied yet, which is no error")]) {
                try await $0.latestLecture()
            },
            .value("getStudiedLectures") { try await $0.studiedLectures(page: 0) },
            .value("getKeptLectures") { try await $0.bookmarkedLectures(page: 0) },
        ]
    }

    static var quizzes: [ClientOperation<KiwITClient>] {
        [
            .value("getQuizGroups") { try await $0.quizGroups(page: 0) },
            .value("getQuizGroup") { try await $0.quizGroup(5) },
            .value("submitQuizGroup", tolerances: [noTrophies]) { service in
                try await service.submit(
                    [.init("2", toQuiz: 51), .init("false", toQuiz: 52), .init("BFS", toQuiz: 53)],
                    toQuizGroup: 5
                )
            },
            .value("getLatestSolvedQuizGroup") { try await $0.latestSolvedQuizGroup() },
            .value("getSolvedQuizGroups") { try await $0.solvedQuizGroups(page: 0) },
            .value("getKeptQuizzes") { try await $0.bookmarkedQuizzes(page: 0) },
            .value("toggleQuizKept") { try await $0.toggleBookmark(ofQuiz: 52) },
        ]
    }

    private static var noTrophies: ClientOperation<KiwITClient>.Drop {
        .init("trophyAwardedList", "the server of July 2024 left it out, and nothing was won then")
    }
}
