/// What every client is put together from; how it is put together differs.
struct Parts: Sendable {
    let device: Device
    let bug: Bug?
    let wallet: Wallet
    let membership: Membership
    let courier: Courier
    let freshness: Freshness
    let replay: Replay

    init(_ device: Device, _ bug: Bug?, freshness: Freshness.Rule = .none, replay: Replay.Fault) {
        let serverTime = ServerTime()
        self.device = device
        self.bug = bug
        wallet = Wallet(device.store, bug: bug)
        membership = Membership(
            device: device,
            wallet: wallet,
            refreshCall: RefreshCall(device: device, serverTime: serverTime, bug: bug),
            serverTime: serverTime,
            bug: bug
        )
        courier = Courier(device: device, serverTime: serverTime, bug: bug)
        self.freshness = Freshness(freshness, bug, device, serverTime)
        self.replay = Replay(bug, replay)
    }

    /// Whether a response says that the token is to blame.
    func isRefused(_ outcome: Outcome) -> Bool {
        guard bug != .noRefresh, let status = outcome.status else { return false }
        return status == 401 || bug == .refreshOnOtherError && (status == 403 || status >= 500)
    }

    /// Sends what has been waiting with the token that it was queued with, when its turn comes at last.
    func sendLate(_ request: Request, _ tokens: Tokens) async {
        await device.sleep(.milliseconds(60))
        _ = await courier.send(request, tokens)
    }

    /// How often a request is sent at most.
    var attempts: Int { bug == .refreshLoop ? 10 : 2 }
}
