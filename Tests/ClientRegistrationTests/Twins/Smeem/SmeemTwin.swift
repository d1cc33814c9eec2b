import ClientTesting
import HTTPCodec
import HTTPServing
import JSON

/// A second client of Smeem's server, made after what is known of the server and not after the service.
///
/// It does everything right unless it is told to have a bug.
actor SmeemTwin {
    let bugs: Set<SmeemBug>
    let setting: ClientSetting
    var access: String?
    var refresh: String?
    /// The diary that is being written.
    var writing: Task<Result<JSONValue, SmeemTwinProblem>, Never>?
    private var renewal: Task<Result<Void, SmeemTwinProblem>, Never>?

    init(_ setting: ClientSetting, bugs: Set<SmeemBug>) {
        self.setting = setting
        self.bugs = bugs
        access = setting.tokens["access"]
        refresh = setting.tokens["refresh"]
    }

    nonisolated func has(_ bug: SmeemBug) -> Bool { bugs.contains(bug) }

    // MARK: One request

    private func transmit(_ call: SmeemTwinCall, _ token: String?) async throws(SmeemTwinProblem) -> TwinResponse {
        guard case .raw(let network) = setting.network else { throw .connection }
        var fields: HTTPFields = [:]
        if let token { fields.append("Authorization", "Bearer \(token)") }
        var body: [UInt8] = []
        if let json = call.json {
            fields.append("Content-Type", "application/json")
            JSONWriter().append(json, to: &body)
        }
        let method = HTTPMethod(rawValue: call.method)
        for pause in [0.4, 0.4, 0.4, nil] {
            let request = HTTPRequest(method: method, target: call.target, fields: fields, body: body)
            let response: HTTPResponse
            do throws(HTTPClientFailure) {
                response = try await network.send(request, to: setting.url, timeout: call.timeout)
            } catch {
                throw .connection
            }
            guard response.status.code == 429, let pause else {
                return TwinResponse(response)
            }
            do { try await setting.time.sleep(seconds: pause) } catch { throw .connection }
        }
        throw .connection
    }

    /// Sends a call, and once more with a new token.
    func perform(_ call: SmeemTwinCall) async throws(SmeemTwinProblem) -> TwinResponse {
        guard call.isSigned else { return try await transmit(call, call.token) }
        for attempt in 1...2 {
            guard let used = access else { throw .signedOut }
            let response = try await transmit(call, used)
            guard response.status == 401, !has(.b2), !(has(.b13) && call.endsSession) else { return response }
            if has(.m18), response.envelope == nil { throw .undecodable }
            if attempt == 2 { break }
            try await renew(after: used)
        }
        forget()
        throw .sessionOver
    }

    /// Asks, and takes the data out of the response's envelope.
    func ask(_ call: SmeemTwinCall, _ shape: SmeemTwinShape) async throws(SmeemTwinProblem) -> JSONValue {
        let response = try await perform(call)
        guard (200..<300).contains(response.status) else { throw .status(response.status) }
        if response.status == 204, case .null = shape, !has(.m9) { return .null }
        guard let envelope = response.envelope, envelope["success"]?.bool == true, envelope["message"]?.string != nil,
            let data = envelope["data"], shape.fits(data)
        else {
            guard has(.b5), call.isSwallowed else { throw .undecodable }
            await waitForNothing()
            throw .neverTold
        }
        return data
    }

    /// Waits for a completion that nobody calls, until whoever waits is no longer wanted.
    private func waitForNothing() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        continuation.finish()
    }

    // MARK: New tokens

    private func renew(after used: String) async throws(SmeemTwinProblem) {
        guard let access else { throw .sessionOver }
        guard access == used else { return }
        let task = renewal ?? Task { await askForToken() }
        renewal = task
        let result = await task.value
        renewal = nil
        try result.get()
    }

    /// Gets a new access token now.
    func refreshNow() async throws(SmeemTwinProblem) {
        guard let access else { throw .signedOut }
        try await renew(after: access)
    }

    private func askForToken() async -> Result<Void, SmeemTwinProblem> {
        let call = SmeemTwinCall("POST", "/api/v2/auth/token", bearing: refresh ?? "")
        do throws(SmeemTwinProblem) {
            let response = try await perform(call)
            if response.status == 401 {
                if !has(.b3) { forget() }
                return .failure(.sessionOver)
            }
            guard response.status == 200 else { return .failure(.status(response.status)) }
            guard let data = response.envelope?["data"]?.object, let token = data["accessToken"]?.string,
                let next = data["refreshToken"], next.isNull || next.string != nil
            else { return .failure(.undecodable) }
            access = token
            refresh = has(.b1) ? token : next.string ?? (has(.m2) ? "" : refresh)
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    func forget() {
        access = nil
        refresh = nil
    }
}
