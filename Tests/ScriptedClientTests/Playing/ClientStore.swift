import Simulation

/// What a scripted client has stored, on each of its devices.
struct ClientStore {
    private(set) var device: String
    /// By device, then by kind.
    private var tokens: [String: [String: String]] = [:]

    /// Begins with the newest tokens of the first device that has signed in.
    init(_ ledger: TokenLedger) {
        device = ledger.devices.first?.name ?? "phone"
        load(from: ledger)
    }

    private mutating func load(from ledger: TokenLedger) {
        guard tokens[device] == nil else { return }
        tokens[device] = [:]
        guard let known = ledger.device(named: device) else { return }
        for token in ledger.tokens(of: known) { tokens[device]?[token.kind] = token.value }
    }

    /// Goes on with another device, which has stored what it was given by now if it is met for the first time.
    mutating func change(to device: String, _ ledger: TokenLedger) {
        self.device = device
        load(from: ledger)
    }

    subscript(kind: String) -> String? {
        get { tokens[device]?[kind] }
        set { tokens[device, default: [:]][kind] = newValue }
    }

    /// The kinds of which there is a token, sorted.
    var kinds: [String] { (tokens[device] ?? [:]).keys.sorted() }
}
