import ClientTesting
import Foundation
import HTTPCodec
import HTTPServing
import JSON

/// A small client of kiwIT's backend, written apart from the service, with bugs that can be switched on.
actor KiwITTwin {
    private(set) var bugs: Set<KiwITBug>
    private let origin: String
    private let network: any RawNetwork
    private let time: any ClientTime
    /// What the keychain holds.
    private(set) var kept: Pair?
    /// Tokens of a sign-in that are not kept yet (T7).
    private var pending: Pair?
    private var renewal: Task<Pair, any Error>?
    /// How often the tokens were renewed.
    private(set) var renewals = 0

    struct Pair: Sendable, Hashable {
        var access: String
        var refresh: String
    }

    enum Problem: Error, Hashable {
        case noAnswer
        case status(Int)
        case unreadable(String)
        case sessionOver
        case signedOut
    }

    init(_ setting: ClientSetting, _ bugs: Set<KiwITBug>) throws {
        guard case .raw(let network) = setting.network else { throw Problem.noAnswer }
        self.bugs = bugs
        self.network = network
        origin = setting.url
        time = setting.time
        if let access = setting.tokens["access"], let refresh = setting.tokens["refresh"] {
            kept = Pair(access: access, refresh: refresh)
        }
    }

    func forget() { kept = nil }

    func have(_ bugs: Set<KiwITBug>) { self.bugs = bugs }

    // MARK: Calls

    /// Makes a call, and reads what comes; `nil` for nothing.
    @discardableResult
    func make(_ call: KiwITCall) async throws -> [UInt8]? {
        if call.isOpen { return try read(try await send(call, nil), for: call) }
        guard let used = pending ?? kept else { throw Problem.signedOut }
        var response = try await send(call, used.access)
        var current = used
        var attempt = 0
        while response.status == 401 {
            guard attempt == 0 || bugs.contains(.renewsForever) else {
                forget()
                throw Problem.sessionOver
            }
            current = try await renewed(insteadOf: current)
            attempt += 1
            response = try await send(replay(of: call), current.access)
        }
        let value = try read(response, for: call)
        keepPending(afterRouteOf: call)
        return value
    }

    private func replay(of call: KiwITCall) -> KiwITCall {
        let quizzes = ["getSolvedQuizGroups", "getKeptQuizzes"]
        guard bugs.contains(.replaysAnother), quizzes.contains(call.id) else { return call }
        return KiwITCalls(bugs).bookmarkedLectures(size: 1)
    }

    private func read(_ response: TwinResponse, for call: KiwITCall) throws -> [UInt8]? {
        if call.nothing.contains(response.status) { return nil }
        guard (200..<300).contains(response.status) else { throw Problem.status(response.status) }
        guard let shape = call.shapes[response.status] ?? call.shape else {
            if bugs.contains(.wantsBody), response.body.isEmpty { throw Problem.unreadable("the empty body") }
            return nil
        }
        guard let value = try? JSONParser().parse(response.body).root else { throw Problem.unreadable("the body") }
        if let path = shape.fault(in: value) { throw Problem.unreadable(path) }
        return response.body
    }

    /// Sends a request; with a bug, the caller does not hear of it when there is no response.
    private func send(_ call: KiwITCall, _ token: String?) async throws -> TwinResponse {
        var fields = HTTPFields()
        if let token { fields.append("Authorization", "Bearer \(token)") }
        if call.body != nil { fields.append("Content-Type", "application/json") }
        let request = HTTPRequest(
            method: HTTPMethod(rawValue: call.method),
            target: "/api/v1" + call.path + (call.query.isEmpty ? "" : "?" + call.query),
            fields: fields,
            body: Array((call.body ?? "").utf8)
        )
        do {
            let response = try await network.send(request, to: origin, timeout: 20)
            return TwinResponse(response)
        } catch {
            if bugs.contains(.swallowsFaults) {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
            throw Problem.noAnswer
        }
    }

    // MARK: Tokens

    /// Takes tokens that the server has given to a sign-in or a sign-up.
    func begin(_ pair: Pair) {
        if bugs.contains(.letsInWithoutTokens) {
            pending = pair
        } else {
            kept = pair
        }
    }

    private func keepPending(afterRouteOf call: KiwITCall) {
        guard call.id == "getProfile", let pair = pending else { return }
        kept = pair
        pending = nil
    }

    /// The user is let in; what is not kept by now is lost.
    func enter() { pending = nil }

    func renewed(insteadOf used: Pair) async throws -> Pair {
        if bugs.contains(.renewsAlone) { return try await renew(used) }
        guard let kept else { throw Problem.sessionOver }
        guard kept.access == used.access else { return kept }
        let task = renewal ?? Task { try await renew(kept) }
        renewal = task
        defer { renewal = nil }
        return try await task.value
    }

    private func renew(_ used: Pair) async throws -> Pair {
        let response = try await send(KiwITCalls(bugs).refresh(used.refresh), nil)
        switch response.status {
        case 200:
            let pair = try Pair(response.body)
            // An item that is gone cannot be updated; with a bug, none can, and nobody looks.
            if kept != nil, !bugs.contains(.keepsOldTokens) { kept = pair }
            renewals += 1
            return pair
        case 401:
            forget()
            throw Problem.sessionOver
        case 500 where !bugs.contains(.outlivesItsTokens) && used.hasExpired(at: time.now()):
            forget()
            throw Problem.sessionOver
        default: throw Problem.status(response.status)
        }
    }
}

extension KiwITTwin.Pair {
    init(_ body: [UInt8]) throws {
        let object = try JSONParser().parse(body).root.object
        guard let access = object?["accessToken"]?.string, let refresh = object?["refreshToken"]?.string else {
            throw KiwITTwin.Problem.unreadable("the tokens")
        }
        self.init(access: access, refresh: refresh)
    }

    /// Whether the refresh token says of itself that its time is over.
    func hasExpired(at moment: Double) -> Bool {
        let parts = refresh.split(separator: ".")
        guard parts.count == 3 else { return false }
        var text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        guard let data = Data(base64Encoded: text), let claims = try? JSONParser().parse(Array(data)).root.object,
            let expiry = claims["exp"]?.number?.double
        else { return false }
        return expiry <= moment
    }
}
