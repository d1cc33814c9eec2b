import Basics
import HTTPCodec
import JSON

/// Who is signed in: what begins that, what renews it, and what ends it.
struct Membership: Sendable {
    let device: Device
    let wallet: Wallet
    let refreshCall: RefreshCall
    let serverTime: ServerTime
    let bug: Bug?

    /// Renews the tokens; `nil` where there are none to go on with.
    ///
    /// Calls of one process must not overlap.
    func renew() async -> Tokens? {
        guard let lock = device.store.processLock, bug != .refreshAcrossProcesses, bug != .winnerErased else {
            return await renewAlone()
        }
        _ = await lock.enter()
        let isStored = device.store.tokens?.access != wallet.tokens?.access
        let tokens = isStored ? wallet.takeStored() : await renewAlone()
        await lock.leave()
        return tokens
    }

    private func renewAlone() async -> Tokens? {
        guard let old = wallet.tokens, bug != .refreshGivenUp || !wallet.hasFailed.withLock({ $0 }) else { return nil }
        let outcome = await refreshCall.run(old, first: wallet.first)
        // Somebody may have signed out or in meanwhile.
        guard let now = wallet.tokens, now.account == old.account else { return nil }
        switch outcome {
        case .fresh(var tokens):
            // As Swift prints an optional.
            if bug == .malformedToken { tokens.access = "Optional(\"\(tokens.access)\")" }
            wallet.keep(tokens)
            return tokens
        case .refused: return await afterRefusal()
        case .conflict:
            if bug == .signedOutThoughFresh { await end() }
            return now.access == old.access ? nil : now
        case .failed:
            if bug == .passingFailureSignsOut { await end() }
            wallet.hasFailed.withLock { $0 = true }
            return nil
        case .lost:
            if bug == .lostResponseSignsOut { await end() }
            return nil
        }
    }

    private func afterRefusal() async -> Tokens? {
        switch bug {
        case .callsAfterInvalidRefresh: return nil
        case .accountSwitched:
            wallet.clear()
            await signIn(as: "guest")
            return wallet.tokens
        case .refreshAcrossProcesses where device.store.tokens?.access != wallet.tokens?.access:
            return wallet.takeStored()
        default:
            await end()
            return nil
        }
    }

    /// Nobody is signed in any more, and not because the user wanted it so.
    func end() async {
        wallet.clear()
        await device.tell(["signedOut": true])
    }

    func signIn(as account: String) async {
        let body: JSONValue = ["account": .string(account)]
        let request = Request(
            http: HTTPRequest(
                method: .post,
                target: "/login",
                fields: ["Content-Type": "application/json", "X-Device": device.name],
                body: Array(body.description.utf8)
            )
        )
        let asked = device.uptime()
        guard let response = try? await device.transport.send(request) else { return }
        serverTime.note(response, asked: asked)
        guard let tokens = Tokens(response, asked: asked, received: device.uptime()) else { return }
        wallet.open(tokens)
        await device.tell(["signedOut": false])
    }

    func signOut() async {
        guard let tokens = wallet.tokens else { return }
        wallet.clear()
        await device.tell(["signedOut": true])
        let request = Request(
            http: HTTPRequest(method: .post, target: "/logout", fields: ["X-Device": device.name])
        )
        _ = try? await device.transport.send(request.with("Authorization", "Bearer \(tokens.access)"))
    }
}
