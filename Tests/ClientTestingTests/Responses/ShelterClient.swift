import ClientTesting
import HTTPCodec
import HTTPServing
import JSON

/// A client of the shelter that does it right, unless it is told to make a mistake.
actor ShelterClient {
    private let setting: ClientSetting
    private let bugs: Set<ShelterBug>
    private let members: TokenMembers
    private(set) var tokens: [String: String]

    init(_ setting: ClientSetting, bugs: Set<ShelterBug>, members: TokenMembers) {
        self.setting = setting
        self.bugs = bugs
        self.members = members
        tokens = setting.tokens
    }

    // MARK: What the app asks for

    func pets() async throws(ShelterError) -> [Pet] {
        if bugs.contains(.asksNobody) { return [] }
        var target = bugs.contains(.wordForLimit) ? "/pets?limit=many" : "/pets?limit=20"
        if bugs.contains(.unknownParameter) { target += "&sort=name" }
        target += bugs.contains(.wordForDate) ? "&since=yesterday" : "&since=2024-02-29"
        if bugs.contains(.asksTwice) { _ = try await authorized(HTTPRequest(target: target)) }
        let response: HTTPResponse
        do {
            response = try await authorized(HTTPRequest(target: target))
        } catch {
            if case .connection = error, bugs.contains(.offlineIsEmptyList) { return [] }
            throw error
        }
        if response.status == 204, !bugs.contains(.noContentIsFailure) { return [] }
        if response.status == 404, bugs.contains(.neverComesBack) {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        let body = try body(of: response, status: 200)
        guard let elements = body.array else {
            if bugs.contains(.problemIsEmptyList) { return [] }
            throw .unreadable
        }
        var pets: [Pet] = []
        for element in elements { pets.append(try pet(element)) }
        if bugs.contains(.keepsPolling) {
            Task { [setting, target] in
                try? await setting.time.sleep(seconds: 60)
                _ = try? await self.authorized(HTTPRequest(target: target))
            }
        }
        return pets
    }

    func add(_ name: String) async throws(ShelterError) -> Pet {
        let body: JSONValue = ["id": 0, bugs.contains(.misspeltMember) ? "nmae" : "name": .string(name)]
        let fields: HTTPFields = ["Content-Type": "application/json", "X-Key": "shelter"]
        let request = HTTPRequest(method: .post, target: "/pets", fields: fields, body: body.utf8())
        if bugs.contains(.noToken) { return try pet(self.body(of: try await send(request), status: 201)) }
        return try pet(self.body(of: try await authorized(request), status: 201))
    }

    func signIn() async throws(ShelterError) {
        let body: JSONValue = ["user": "ann"]
        let fields: HTTPFields = ["Content-Type": "application/json"]
        let request = HTTPRequest(method: .post, target: "/session", fields: fields, body: body.utf8())
        try store(self.body(of: try await send(request), status: 201))
    }

    func signOut() async throws(ShelterError) {
        let fields: HTTPFields = bugs.contains(.signsOutWithOldToken) ? ["Refresh": tokens["refresh"] ?? ""] : [:]
        let response = try await authorized(HTTPRequest(method: .delete, target: "/session", fields: fields))
        if response.status == 500, bugs.contains(.ignoresRefusedSignOut) { return }
        if bugs.contains(.signsOutAnyway) { return tokens = [:] }
        _ = try body(of: response, status: 204)
        tokens = bugs.contains(.leavesTokenBehind) ? tokens.filter { $0.key == "refresh" } : [:]
    }

    func refresh() async throws(ShelterError) {
        for attempt in 0... {
            let request = HTTPRequest(
                method: .post,
                target: "/session/refresh",
                fields: ["Refresh": tokens["refresh"] ?? ""]
            )
            let response: HTTPResponse
            do {
                response = try await send(request)
            } catch {
                if bugs.contains(.signsOutWhenRefreshFails) { tokens = [:] }
                throw error
            }
            if response.status == 429, attempt < 3 {
                await pause()
                continue
            }
            let isOver = response.status == 401 && !bugs.contains(.keepsRefusedSession)
            if isOver || (!response.status.isSuccessful && bugs.contains(.signsOutWhenRefreshFails)) { tokens = [:] }
            return try store(body(of: response, status: 200))
        }
    }

    // MARK: What the app does not see

    private func authorized(_ request: HTTPRequest) async throws(ShelterError) -> HTTPResponse {
        var request = request
        if bugs.contains(.storesRefreshTokenOnly), tokens["access"] == nil { try await refresh() }
        for attempt in 0... {
            let old = request.fields["Authorization"]
            let scheme = bugs.contains(.otherScheme) ? "Token" : "Bearer"
            request.fields.set("Authorization", "\(scheme) \(tokens["access"] ?? "")")
            if attempt > 0, bugs.contains(.replaysWithOldToken) { request.fields.set("Authorization", old ?? "") }
            let response = try await send(request)
            if response.status == 429, bugs.contains(.insists) { continue }
            if response.status == 429, bugs.contains(.pausesForever) {
                while true { await pause() }
            }
            if response.status == 503, bugs.contains(.signsOutOnFailure) { tokens = [:] }
            guard response.status == 401 else { return response }
            if bugs.contains(.readsRefusals), !response.body.contains(Array("expired".utf8)) { return response }
            guard attempt == 0 || bugs.contains(.refreshesForever) else {
                tokens = [:]
                return response
            }
            if bugs.contains(.signsInAgain) { try await signIn() } else { try await refresh() }
            if bugs.contains(.givesUpAfterRefresh) { return response }
            if bugs.contains(.replaysAnother) { request = HTTPRequest(target: "/pets?limit=20") }
        }
        throw .unreadable
    }

    private func send(_ request: HTTPRequest) async throws(ShelterError) -> HTTPResponse {
        guard case .raw(let network) = setting.network else { throw .unreadable }
        do {
            return try await network.send(request, to: setting.url, timeout: 30)
        } catch {
            if bugs.contains(.knocksForever) { return try await send(request) }
            if bugs.contains(.addsAgain), request.method == .post, request.target == "/pets" {
                do { return try await network.send(request, to: setting.url, timeout: 30) } catch {}
            }
            throw .connection(error)
        }
    }

    private func pause() async { try? await setting.time.sleep(seconds: 60) }

    private func store(_ body: JSONValue) throws(ShelterError) {
        guard let access = body[members.access]?.string else { throw .unreadable }
        let old = tokens["refresh"]
        let granted = body[members.refresh]?.string
        let refresh = bugs.contains(.losesRefreshToken) ? granted : granted ?? old
        tokens = ["access": access, "refresh": bugs.contains(.mixesTokens) ? access : refresh].compactMapValues(\.self)
        if bugs.contains(.keepsOldRefreshToken), let old { tokens["refresh"] = old }
    }

    private func body(of response: HTTPResponse, status: HTTPStatus) throws(ShelterError) -> JSONValue {
        let isRead = response.status == status || bugs.contains(.problemIsEmptyList)
        guard isRead else { throw .status(response.status.code) }
        if response.body.isEmpty { return .null }
        do { return try JSONParser().parse(response.body).root } catch { throw .unreadable }
    }

    private func pet(_ value: JSONValue) throws(ShelterError) -> Pet {
        guard let number = value["id"]?.int else { throw .unreadable }
        guard value["name"]?.string != nil || !bugs.contains(.nameIsRequired) else {
            throw .undecodable(.keyNotFound(Pet.Key.name, .init(codingPath: [], debugDescription: "")))
        }
        return Pet(id: number, name: value["name"]?.string)
    }
}

/// What a response calls the tokens that it grants.
struct TokenMembers: Sendable {
    var access = "accessToken"
    var refresh = "refreshToken"
}

struct Pet: Sendable {
    enum Key: CodingKey { case name }

    var id: Int
    var name: String?
}

enum ShelterError: Error {
    case status(Int)
    case connection(HTTPClientFailure)
    case unreadable
    case undecodable(DecodingError)
}
