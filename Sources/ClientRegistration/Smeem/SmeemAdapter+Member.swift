import ClientServices
import ContractRunner
import JSONText

extension SmeemAdapter {
    static var members: [ClientOperation<SmeemClient>] {
        [
            .done("changeMyPlan") { service in
                try await service.choose(
                    Smeem.MemberChoice(goal: .develop, reminder: .usual, hasPushMessages: true, plan: 2)
                )
            },
            .value("getMyPlan", tolerances: [.init("data", "servers of May 2024 left it out without a plan")]) {
                try await $0.planProgress()
            },
            .value("changeMember", at: ["badges"], companions: ["checkNickname"]) {
                try await $0.changeNickname(to: Smeem.Nickname("스미미").needed())
            },
            .value("getMe") { try await $0.profile() },
            .done("changePush") { try await $0.setPushMessages(true) },
            .done("visit") { try await $0.visit() },
            .value("getMySummary") { try await $0.performance() },
            .value("getMyBadges", at: ["badgeTypes"]) { try await $0.badges() },
            .value("getBadgeProgress", at: ["badges"]) { try await $0.badgeProgress() },
        ]
    }

    static var diaries: [ClientOperation<SmeemClient>] {
        [
            ClientOperation("getDiaries", root: .init(tokens: ["data"])) { client in
                try CallValue(await client.service.diaries(in: .month(of: client.clock.now)))
            },
            .value("writeDiary") { try await $0.write(Smeem.DiaryDraft("I walked along the river today.", about: 17)) },
            .value("getDiary") { try await $0.diary(345) },
            .done("changeDiary") { try await $0.changeDiary(345, to: "I walked along the river today, twice.") },
            .done("deleteDiary") { try await $0.deleteDiary(345) },
            .value("correctDiary", at: ["corrections"]) { try await $0.correctDiary(345) },
            .value("getTopic") { try await $0.randomTopic() },
            .done("rateCorrections") {
                try await $0.criticizeCorrections(of: 344, for: [.tooShort], comment: "예문이 더 있으면 좋겠어요.")
            },
        ]
    }

    static var bookmarks: [ClientOperation<SmeemClient>] {
        let page = "https://www.instagram.com/reel/C7/"
        return [
            .value("getBookmarks", at: ["bookmarks"]) { try await $0.bookmarks() },
            .value("bookmark") { try await $0.addBookmark(of: page) },
            .value("bookmarkByHand") {
                try await $0.addBookmark(Smeem.TypedBookmark("Pissed off", meaning: "엄청 화나다", from: page))
            },
            .value("getBookmark") { try await $0.bookmark(41) },
            .value("changeBookmark") {
                try await $0.changeBookmark(41, Smeem.BookmarkChange(expression: "Pissed off"))
            },
            .done("deleteBookmark") { try await $0.deleteBookmark(41) },
        ]
    }
}
