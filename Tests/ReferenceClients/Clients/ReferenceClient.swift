import HTTPCodec

/// An app's network layer: five of them do the same for the user, each in its own way.
protocol ReferenceClient: Sendable {
    /// Begins a launch, with whatever the store has kept.
    init(_ device: Device, bug: Bug?)

    var parts: Parts { get }

    /// Does what the user wants, all of it at once, and says what became of each.
    func load(_ requests: [Request]) async -> [Outcome]
}

extension ReferenceClient {
    func signIn(as account: String) async { await parts.membership.signIn(as: account) }

    func signOut() async { await parts.membership.signOut() }

    /// Sends a file in pieces, each where the one before has ended.
    func upload(_ file: [UInt8], to target: String, pieces: Int) async -> Outcome {
        let size = (file.count + pieces - 1) / pieces
        var offset = 0
        var begun = parts.wallet.tokens
        var last = Outcome.signedOut
        while offset < file.count {
            let end = min(offset + size, file.count)
            let request = Request(
                http: HTTPRequest(
                    method: .put,
                    target: target,
                    fields: ["Content-Range": "bytes \(offset)-\(end - 1)/\(file.count)"],
                    body: Array(file[offset..<end])
                )
            )
            last = await load([request])[0]
            guard last.isDone else { return last }
            offset = end
            if parts.bug == .uploadRestarted, let now = parts.wallet.tokens, now.access != begun?.access {
                (begun, offset) = (now, 0)
            }
        }
        return last
    }
}
