import ClientTesting
import Foundation
import HTTPCodec
import HTTPServing

/// A second client of WhipIt's server, made after what is known of the server and not after the service.
///
/// It does everything right unless it is told to have a bug.
actor WhipItTwin {
    let bugs: Set<WhipItBug>
    let setting: ClientSetting
    var access: String?
    var refresh: String?
    var loginsShown = 0
    var lastTap: Double?
    private var renewal: Task<Renewal, Never>?

    private enum Renewal: Sendable {
        case renewed
        case stillFresh
        case ended
        case failed(WhipItTwinProblem)
    }

    init(_ setting: ClientSetting, bugs: Set<WhipItBug>) {
        self.setting = setting
        self.bugs = bugs
        access = setting.tokens["access"]
        refresh = setting.tokens["refresh"]
    }

    func has(_ bug: WhipItBug) -> Bool { bugs.contains(bug) }

    // MARK: One request

    private func transmit(_ call: WhipItTwinCall) async throws(WhipItTwinProblem) -> TwinResponse {
        guard case .raw(let network) = setting.network else { throw .connection }
        var fields: HTTPFields = ["SesacKey": "whipit-key"]
        if call.isSigned || has(.w6), let access { fields.append("Authorization", access) }
        if call.isRefresh || has(.w6), let refresh { fields.append("Refresh", refresh) }
        if let type = call.contentType { fields.append("Content-Type", type) }
        let request = HTTPRequest(
            method: HTTPMethod(rawValue: call.method),
            target: call.target,
            fields: fields,
            body: call.body
        )
        do throws(HTTPClientFailure) {
            let response = try await network.send(request, to: setting.url, timeout: 10)
            return TwinResponse(response)
        } catch {
            throw .connection
        }
    }

    /// Sends a call as often as it makes sense.
    func perform(_ call: WhipItTwinCall) async throws(WhipItTwinProblem) -> TwinResponse {
        guard call.isSigned, call.isIntercepted else { return try await transmit(call) }
        var attempts = 0
        while true {
            if !has(.w1), let renewal { _ = await renewal.value }
            guard let used = access else { throw .signedOut }
            let response = try await transmit(call)
            attempts += 1
            switch response.status {
            case 419 where attempts == 1 || has(.w2) && attempts < 40:
                try await renew(after: used)
                if call.isToggle, !has(.n8) { return response }
            case 419,
                401 where !has(.w7), 418 where !has(.w8):
                end(used)
                throw .sessionOver
            default:
                return response
            }
        }
    }

    // MARK: New tokens

    private func renew(after used: String) async throws(WhipItTwinProblem) {
        if has(.r2) { throw .status(419) }
        let result: Renewal
        if has(.w1), has(.w4) {
            // On one thread, as in the app: whoever comes second already has the new token to show.
            let task = Task { [renewal] in
                _ = await renewal?.value
                return await askForToken()
            }
            renewal = task
            result = await task.value
        } else if has(.w1) {
            result = await askForToken()
        } else {
            guard let access else { throw .sessionOver }
            guard access == used else { return }
            let task = renewal ?? Task { await askForToken() }
            renewal = task
            result = await task.value
            renewal = nil
        }
        switch result {
        case .renewed: return
        case .stillFresh: if has(.w4) { throw .status(419) }
        case .failed(let problem): throw problem
        case .ended:
            if has(.w6) { end(used) }
            throw .sessionOver
        }
    }

    private func askForToken(_ depth: Int = 0) async -> Renewal {
        let call = WhipItTwinCall("GET", "/refresh", isRefresh: true)
        let used = access
        let response: TwinResponse
        do throws(WhipItTwinProblem) { response = try await transmit(call) } catch { return .failed(error) }
        switch response.status {
        case 200:
            guard let token = try? JSONDecoder().decode(WhipItTwinToken.self, from: Data(response.body)).token,
                !token.isEmpty
            else { return .failed(.unreadable) }
            if !has(.w13), access == used || has(.w1) { access = token }
            return .renewed
        case 409: return .stillFresh
        case 401, 403, 418:
            // Before anybody who waits can go on with a dead token.
            if !has(.w6), let used { end(used) }
            return .ended
        case 419 where has(.w3) && depth < 5: return await askForToken(depth + 1)
        default: return .failed(.status(response.status))
        }
    }

    /// A refresh that the user asks for.
    func refreshNow() async throws(WhipItTwinProblem) {
        guard let access else { throw .signedOut }
        try await renew(after: access)
    }

    /// The app is opened: whether it may show the feed.
    func launch() async throws -> Bool {
        guard access != nil else { return false }
        for _ in 1...3 {
            switch await askForToken() {
            case .renewed: return true
            case .stillFresh where !has(.w4): return true
            case .failed(.status(420)) where !has(.w5): return false
            case .failed where !has(.w5): try await setting.time.sleep(seconds: 1)
            default:
                forget()
                return false
            }
        }
        return false
    }

    /// The session that had this token is over.
    private func end(_ used: String) {
        if has(.w6) {
            loginsShown += 1
        } else if access != nil {
            forget()
            loginsShown += 1
        }
    }

    func forget() {
        access = nil
        refresh = nil
    }
}
