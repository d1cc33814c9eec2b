import ClientServices
package import ClientTesting
import Foundation

/// Puts kiwIT's service under test.
package struct KiwITAdapter: AppAdapter {
    package init() {}

    package var name: String { "kiwIT" }
    package var contract: String { "Contracts/kiwit/openapi.json" }
    package var stories: String? { "Scenarios/kiwit" }

    package func makeClient(_ setting: ClientSetting) async throws -> KiwITClient {
        try KiwITClient(setting)
    }

    package var operations: [ClientOperation<KiwITClient>] {
        Self.session + Self.profile + Self.lectures + Self.quizzes + Self.trophies + Self.interviews
    }

    package var flows: [String: StoryFlow<KiwITClient>] {
        Self.tokenStories.merging(Self.learningStories) { first, _ in first }
            .merging(Self.accountStories) { first, _ in first }
    }
}

extension KiwIT.Reason: NamedReason {
    var name: String {
        guard case .unexpectedStatus(let status) = self else { return "\(self)" }
        return "unexpectedStatus(\(status))"
    }
}

extension KiwITAdapter {
    static var interviews: [ClientOperation<KiwITClient>] {
        [
            .value("getInterviews") { try await InterviewList(interviewList: $0.interviews(page: 0)) },
            .value("getInterviewOptions") { try await $0.interviewOptions() },
            .value("makeInterview") { service in
                try await service.makeInterview(
                    KiwIT.NewInterview(categoryID: 3, levelNumber: 1, timeLimit: 600, questionCount: 2)
                )
            },
            .value("getInterviewRooms") { try await $0.interview(3) },
            .value("getInterviewQuestions") { try await $0.interviewQuestions(3) },
            .done("startInterview") { try await $0.startInterview(3) },
            .done("editInterview") { try await $0.renameInterview(3, to: "자료구조 실전 면접") },
            .done("deleteInterview") { try await $0.deleteInterview(3) },
            .value("getInterviewQueue") { try await $0.queuePlace(ofInterviewRoom: 9) },
            .value("getInterviewRoom") { try await $0.interviewRoom(9) },
            .done("answerInterview") { service in
                try await service.submitAnswers(
                    [.init("스택은 나중에 넣은 것을 먼저 꺼냅니다.", toQuestion: 21)],
                    inInterviewRoom: 9
                )
            },
            .done("deleteInterviewRoom") { try await $0.deleteInterviewRoom(9) },
        ]
    }

    /// The list as the server has it, which the service takes off.
    private struct InterviewList: Encodable {
        var interviewList: [KiwIT.Interview]
    }
}

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
            .value(
                "getLatestLecture",
                answers: [.init(400, "no lecture has been studied yet, which is not an error")]
            ) {
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
        .init("trophyAwardedList", "the July 2024 version of the server omitted the list if no trophy was won")
    }
}

extension KiwITAdapter {
    static var session: [ClientOperation<KiwITClient>] {
        [
            ClientOperation("signUp", role: .signIn) { client in
                let signUp = KiwIT.SignUp(email: "newcomer@example.com", nickname: "새내기", provider: .kakao)
                try await client.service.signUp(signUp)
                return try await client.pair
            },
            ClientOperation("signIn", role: .signIn) { client in
                switch try await client.service.signIn(with: "from-kakao", from: .kakao) {
                case .signedIn: try await client.pair
                case .signUpRequired(let draft): try CallValue(draft)
                }
            },
            ClientOperation("refresh", role: .refresh) { client in
                try await client.service.refreshSession()
                return try await client.pair
            },
            .done("signOut", role: .signOut) { try await $0.signOut() },
            .done("withdraw", role: .signOut) { try await $0.withdraw() },
            .done("getStatistics") { try await $0.requestStatistics() },
            .done("checkHealth") { try await $0.checkHealth() },
        ]
    }

    static var profile: [ClientOperation<KiwITClient>] {
        [
            .value("getProfile") { try await $0.profile() },
            .value("editProfile") { try await $0.changeNickname(to: "키위나무") },
        ]
    }

    static var trophies: [ClientOperation<KiwITClient>] {
        [
            .value("getTrophies") { try await $0.trophies(page: 0) },
            .value("getTrophy") { try await $0.trophy(1) },
            .value("getMyTrophies") { try await $0.wonTrophies(page: 0) },
            .value("getMyLatestTrophy") { try await $0.latestTrophy() },
        ]
    }
}

/// An app of kiwIT: its service, and where the tokens are kept.
package struct KiwITClient: AppClient {
    let service: KiwITService
    let store: MemoryTokenStore

    init(_ setting: ClientSetting) throws {
        guard let url = URL(string: setting.url + "/api/v1") else { throw URLError(.badURL) }
        store = MemoryTokenStore(setting)
        service = KiwITService(
            baseURL: url,
            store: store,
            transport: setting.transport,
            clock: BridgedClock(time: setting.time)
        )
    }

    /// The tokens that are kept, as the server gives a pair.
    var pair: CallValue {
        get async throws {
            guard let tokens = await store.tokens() else { return .nothing }
            return try CallValue(["accessToken": tokens.access, "refreshToken": tokens.refresh])
        }
    }
}
