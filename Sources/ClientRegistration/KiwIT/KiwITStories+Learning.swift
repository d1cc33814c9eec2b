import ClientServices
import ClientTesting

extension KiwITAdapter {
    /// Lectures and quizzes.
    static var learningStories: [String: StoryFlow<KiwITClient>] {
        [
            "K6": whenSignedIn { screens in
                await bookmarkLecture(screens)
            },
            "K7": whenSignedIn { screens in
                if screens.scene.variant == "bookmark" {
                    await bookmarkSolvedQuiz(screens)
                } else {
                    await openBookmarkedQuizzes(screens)
                }
            },
            "K8": whenSignedIn { screens in
                let problem = await screens.scene.outcome {
                    if try await screens.service.lecture(31).study == nil { _ = try await screens.service.study(31) }
                    _ = try await screens.service.answerExercise(of: 31, isRight: true)
                }
                await screens.tell("canLeave", problem == nil)
                await screens.show("lecture")
            },
            "K9": whenSignedIn { screens in
                let groups = try await screens.all(PagedList(screens.service.quizGroups()))
                await screens.tell("rows", groups.count)
                await screens.show("quizzes")
            },
            "K10": whenSignedIn { screens in
                let list = PagedList(screens.service.bookmarkedLectures())
                try await list.loadMore()
                if let first = await list.items.first {
                    let study = try await screens.service.toggleBookmark(ofLecture: first.id)
                    if !study.isBookmarked { await list.remove(first.id) }
                }
                await screens.tell("rows", try await screens.all(list).count)
                await screens.show("bookmarks")
            },
            "K15": whenSignedIn { screens in
                guard let first = try await screens.service.quizGroup(5).quizzes.first(where: { $0.id == 51 }) else {
                    return
                }
                // The next quiz is on the screen long before the answer is there.
                let change = try await screens.service.toggleBookmark(ofQuiz: first.id)
                await screens.tell("starred", change.quizID)
            },
            "S-0702": whenSignedIn { screens in
                let problem = await screens.scene.outcome {
                    _ = try await screens.service.study(31)
                    _ = try await screens.service.answerExercise(of: 31, isRight: true)
                    _ = try await screens.service.submit(answers, toQuizGroup: 5)
                }
                // Without it, the corner for trophies stays empty.
                _ = try? await screens.service.latestTrophy()
                await screens.tell("showsError", problem != nil)
                await screens.show(problem == nil ? "quizResult" : "quiz")
            },
        ]
    }

    private static var answers: [KiwIT.GivenResponse] {
        [.init("2", toQuiz: 51), .init("false", toQuiz: 52), .init("BFS", toQuiz: 53)]
    }

    private static func bookmarkLecture(_ screens: KiwITScreens) async {
        let star = Star()
        let problem = await screens.scene.outcome {
            let study = try await screens.service.toggleBookmark(ofLecture: 31)
            await star.turn(study.isBookmarked ? study.lectureID : 0)
        }
        await screens.tell("bookmarked", await star.owner != 0)
        await screens.tell("showsError", problem != nil)
        await screens.show("lecture")
    }

    private static func bookmarkSolvedQuiz(_ screens: KiwITScreens) async {
        let star = Star()
        let problem = await screens.scene.outcome {
            await star.turn(try await screens.service.toggleBookmark(ofQuiz: 53).quizID)
        }
        await screens.tell("starred", await star.owner)
        await screens.tell("showsError", problem != nil)
    }

    private static func openBookmarkedQuizzes(_ screens: KiwITScreens) async {
        let list = PagedList(screens.service.bookmarkedQuizzes())
        let problem = await screens.scene.outcome { _ = try await screens.all(list) }
        await screens.tell("rows", await list.items.count)
        await screens.tell("showsError", problem != nil)
        await screens.show("keptQuizzes")
    }
}

/// The star on the screen.
private actor Star {
    /// Whose it is when it is on; 0 when it is off.
    private(set) var owner = 0

    func turn(_ owner: Int) { self.owner = owner }
}
