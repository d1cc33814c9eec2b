import ClientServices
import ClientTesting
import JSON

extension SmeemAdapter {
    static var members: [ClientOperation<SmeemClient>] {
        [
            .noData("changeMyPlan") { service in
                try await service.choose(
                    Smeem.MemberChoice(goal: .develop, reminder: .usual, hasPushMessages: true, plan: 2)
                )
            },
            .data("getMyPlan", tolerances: [.init("data", "servers of May 2024 left it out without a plan")]) {
                try await $0.planProgress()
            },
            .data("changeMember", at: ["badges"], companions: ["checkNickname"]) {
                try await $0.changeNickname(to: Smeem.Nickname("스미미").needed())
            },
            .data("getMe") { try await $0.profile() },
            .noData("changePush") { try await $0.setPushMessages(true) },
            .noData("visit") { try await $0.visit() },
            .data("getMySummary") { try await $0.performance() },
            .data("getMyBadges", at: ["badgeTypes"]) { try await $0.badges() },
            .data("getBadgeProgress", at: ["badges"]) { try await $0.badgeProgress() },
        ]
    }

    static var diaries: [ClientOperation<SmeemClient>] {
        [
            ClientOperation("getDiaries", root: .init(tokens: ["data"])) { client in
                try CallValue(await client.service.diaries(in: .month(of: client.clock.now)))
            },
            .data("writeDiary") { try await $0.write(Smeem.DiaryDraft("I walked along the river today.", about: 17)) },
            .data("getDiary") { try await $0.diary(345) },
            .noData("changeDiary") { try await $0.changeDiary(345, to: "I walked along the river today, twice.") },
            .noData("deleteDiary") { try await $0.deleteDiary(345) },
            .data("correctDiary", at: ["corrections"]) { try await $0.correctDiary(345) },
            .data("getTopic") { try await $0.randomTopic() },
            .noData("rateCorrections") {
                try await $0.criticizeCorrections(of: 344, for: [.tooShort], comment: "예문이 더 있으면 좋겠어요.")
            },
        ]
    }

    static var bookmarks: [ClientOperation<SmeemClient>] {
        let page = "https://www.instagram.com/reel/C7/"
        return [
            .data("getBookmarks", at: ["bookmarks"]) { try await $0.bookmarks() },
            .data("bookmark") { try await $0.addBookmark(of: page) },
            .data("bookmarkByHand") {
                try await $0.addBookmark(Smeem.TypedBookmark("Pissed off", meaning: "엄청 화나다", from: page))
            },
            .data("getBookmark") { try await $0.bookmark(41) },
            .data("changeBookmark") {
                try await $0.changeBookmark(41, Smeem.BookmarkChange(expression: "Pissed off"))
            },
            .noData("deleteBookmark") { try await $0.deleteBookmark(41) },
        ]
    }
}
