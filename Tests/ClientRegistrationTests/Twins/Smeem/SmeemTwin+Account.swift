import Foundation
import JSON

/// What the twin does before its home screen.
extension SmeemTwin {
    enum Screen: String {
        case splash, start, home, update
    }

    func versions() async throws(SmeemTwinProblem) -> JSONValue {
        var call = SmeemTwinCall("GET", "/api/v2/versions/client/app", bearing: nil)
        call.timeout = 5
        let shape = SmeemTwinShape.object([
            "title": .text, "content": .text, "iosVersion": .version, "androidVersion": .version,
        ])
        return try await ask(call, shape)
    }

    /// The app is opened.
    func launch() async throws(SmeemTwinProblem) -> Screen {
        do throws(SmeemTwinProblem) {
            let oldest = try await versions().object?["iosVersion"]?.object?["forceVersion"]?.string ?? ""
            if try isTooOld("3.0.1", oldest) { return .update }
        } catch {
            if error == .crash { throw error }
            if has(.b4) { return .start }
        }
        guard access != nil else { return .start }
        do throws(SmeemTwinProblem) {
            try await refreshNow()
        } catch {
            if has(.b3), error == .sessionOver { return .splash }
            if has(.b4) { return .start }
        }
        return access == nil ? .start : .home
    }

    private func isTooOld(_ version: String, _ oldest: String) throws(SmeemTwinProblem) -> Bool {
        if has(.b9) {
            guard let first = oldest.split(separator: ".").first, let own = version.split(separator: ".").first else {
                throw .crash
            }
            return String(first) > String(own)
        }
        let numbers = { (text: String) in text.split(separator: ".").map { Int($0) ?? 0 } }
        return numbers(version).lexicographicallyPrecedes(numbers(oldest))
    }

    /// Signs in, and keeps the tokens of a sign-up as well: it is the server that knows what is missing.
    func signIn(_ token: String) async throws(SmeemTwinProblem) -> JSONValue {
        let body: JSONValue = ["social": "KAKAO", "fcmToken": ""]
        let call = SmeemTwinCall("POST", "/api/v2/auth", body, bearing: token)
        let shape = SmeemTwinShape.object([
            "accessToken": .text, "refreshToken": .text, "isRegistered": .flag, "hasPlan": .flag,
        ])
        let data = try await ask(call.swallowed, shape)
        access = data.object?["accessToken"]?.string
        refresh = data.object?["refreshToken"]?.string
        return data
    }

    func signOut() async throws(SmeemTwinProblem) -> JSONValue {
        try await end(SmeemTwinCall("POST", "/api/v2/auth/sign-out"))
    }

    func withdraw() async throws(SmeemTwinProblem) -> JSONValue {
        try await end(SmeemTwinCall("DELETE", "/api/v2/auth", ["withdrawType": "ETC", "reason": ""]))
    }

    private func end(_ call: SmeemTwinCall) async throws(SmeemTwinProblem) -> JSONValue {
        var call = call
        call.endsSession = true
        let data = try await ask(call, .null)
        forget()
        return data
    }

    func goals() async throws(SmeemTwinProblem) -> JSONValue {
        let goal = SmeemTwinShape.object(["goalType": .text, "name": .text])
        let call = SmeemTwinCall("GET", "/api/v2/goals", bearing: nil)
        return try await ask(call, .object(["goals": has(.m21) ? goal : .list(goal)]))
    }

    func goal() async throws(SmeemTwinProblem) -> JSONValue {
        let code = SmeemTwinShape.word(["DEVELOP", "HOBBY", "APPLY", "BUSINESS", "EXAM", "NONE"])
        let call = SmeemTwinCall("GET", "/api/v2/goals/DEVELOP", bearing: nil)
        // What nobody has heard of yet is a goal as well.
        let shape = SmeemTwinShape.object([
            "name": .text, "title": has(.m17) ? code : .text, "way": .text, "detail": .text,
        ])
        return try await ask(call, shape)
    }

    func plans() async throws(SmeemTwinProblem) -> JSONValue {
        try await ask(SmeemTwinCall("GET", "/api/v2/plans", bearing: nil), .object(["plans": .list(.plan)]))
    }

    func checkNickname(_ name: String) async throws(SmeemTwinProblem) -> JSONValue {
        let text = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let call = SmeemTwinCall("GET", "/api/v2/members/nickname/check?name=\(text)", bearing: nil)
        return try await ask(call, .object(["isExist": .flag]))
    }

    func takeNickname(_ name: String) async throws(SmeemTwinProblem) -> JSONValue {
        let body: JSONValue = ["username": .string(name), "termAccepted": true]
        return try await ask(SmeemTwinCall("PATCH", "/api/v2/members", body).swallowed, .badges)
    }
}
