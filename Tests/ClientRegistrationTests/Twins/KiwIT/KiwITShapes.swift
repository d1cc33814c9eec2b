/// All that a twin of kiwIT can read, with what it cannot because of its bugs.
struct KiwITShapes: Sendable {
    let bugs: Set<KiwITBug>

    private func nullable(_ shape: KiwITShape, unless bug: KiwITBug) -> KiwITShape {
        bugs.contains(bug) ? shape : .nullable(shape)
    }

    private func word(_ words: String...) -> KiwITShape {
        .word(words, isStrict: bugs.contains(.knowsAllWords))
    }

    private var moments: [String: KiwITShape] { ["createdAt": .text, "updatedAt": .text] }

    // MARK: Accounts

    var tokenPair: KiwITShape { .object(["accessToken": .text, "refreshToken": .text]) }

    var signUpRequired: KiwITShape {
        .object([
            "email": nullable(.text, unless: .wantsEmail), "nickname": nullable(.text, unless: .wantsEmail),
            "provider": .text,
        ])
    }

    var profile: KiwITShape {
        .object([
            "id": .integer, "email": .text, "nickname": .text, "point": .integer, "plan": .text, "status": .text,
        ])
    }

    // MARK: Lectures

    var level: KiwITShape { .object(["num": .integer, "title": nullable(.text, unless: .wantsLevel)]) }
    var category: KiwITShape { .object(["id": .integer, "title": .text, "thumbnailUrl": .text]) }

    var chapter: KiwITShape { .object(["id": .integer, "title": .text, "contentList": .list(lecture)]) }

    var lecture: KiwITShape {
        .object([
            "id": .integer, "title": .text, "point": .integer, "exercise": .text, "answer": .truth,
            "levelNum": nullable(.integer, unless: .wantsLevel),
            "categoryChapterId": nullable(.integer, unless: .wantsLevel), "payloadUrl": .text,
        ])
    }

    var study: KiwITShape { study(.nullable(.truth)) }
    var bookmarkedStudy: KiwITShape { study(nullable(.truth, unless: .wantsAnswer)) }

    private func study(_ answer: KiwITShape) -> KiwITShape {
        .object(["userId": .integer, "contentId": .integer, "myAnswer": answer, "kept": .truth]).adding(moments)
    }

    var lectureRecord: KiwITShape { lecture.adding(["contentStudied": .nullable(study)]) }
    var studyResult: KiwITShape { withTrophies(study) }

    // MARK: Quizzes

    private var question: KiwITShape {
        .object([
            "id": .integer, "type": word("MULTIPLE", "TF", "SHORT"), "title": .text, "question": .text,
            "answer": .text, "explanation": .text, "score": .integer,
        ])
    }

    private var answer: KiwITShape {
        let correct: KiwITShape = bugs.contains(.wantsTextualResult) ? .text : .truth
        return .object(["userId": .integer, "quizId": .integer, "correct": correct, "myAnswer": .text])
    }

    var keptQuiz: KiwITShape { question.adding(["result": .nullable(answer)]) }

    var quizKept: KiwITShape {
        .object(["userId": .integer, "quizId": .integer, "quizSolved": .nullable(answer)])
    }

    private var group: KiwITShape {
        .object([
            "id": .integer, "title": .text, "subtitle": .text, "levelNum": nullable(.integer, unless: .wantsLevel),
            "totalScore": .integer,
        ])
    }

    var listedGroup: KiwITShape {
        group.adding(["categoryChapter": .object(["id": .integer, "title": .text])])
    }

    var quizSheet: KiwITShape {
        let choice = KiwITShape.object(["number": .integer, "quizId": .integer, "payload": .text])
        return group.adding(["quizList": .list(question.adding(["choiceList": .list(choice), "kept": .truth]))])
    }

    private var scores: KiwITShape {
        .object(["userId": .integer, "quizGroupId": .integer, "latestScore": .integer, "highestScore": .integer])
    }

    var solvedGroup: KiwITShape { group.adding(["result": scores]) }
    var quizResult: KiwITShape { withTrophies(scores) }

    // MARK: Trophies

    var trophy: KiwITShape {
        .object([
            "id": .integer, "title": .text, "imageUrl": nullable(.text, unless: .wantsPicture),
            "type": word("TOTAL_CONTENT_STUDIED", "TOTAL_QUIZ_GROUP_SOLVED", "CHAPTER_CLEAR", "CATEGORY_CLEAR"),
            "threshold": .integer,
        ])
    }

    var wonTrophy: KiwITShape { .object(["userId": .integer, "trophy": trophy]).adding(moments) }

    private func withTrophies(_ shape: KiwITShape) -> KiwITShape {
        let more = ["trophyAwardedList": KiwITShape.list(trophy)]
        return bugs.contains(.wantsTrophies) ? shape.adding(more) : shape.allowing(more)
    }

    // MARK: Interviews

    var interview: KiwITShape {
        .object(["id": .integer, "title": .text, "timeLimit": .integer, "questionsCnt": .integer]).adding(moments)
    }

    private var room: KiwITShape { .object(["id": .integer, "score": .integer]).adding(moments) }
    var interviews: KiwITShape { .object(["interviewList": .list(interview)]) }
    var options: KiwITShape { .object(["categoryList": .list(category), "levelList": .list(level)]) }
    var heldInterview: KiwITShape { interview.adding(["interviewRoomList": .list(room)]) }

    var interviewSheet: KiwITShape {
        interview.adding(["questionList": .list(.object(["id": .integer, "question": .text, "modelAnswer": .text]))])
    }

    var answeredRoom: KiwITShape {
        room.adding(["answerList": .list(.object(["id": .integer, "myAnswer": .text, "question": .text]))])
    }

    var queuePlace: KiwITShape { .object(["order": .integer], optional: ["token": .nullable(.text)]) }
}
