import Basics
import JSON
import ScenarioFormat

/// The events that change the data of a backend.
extension Event.Action {
    /// Changes a backend as the event says; the event of a session changes nothing here.
    ///
    /// - Parameter caller: the device and the account of the request that causes it.
    func apply(
        to backend: inout MockBackend,
        for caller: (device: String?, account: String?),
        at time: VirtualTime
    ) {
        switch self {
        case .signIn(let device, let account, let grants):
            backend.ledger.signIn(device: device, account: account ?? backend.defaultAccount)
            for grant in grants ?? backend.played.scenario.tokens.signInGrants where grant.source == .new {
                backend.issue(grant.kind, device: device, parent: nil, at: time)
            }
        case .signOut(let devices):
            let rule = backend.played.scenario.tokens.signOut
            backend.ledger.signOut(backend.ledger.devices(devices, of: caller), by: rule, at: time)
        case .expire(let kinds, let devices):
            backend.ledger.expire(kinds, devices: backend.ledger.devices(devices, of: caller), at: time)
        case .revoke(let kinds, let devices):
            backend.ledger.revoke(kinds, devices: backend.ledger.devices(devices, of: caller), at: time)
        case .forget(let kinds, let devices):
            backend.ledger.forget(kinds, devices: backend.ledger.devices(devices, of: caller))
        case .issue(let kind, let devices):
            let set = backend.ledger.devices(devices, of: caller)
            for device in backend.ledger.devices where set.contains(device.name) {
                backend.issue(kind, device: device.name, parent: nil, at: time)
            }
        case .changeStates(let changes, let devices):
            let set = backend.ledger.devices(devices, of: caller)
            let accounts = set == .every ? backend.store.accountNames : []
            backend.states.change(changes, devices: set, caller: caller, backend.ledger, accounts: accounts)
        case .setCounters(let values):
            for value in values { backend.counters[value.name] = value.start }
        case .rotateKeys(let overlap): backend.keys.rotate(keepingFor: overlap, at: time)
        case .change(let change): backend.change(change, at: time)
        case .armFault, .advance, .setClock, .freeze, .rate, .automatic, .skew, .tls, .launch, .process, .push: break
        }
    }

    /// Returns whether the event has changed anything in a backend.
    ///
    /// A token has changed where it is something else to the server than before, and a state or a counter where it has
    /// another value. A sign-in and other keys always count.
    func hasChanged(_ backend: MockBackend, since former: MockBackend, at time: VirtualTime) -> Bool {
        switch self {
        case .signOut, .expire, .revoke, .forget, .issue:
            backend.ledger.differs(from: former.ledger, by: backend.played.scenario.tokens, at: time)
        case .changeStates: backend.states.differ(from: former.states)
        case .setCounters: backend.counters != former.counters
        case .change: !backend.items.elementsEqual(former.items) { $0.account == $1.account && $0.items == $1.items }
        default: true
        }
    }
}
