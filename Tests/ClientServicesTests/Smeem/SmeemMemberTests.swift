import ClientServices
import Foundation
import Testing

@Suite struct `A member of Smeem` {
    @Test func `without a reminder has none to send back`() async throws {
        let bench = try SmeemBench { _, _ in .success(.smeem(Self.newcomer)) }
        let profile = try await bench.service.profile()
        #expect(profile.trainingTime.reminder == nil)
        #expect(profile.goal == nil && profile.badge == nil && profile.plan == nil && profile.nickname == nil)
        #expect(Smeem.Reminder(on: [], hour: -1, minute: -1) == nil)
    }

    @Test func `sends the days in the order of the week, and midnight as 24`() async throws {
        let bench = try SmeemBench()
        let reminder = try #require(Smeem.Reminder(on: [.friday, .monday], hour: 24, minute: 30))
        try await bench.service.choose(Smeem.MemberChoice(reminder: reminder, plan: 5))
        #expect(
            await bench.firstBody == #"{"planId":5,"trainingTime":{"day":"MON,FRI","hour":24,"minute":30}}"#
        )
    }

    @Test(arguments: [
        #"{"success": true, "message": "", "data": {"plan": null, "goal": "", "clearedCount": 0, "clearCount": null}}"#,
        #"{"success": true, "message": ""}"#,
    ])
    func `without a plan is told of by old servers and new ones`(body: String) async throws {
        let response = TransportResponse(status: 200, body: Data(body.utf8))
        let bench = try SmeemBench { _, _ in .success(response) }
        #expect(try await bench.service.planProgress()?.plan == nil)
    }

    @Test func `may have badges of a type that nobody knows yet`() async throws {
        let data = #"{"badgeTypes": [{"badgeType": "SECRET", "badgeTypeName": "Secret", "badges": []}]}"#
        let bench = try SmeemBench { _, _ in .success(.smeem(data)) }
        #expect(try await bench.service.badges().map(\.badgeType.rawValue) == ["SECRET"])
    }

    @Test func `is told in the server's words why something cannot be`() async throws {
        let bench = try SmeemBench { _, _ in .success(.smeemRefusal(400, "[회원의 일기가 아닙니다.] ")) }
        let error = await bench.error { () async throws(SmeemError) in
            try await bench.service.changeDiary(1, to: "x")
        }
        #expect(error == .refused(.clientError(Smeem.Refusal(status: 400, message: "[회원의 일기가 아닙니다.] "))))
    }

    private static let newcomer = """
        {"username": null, "target": null, "title": "", "way": "", "detail": "", "targetLang": "en",
        "hasPushAlarm": false, "trainingTime": {"day": "", "hour": -1, "minute": -1}, "badge": null,
        "trainingPlan": null}
        """
}
