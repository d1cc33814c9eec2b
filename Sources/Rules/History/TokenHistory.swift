import Basics
import JSON
import ScenarioFormat
import Simulation

/// The history that rules read: steps, the tokens that they brought, and an episode for each device and launch.
///
/// A class, because its steps, tokens and episodes refer to it; they live as long as it does.
package final class TokenHistory {
    package let evidence: Evidence
    /// Every exchange, oldest first.
    package private(set) var steps: [Step] = []
    private(set) lazy var signIns = steps.filter { $0.purpose == .signIn }
    /// In the order of their first sign-in.
    private(set) var devices: [Device] = []
    /// The episodes of all devices and launches, in the order of both.
    private(set) var episodes: [Episode] = []
    private var episodesByDevice: [ExactText: [Episode]] = [:]
    /// The overlapping requests of each launch.
    private(set) var traffic: [LaunchIdentity: LaunchTraffic] = [:]
    private var tokens: [String: HeldToken] = [:]
    /// The last step of each moment that may have ended tokens of a device.
    private var enders: [ExactText: [VirtualTime: UInt64]] = [:]

    package init(_ evidence: Evidence) {
        self.evidence = evidence
        steps = evidence.exchanges.map { Step($0, of: self) }
        traffic = Dictionary(grouping: steps, by: \.exchange.launchIdentity).mapValues(LaunchTraffic.init)
        let names = evidence.ledger.devices.map(\.name)
        let sole = names.count == 1 ? names.first : nil
        var byDevice: [ExactText: [Step]] = [:]
        for step in steps {
            if let name = step.device ?? sole {
                byDevice[name.exact, default: []].append(step)
                if step.mayEndTokens { enders[name.exact, default: [:]][step.time] = step.number }
            }
            for token in step.exchange.granted.compactMap({ $0.id.flatMap(token(id:)) }) where token.source == nil {
                token.source = step
            }
            guard step.isCommitted else { continue }
            let kinds = step.exchange.granted.filter { $0.source == .new }.map(\.kind)
            for offered in step.offered where offered.isAccepted == true && kinds.contains(offered.wanted) {
                if let token = offered.id.flatMap(token(id:)), token.spender == nil { token.spender = step }
            }
        }
        devices = names.map { Device(name: $0, steps: byDevice[$0.exact] ?? []) }
        episodes = Episode.all(in: self)
        episodesByDevice = Dictionary(grouping: episodes) { $0.device.exact }
    }

    package var roles: TokenRoles { evidence.roles }

    /// The episodes of a device.
    func episodes(of device: String) -> [Episode] { episodesByDevice[device.exact] ?? [] }

    /// The token of the session with an id.
    func token(id: String) -> HeldToken? {
        if let known = tokens[id] { return known }
        guard let token = evidence.ledger.token(id: id) else { return nil }
        let held = HeldToken(token, of: self)
        tokens[id] = held
        return held
    }

    /// The token of the session that a text is.
    func token(value: String) -> HeldToken? { evidence.ledger.token(value: value).flatMap { token(id: $0.id) } }

    /// The last step at a moment that may have ended tokens of a device.
    func ender(of device: String, at time: VirtualTime) -> UInt64? {
        enders[device.exact]?[time]
    }
}

/// A device and its steps, oldest first; those without a device are counted as a sole device's.
struct Device {
    let name: String
    let steps: [Step]
}

extension Step {
    /// A Boolean value that indicates whether it may have ended other tokens than those that it used up.
    fileprivate var mayEndTokens: Bool {
        switch purpose {
        case .signOut, .signIn: true
        case .refresh: exchange.offered.contains { $0.standing == .superseded || $0.standing == .reused }
        case .resource, .open: false
        }
    }
}
