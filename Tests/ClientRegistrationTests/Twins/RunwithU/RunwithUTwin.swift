import ClientTesting
import Foundation
import HTTPCodec
import HTTPServing

/// A second client of RunwithU's server, made after what is known of the server and not after the service.
///
/// It does everything right unless it is told to have a bug.
actor RunwithUTwin {
    nonisolated let bugs: Set<RunwithUBug>
    nonisolated let setting: ClientSetting
    private(set) var access: String?
    private(set) var refresh: String?
    private var renewal: Task<RunwithUTwinProblem?, Never>?
    private var payment: Task<Bool, any Error>?

    static let key = "runwithu-key"

    init(_ setting: ClientSetting, bugs: Set<RunwithUBug>) {
        self.setting = setting
        self.bugs = bugs
        access = setting.tokens["access"]
        refresh = setting.tokens["refresh"]
    }

    nonisolated func has(_ bug: RunwithUBug) -> Bool { bugs.contains(bug) }

    // MARK: Who is signed in

    var isSignedIn: Bool { access != nil }

    func logIn(_ email: String, _ password: String) async throws(RunwithUTwinProblem) -> RunwithUTwinSession {
        let call = RunwithUTwinCall("POST", "/users/login", isSigned: false)
        let session: RunwithUTwinSession = try await value(
            try call.json(["email": email, "password": password])
        )
        access = session.accessToken
        refresh = session.refreshToken
        return session
    }

    /// The user logs out.
    func logOut() {
        if has(.keepsTokens) { return }
        access = has(.b8) ? "" : nil
        refresh = has(.b8) ? "" : nil
    }

    func forget() {
        access = nil
        refresh = nil
    }

    // MARK: Requests

    func transmit(
        _ call: RunwithUTwinCall,
        _ token: String?,
        to origin: String? = nil
    ) async throws(RunwithUTwinProblem) -> TwinResponse {
        guard case .raw(let network) = setting.network else { throw .connection }
        var fields = HTTPFields()
        if origin == nil { fields.append("SesacKey", Self.key) }
        if let token { fields.append("Authorization", token) }
        if call.isRefresh, let refresh { fields.append("Refresh", refresh) }
        if let type = call.contentType { fields.append("Content-Type", type) }
        let request = HTTPCodec.HTTPRequest(
            method: HTTPCodec.HTTPMethod(rawValue: call.method),
            target: call.target,
            fields: fields,
            body: call.body
        )
        do throws(HTTPClientFailure) {
            let response = try await network.send(request, to: origin ?? setting.url, timeout: 10)
            return TwinResponse(response)
        } catch {
            throw .connection
        }
    }

    /// Sends a call, and once more after a recovery.
    func perform(_ call: RunwithUTwinCall) async throws(RunwithUTwinProblem) -> TwinResponse {
        guard call.isSigned else { return try await transmit(call, nil) }
        var recoveries = 0
        while true {
            guard let used = access else { throw .signedOut }
            let response = try await transmit(call, used)
            guard response.status == 419 || response.status == 401, !used.isEmpty else { return response }
            // The app never gives up; this many times are enough to see it.
            guard recoveries < (has(.b3) ? 40 : 1) else {
                forget()
                throw .sessionOver
            }
            recoveries += 1
            try await recover(from: used, for: call)
        }
    }

    private func recover(from used: String, for call: RunwithUTwinCall) async throws(RunwithUTwinProblem) {
        if has(.b4) {
            forget()
            throw .sessionOver
        }
        if has(.b2), !call.isPicture {
            _ = try await logIn("demo@example.com", "demo1234")
            return
        }
        if has(.b3) {
            // Whether it went well shows when the call is repeated.
            _ = try? await logIn("dahan@example.com", "run1234")
            return
        }
        if has(.b5), !call.isPicture {
            try? await setting.time.sleep(seconds: 0.05)
            _ = try await logIn("dahan@example.com", "run1234")
            return
        }
        if has(.b1) || has(.b5) {
            if let problem = await renew() { throw problem }
            return
        }
        // Whoever is refused late need not ask; the app always does.
        guard used == access || has(.b6) else { return }
        try await renewTogether()
    }

    /// One renewal for all who wait for it.
    func renewTogether() async throws(RunwithUTwinProblem) {
        let task = renewal ?? Task { await self.renew() }
        renewal = task
        let problem = await task.value
        if renewal == task { renewal = nil }
        if let problem { throw problem }
    }

    private func renew() async -> RunwithUTwinProblem? {
        guard let access else { return .signedOut }
        var call = RunwithUTwinCall("GET", "/auth/refresh")
        call.isRefresh = true
        do throws(RunwithUTwinProblem) {
            let response = try await transmit(call, access)
            switch response.status {
            case 200:
                let token: RunwithUTwinToken = try decoded(response)
                guard !token.accessToken.isEmpty else { return .unreadable }
                self.access = token.accessToken
                return nil
            case 409 where !has(.b6):
                return nil
            case 401, 403, 409, 418:
                forget()
                return .sessionOver
            default:
                return .status(response.status)
            }
        } catch {
            return error
        }
    }

    // MARK: Values

    func value<Value: Decodable>(_ call: RunwithUTwinCall) async throws(RunwithUTwinProblem) -> Value {
        let response = try await perform(call)
        guard (200..<300).contains(response.status) else { throw .status(response.status) }
        return try decoded(response)
    }

    func decoded<Value: Decodable>(_ response: TwinResponse) throws(RunwithUTwinProblem) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(response.body))
        } catch let error as DecodingError {
            throw .undecodable(error)
        } catch {
            throw .unreadable
        }
    }

    /// Pays once, however often the button is tapped meanwhile.
    func payOnce(_ pay: @escaping @Sendable () async throws -> Bool) async throws -> Bool {
        if has(.e15) { return try await pay() }
        let task = payment ?? Task { try await pay() }
        payment = task
        return try await task.value
    }
}
