import ClientTesting
import Foundation
import JSON

/// What the twin does behind its home screen.
extension SmeemTwin {
    func profile() async throws(SmeemTwinProblem) -> JSONValue {
        let badge = SmeemTwinShape.object(["id": .integer, "name": .text, "type": .text, "imageUrl": .text])
        let time = SmeemTwinShape.object(["day": .text, "hour": .integer, "minute": .integer])
        let shape = SmeemTwinShape.object([
            "username": has(.m5) ? .text : .orNull(.text), "target": has(.m5) ? .text : .orNull(.text),
            "title": .text, "way": .text, "detail": .text, "targetLang": .text, "hasPushAlarm": .flag,
            "trainingTime": time, "badge": has(.m6) ? badge : .orNull(badge), "trainingPlan": .orNull(.plan),
        ])
        return try await ask(SmeemTwinCall("GET", "/api/v2/members/me"), shape)
    }

    func choose(_ choice: JSONValue) async throws(SmeemTwinProblem) -> JSONValue {
        try await ask(SmeemTwinCall("PATCH", "/api/v2/members/plan", choice), .null)
    }

    /// Midnight on two days.
    var midnight: JSONValue { ["day": "MON,WED", "hour": has(.m14) ? 0 : 24, "minute": 0] }

    /// What comes back without data is somebody without a plan: servers of May 2024 said so.
    func myPlan() async throws(SmeemTwinProblem) -> JSONValue {
        let shape = SmeemTwinShape.object([
            "plan": has(.m3) ? .text : .orNull(.text), "goal": .text, "clearedCount": .integer,
            "clearCount": has(.m3) ? .integer : .orNull(.integer),
        ])
        let call = SmeemTwinCall("GET", "/api/v2/members/plan")
        let response = try await perform(call)
        guard response.status == 200 else { throw .status(response.status) }
        guard let envelope = response.envelope, envelope["success"]?.bool == true, envelope["message"]?.string != nil
        else { throw .undecodable }
        guard let data = envelope["data"] else { return .null }
        guard shape.fits(data) else { throw .undecodable }
        return data
    }

    func summary() async throws(SmeemTwinProblem) -> JSONValue {
        let shape = SmeemTwinShape.counts("visitDays", "diaryCount", "diaryComboCount", "badgeCount")
        return try await ask(SmeemTwinCall("GET", "/api/v2/members/performance/summary"), shape)
    }

    func badgeProgress() async throws(SmeemTwinProblem) -> JSONValue {
        let badge = SmeemTwinShape.object([
            "badgeId": .integer, "name": .text, "type": .text, "hasBadge": .flag, "remainingNumber": .orNull(.integer),
            "contentForNonBadgeOwner": .orNull(.text), "contentForBadgeOwner": .orNull(.text), "imageUrl": .text,
            "badgeAcquisitionRatio": .number,
        ])
        return try await ask(SmeemTwinCall("GET", "/api/v3/members/badges"), .object(["badges": .list(badge)]))
    }

    func visit() async throws(SmeemTwinProblem) -> JSONValue {
        try await ask(SmeemTwinCall("PATCH", "/api/v2/members/visit"), .null)
    }

    // MARK: Diaries

    /// The diaries of two months around today.
    func diaries() async throws(SmeemTwinProblem) -> JSONValue {
        let now = setting.time.now()
        let target = "/api/v2/diaries?start=\(day(now - 60 * 86_400))&end=\(day(now + 7 * 86_400))"
        let diary = SmeemTwinShape.object([
            "diaryId": .integer, "content": .text, "createdAt": .text, "engKorExpression": .orNull(.text),
        ])
        let shape = SmeemTwinShape.object(["diaries": .list(diary), "has30Past": .flag])
        let answer = try await ask(SmeemTwinCall("GET", target), shape)
        return has(.m16) ? lastOfEachDay(answer) : answer
    }

    /// A calendar that keeps one diary for a day.
    private func lastOfEachDay(_ answer: JSONValue) -> JSONValue {
        guard var body = answer.object, let diaries = body["diaries"]?.array else { return answer }
        let days = diaries.map { $0["createdAt"]?.string.map { String($0.prefix(10)) } ?? "" }
        let kept = diaries.indices.filter { !days[($0 + 1)...].contains(days[$0]) }
        body["diaries"] = .array(kept.map { diaries[$0] })
        return .object(body)
    }

    private func day(_ seconds: Double) -> String {
        let formatter = DateFormatter()
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 9 * 3600)
        formatter.dateFormat = "yyyy-MM-dd"
        let text = formatter.string(from: Date(timeIntervalSince1970: seconds))
        guard has(.m15) else { return text }
        return text.utf8.map { (48...57).contains($0) ? "%D9%A\($0 - 48)" : "-" }.joined()
    }

    /// Writes a diary, unless it is being written.
    func write(_ text: String) async throws(SmeemTwinProblem) -> JSONValue {
        let call = SmeemTwinCall("POST", "/api/v2/diaries", ["content": .string(text), "topicId": .null]).swallowed
        let shape = SmeemTwinShape.object(["diaryId": .integer, "badges": .list(.badge)])
        if has(.sm20) { return try await ask(call, shape) }
        let task =
            writing
            ?? Task {
                do throws(SmeemTwinProblem) { return .success(try await ask(call, shape)) } catch {
                    return .failure(error)
                }
            }
        writing = task
        let result = await task.value
        writing = nil
        return try result.get()
    }

    func diary(_ id: Int) async throws(SmeemTwinProblem) -> JSONValue {
        let shape = SmeemTwinShape.object([
            "diaryId": .integer, "topic": .text, "content": .text, "createdAt": .text, "username": .orNull(.text),
            "isUpdated": .flag, "corrections": .list(.correction), "correctionCount": .integer,
            "correctionMaxCount": .integer, "engKorExpression": .orNull(.text),
        ])
        return try await ask(SmeemTwinCall("GET", "/api/v2/diaries/\(id)"), shape)
    }

    func change(_ id: Int) async throws(SmeemTwinProblem) -> JSONValue {
        let call = SmeemTwinCall("PATCH", "/api/v2/diaries/\(id)", ["content": "I ran along the river today."])
        return try await ask(call.swallowed, has(.m8) ? .object([:]) : .null)
    }

    func delete(_ id: Int) async throws(SmeemTwinProblem) -> JSONValue {
        try await ask(SmeemTwinCall("DELETE", "/api/v2/diaries/\(id)"), .null)
    }
}
