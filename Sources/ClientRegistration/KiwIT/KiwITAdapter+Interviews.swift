import ClientServices
import ClientTesting

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
