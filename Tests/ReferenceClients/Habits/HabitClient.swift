import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// One launch of a client that is built as a habit says.
///
/// An actor, because its calls share the tokens and the refresh that is under way.
actor HabitClient {
    private let habit: Habit
    private let device: Device
    /// The only connection; `nil` where there are more.
    private let line: RefreshQueue?
    private let calls = RefreshQueue()
    private let replays = RefreshQueue()
    private var tokens: Tokens?
    /// The tokens with which this launch began.
    private let first: Tokens?
    private var renewal: Task<Tokens?, Never>?
    private var hasFailed = false
    private var count = 0
    private var latest: Request?

    init(_ habit: Habit, _ device: Device, _ connections: Connections) {
        (self.habit, self.device) = (habit, device)
        line = connections.most == 1 ? RefreshQueue() : nil
        tokens = device.store.tokens
        first = tokens
    }

    private func has(_ trait: Habit.Trait) -> Bool { habit.has(trait) }

    // MARK: Calls

    /// Does what its user wants, with one refresh and one repetition at most.
    func load(_ request: Request, leaving: Habit.Leaving? = nil) async -> Outcome {
        guard has(.serial) else { return await run(request, leaving) }
        _ = await calls.enter()
        let outcome = await run(request, leaving)
        await calls.leave()
        return outcome
    }

    private func run(_ request: Request, _ leaving: Habit.Leaving?) async -> Outcome {
        if has(.gate), let renewal { _ = await renewal.value }
        if let tokens, isOver(tokens) { _ = await renew(tokens) }
        latest = request
        var (outcome, used) = await send(request)
        if case .unreachable(.broken) = outcome, has(.retries), request.http.method == .get, !Task.isCancelled {
            (outcome, used) = await send(request)
        }
        if let pause = pause(outcome), !Task.isCancelled {
            await device.sleep(pause)
            (outcome, used) = await send(request)
        }
        for _ in 1...(has(.loops) ? 6 : 1) {
            guard let used, isRefused(outcome), !Task.isCancelled, let fresh = await fresh(after: used) else { break }
            if case .duringRefresh = leaving { break }
            guard !Task.isCancelled, let replay = replay(of: request) else { break }
            if has(.inOrder) { _ = await replays.enter() }
            // What waits in its queue has its header from before.
            if has(.staleQueue) { _ = await sendLate(request, used) }
            for _ in 1...(has(.repeatsTwice) ? 2 : 1) { outcome = await send(replay).outcome }
            if has(.inOrder) { await replays.leave() }
            guard has(.loops) else { break }
            return await goOn(outcome, request, fresh)
        }
        return outcome
    }

    /// Refreshes and sends again whatever is refused.
    private func goOn(_ outcome: Outcome, _ request: Request, _ tokens: Tokens) async -> Outcome {
        var (outcome, used) = (outcome, tokens)
        for _ in 1...5 {
            guard isRefused(outcome), let fresh = await renew(used) else { break }
            used = fresh
            outcome = await send(request).outcome
        }
        return outcome
    }

    /// What is sent in place of a request that was refused; `nil` where nothing is.
    private func replay(of request: Request) -> Request? {
        var request = request
        let isWrite = request.http.method != .get
        if has(.dropsRefused) || has(.dropsWrites) && isWrite { return nil }
        if has(.dropsBody) { request.http.body = [] }
        if has(.repeatsLast), let latest { return latest }
        if has(.reloads), !isWrite { request.add("fresh=1") }
        return request
    }

    /// Sends a request as soon as it has a connection, with the tokens of that moment.
    private func send(_ request: Request, bearing old: Tokens? = nil) async -> (outcome: Outcome, used: Tokens?) {
        _ = await line?.enter()
        let result = await sendAtOnce(request, old)
        await line?.leave()
        return result
    }

    private func sendAtOnce(_ request: Request, _ old: Tokens?) async -> (outcome: Outcome, used: Tokens?) {
        guard !Task.isCancelled else { return (.unreachable(.abandoned), nil) }
        guard let used = old ?? tokens else { return (.signedOut, nil) }
        return (await exchange(prepared(request, used), limit: has(.impatient) ? Self.patience : nil), used)
    }

    private func sendLate(_ request: Request, _ old: Tokens) async -> Outcome {
        await device.sleep(.milliseconds(60))
        return await send(request, bearing: old).outcome
    }

    /// How long an impatient client waits for a response.
    private static let patience = Duration.milliseconds(300)

    private func exchange(_ request: Request, limit: Duration? = nil) async -> Outcome {
        let transport = device.transport
        let sending = device.start { () -> Outcome in
            do throws(TransportError) {
                return .response(try await transport.send(request))
            } catch {
                return .unreachable(error)
            }
        }
        let alarm = limit.map { limit in
            device.start { [device] in
                await device.sleep(limit)
                sending.cancel()
            }
        }
        let outcome = await withTaskCancellationHandler {
            await sending.value
        } onCancel: {
            sending.cancel()
        }
        alarm?.cancel()
        return outcome
    }

    private func prepared(_ request: Request, _ tokens: Tokens) -> Request {
        var request = request.with("X-Device", device.name)
        count += 1
        if has(.buster), request.http.method == .get { request.add("_=\(1_000 + count)") }
        if has(.traced) { request = request.with("X-Request-ID", id) }
        if has(.stamp), let body = (try? JSONParser().parse(request.http.body))?.root.object {
            var body = body
            body["sentAt"] = .string(VirtualTime(seconds: device.clock()).description)
            body["requestId"] = .string(id)
            request.http.body = Array(JSONValue.object(body).text(.compact).utf8)
        }
        guard request.origin == nil || has(.tokensElsewhere) else { return request }
        let token =
            has(.sendsRefreshToResources)
            ? tokens.refresh : has(.keepsFirstHeader) ? first?.access ?? tokens.access : tokens.access
        guard tokens.access != first?.access else { return request.bearing(token, at: habit.server) }
        return malformed(request, token) ?? request.bearing(token, at: habit.server)
    }

    /// The request with a new token that is not sent as it is; `nil` where it is.
    private func malformed(_ request: Request, _ token: String) -> Request? {
        if has(.withoutToken) { return request }
        let field: String? =
            if has(.optionalText) {
                "Bearer Optional(\"\(token)\")"
            } else if has(.schemeTwice) {
                "Bearer Bearer \(token)"
            } else if has(.withoutScheme) {
                token
            } else if has(.undefinedText) {
                "Bearer undefined"
            } else if has(.nullText) {
                "Bearer null"
            } else if has(.emptyToken) {
                "Bearer "
            } else if has(.cutToken) {
                "Bearer \(token.dropLast(token.count / 3))"
            } else if has(.base64Token) {
                "Bearer \(Base64.encode(Array(token.utf8)))"
            } else if has(.percentToken) {
                "Bearer \(token.split(separator: ".").joined(separator: "%2E"))"
            } else {
                nil
            }
        return field.map { request.with("Authorization", $0) }
    }

    /// An id that no other request has.
    private var id: String { "9f3c2b1a-7d4e-4c5f-8a6b-\(100_000_000_000 + count * 7_919)" }

    private func isRefused(_ outcome: Outcome) -> Bool {
        guard case .response(let response) = outcome else { return false }
        if habit.server.refuses(response) { return true }
        return has(.refreshesOnErrors) && (response.status == 403 || response.status.code >= 500)
    }

    /// How long to wait before the one try more that a server asks for.
    private func pause(_ outcome: Outcome) -> Duration? {
        guard case .response(let response) = outcome, let seconds = response.retryAfter else { return nil }
        return has(.ignoresRetryAfter) ? .milliseconds(2) : .seconds(seconds)
    }

    /// Sends a file in parts of 16 bytes, and goes on after a refresh where it was.
    func upload(to target: String) async -> Outcome {
        var (offset, outcome) = (0, Outcome.signedOut)
        while offset < 64 {
            let former = tokens?.access
            outcome = await load(.part(offset..<offset + 16, of: 64, to: target))
            guard outcome.isDone else { return outcome }
            offset = has(.startsUploadAgain) && tokens?.access != former ? 0 : offset + 16
        }
        return outcome
    }

    // MARK: Refreshes

    /// Whether a token is to be renewed before it is sent.
    private func isOver(_ tokens: Tokens) -> Bool {
        let claimed = tokens.claimedLifetime ?? tokens.lifetime
        if has(.longLead) { return tokens.asked != nil || tokens.access == first?.access }
        if has(.countsFromResponse), let received = tokens.received {
            return device.uptime() - received >= .seconds(tokens.lifetime)
        }
        if has(.laterLifetime) { return age(tokens) >= .seconds(max(claimed, tokens.lifetime) - 30) }
        let lifetime = min(claimed, tokens.lifetime)
        let lead = min(60, lifetime / 5)
        if has(.ahead) { return age(tokens) >= .seconds(lifetime - lead) }
        if has(.exp) { return device.clock() >= tokens.issued + lifetime - lead }
        return false
    }

    /// How old a token is, by the time since it was asked for or, where another launch did so, by the device's clock.
    private func age(_ tokens: Tokens) -> Duration {
        tokens.asked.map { device.uptime() - $0 } ?? .seconds(device.clock() - tokens.issued)
    }

    /// The tokens with which to send a refused request again.
    private func fresh(after old: Tokens) async -> Tokens? {
        if has(.neverRefreshes) || has(.refreshesOnce) && tokens?.access != first?.access && old.access != first?.access
        {
            return nil
        }
        if has(.signsOutWhenRefused) {
            await end()
            return nil
        }
        return await renew(old)
    }

    /// Renews the tokens, once for all that wait; `nil` where there are none to go on with.
    private func renew(_ old: Tokens) async -> Tokens? {
        guard let now = tokens else { return nil }
        if has(.unshared) { return await renewAlone(now) }
        if now.access != old.access, !has(.signsOutOnConflict) { return now }
        if let renewal { return await renewal.value }
        let task = device.start { await self.renewLocked(now) }
        renewal = task
        return await task.value
    }

    /// Asks for new tokens although nothing was refused.
    func refresh() async {
        if let tokens { _ = await renew(tokens) }
    }

    private func renewLocked(_ old: Tokens) async -> Tokens? {
        defer { renewal = nil }
        guard let lock = device.store.processLock, !has(.withoutLock), !has(.erasesStore) else {
            return await renewAlone(old)
        }
        _ = await lock.enter()
        let stored = device.store.tokens
        if stored?.access == old.access {
            _ = await renewAlone(old)
        } else {
            tokens = stored
        }
        await lock.leave()
        return tokens
    }

    private func renewAlone(_ old: Tokens) async -> Tokens? {
        if has(.givesUpRefreshing), hasFailed { return nil }
        for attempt in 1...2 {
            let asked = device.uptime()
            let outcome = await ask(old)
            // Somebody may have signed out or in meanwhile.
            guard tokens?.account == old.account else { return nil }
            switch outcome {
            case .response(let response) where response.status.isSuccessful:
                guard let fresh = Tokens(renewing: old, response, asked: asked, received: device.uptime()) else {
                    return nil
                }
                keep(fresh)
                return fresh
            case .response(let response) where response.status == 429 || response.status.code >= 500:
                hasFailed = true
                if has(.signsOutWhenBusy) {
                    await end()
                    return nil
                }
                if has(.givesUpRefreshing) || has(.patient) || attempt == 2 { return nil }
                await device.sleep(pause(outcome) ?? .seconds(1))
            case .response(let response) where response.status == 409:
                if has(.signsOutOnConflict) { await end() }
                return nil
            case .response:
                if has(.triesAgain), attempt == 1 {
                    await device.sleep(.milliseconds(100))
                    continue
                }
                return await afterRefusal()
            case .unreachable, .signedOut:
                hasFailed = true
                if has(.signsOutWhenLost) {
                    await end()
                    return nil
                }
                if has(.patient) || attempt == 2 { return nil }
                await device.sleep(.milliseconds(50))
            }
        }
        return nil
    }

    private func ask(_ old: Tokens) async -> Outcome {
        var token = old.refresh
        if has(.keepsOldToken), let first { token = first.refresh }
        if has(.sendsAccessToRefresh) { token = old.access }
        if has(.undefinedRefresh) { token = "undefined" }
        var request = habit.server.refresh(with: token).with("X-Device", device.name)
        if has(.bearerOnRefresh) { request = request.bearing(old.access, at: habit.server) }
        _ = await line?.enter()
        let outcome = await exchange(request)
        await line?.leave()
        return outcome
    }

    /// The refresh token is not accepted.
    private func afterRefusal() async -> Tokens? {
        if has(.goesOn) { return nil }
        if has(.fallsBackToGuest) {
            await signIn(as: "guest")
            return tokens
        }
        if has(.withoutLock), let stored = device.store.tokens, stored.access != tokens?.access {
            tokens = stored
            return stored
        }
        await end()
        return nil
    }

    private func keep(_ fresh: Tokens) {
        tokens = fresh
        guard !has(.storesNothing) else { return }
        var stored = fresh
        (stored.asked, stored.received) = (nil, nil)
        if has(.storesNoRefreshToken), let first { stored.refresh = first.refresh }
        device.store.tokens = stored
    }

    // MARK: The session

    /// Nobody is signed in any more, and not because the user wanted it so.
    private func end() async {
        tokens = nil
        device.store.tokens = nil
        await device.tell(["signedOut": true])
    }

    /// What the client does when it is started.
    func start() async {
        if device.store.isLocked {
            guard !has(.unreadableIsEmpty) else { return await end() }
            // Until the user unlocks the phone.
            while device.store.isLocked { await device.sleep(.seconds(10)) }
            tokens = device.store.tokens
        }
        if has(.atStart), let tokens { _ = await renew(tokens) }
    }

    func signIn(as account: String) async {
        let asked = device.uptime()
        _ = await line?.enter()
        let outcome = await exchange(habit.server.signIn(account).with("X-Device", device.name))
        await line?.leave()
        guard case .response(let response) = outcome,
            let fresh = Tokens(response, asked: asked, received: device.uptime())
        else { return }
        keep(fresh)
        await device.tell(["signedOut": false])
    }

    /// Signs out for its user, who need not wait for it.
    func signOut() async {
        guard let old = tokens else { return }
        tokens = nil
        device.store.tokens = nil
        await device.tell(["signedOut": true])
        _ = await send(Request(http: .init(method: .post, target: "/logout")), bearing: old)
    }
}

extension Request {
    /// Adds an item to the query.
    fileprivate mutating func add(_ item: String) {
        let target = http.target + (http.target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + item
        http = .init(method: http.method, target: target, fields: http.fields, body: http.body)
    }

    fileprivate static func part(_ range: Range<Int>, of size: Int, to target: String) -> Request {
        Request(
            http: .init(
                method: .put,
                target: target,
                fields: ["Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"],
                body: range.map { UInt8($0) }
            )
        )
    }
}

extension Tokens {
    /// What a refresh has brought, which may be an access token alone.
    fileprivate init?(renewing old: Tokens, _ response: HTTPResponse, asked: Duration, received: Duration) {
        guard let body = (try? JSONParser().parse(response.body))?.root, let access = body["access"]?.string else {
            return nil
        }
        self.init(
            access: access,
            refresh: body["refresh"]?.string ?? old.refresh,
            account: old.account,
            lifetime: body["expiresIn"]?.int.map { Int64($0) } ?? old.lifetime,
            issued: response.fields["Date"].flatMap { HTTPDate.parse($0) } ?? 0,
            asked: asked,
            received: received
        )
    }
}
