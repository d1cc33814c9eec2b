package import JSON

/// Something that happens on the server without being asked for by a request.
///
/// The same vocabulary is used for a story's past (`given`), for events during it (`timeline`), for the events that a response
/// changes (`then`) and for the admin API.
package struct Event: Sendable {
    package var action: Action
    package var position: JSONPosition

    package init(_ action: Action, position: JSONPosition = .unknown) {
        self.action = action
        self.position = position
    }

    package enum Action: Sendable {
        case signIn(device: String, account: String?, grants: [Grant]?)
        case signOut(DeviceSelection)
        case expire(KindSelection, DeviceSelection)
        case revoke(KindSelection, DeviceSelection)
        case forget(KindSelection, DeviceSelection)
        case issue(kind: String, DeviceSelection)
        case changeStates([StateChange], DeviceSelection)
        case setCounters([CounterDeclaration])
        case armFault(Fault, route: String, times: Int)
        case advance(Duration)
        case setClock(VirtualTime)
        case freeze(Bool)
        case rate(Double)
        case automatic(Bool)
        case skew(Duration)
        case tls(TLSBehavior)
        /// Tokens are signed with other keys; the old ones stay published for this time.
        case rotateKeys(Duration)
        /// The client is restarted, as launch number N, with its stored data.
        case launch(Int, store: StoreFault? = nil)
        /// A process of the client is started, frozen or ended.
        case process(ProcessAction)
        /// Items of a collection are made, changed or removed.
        case change(ItemChange)
        /// Events or messages go into open streams.
        case push(StreamPush)
    }

    /// The kinds of token that an event is about.
    package enum KindSelection: Sendable, Hashable {
        case every
        case kind(String)
    }

    /// The devices that an event is about.
    package enum DeviceSelection: Sendable, Hashable {
        case named(String)
        /// The device of the request that causes the event.
        case caller
        case every
        /// Every device of an account; of the caller's if `nil`.
        case account(String?)
    }

    /// A state and its new value.
    package struct StateChange: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension Event.Action {
    /// A short description of the event.
    package var words: String {
        switch self {
        case .signIn(let device, let account, _): "\(device) signs in" + (account.map { " as \($0)" } ?? "")
        case .signOut(let devices): "\(devices.words) signs out"
        case .expire(let kinds, let devices): "\(kinds.words) of \(devices.words) expires"
        case .revoke(let kinds, let devices): "\(kinds.words) of \(devices.words) is revoked"
        case .forget(let kinds, let devices): "\(kinds.words) of \(devices.words) is forgotten"
        case .issue(let kind, let devices): "\(kind) is issued to \(devices.words)"
        case .changeStates(let changes, _): changes.map { "\($0.name) becomes \($0.value)" }.joined(separator: ", ")
        case .setCounters(let values): values.map { "\($0.name) becomes \($0.start)" }.joined(separator: ", ")
        case .armFault(let fault, let route, let times): "\(fault.kind.rawValue) for \(route), \(times.times)"
        case .advance(let duration): "the clock is advanced by \(DurationText.text(duration))"
        case .setClock(let moment): "the clock is set to \(moment)"
        case .freeze(let freezes): freezes ? "the clock is frozen" : "the clock runs"
        case .rate(let rate): "the clock runs at \(rate)×"
        case .automatic(let isOn): isOn ? "the clock becomes automatic" : "the clock runs"
        case .skew(let skew): "the Date field is off by \(DurationText.text(skew))"
        case .tls(let behavior): "TLS becomes \(behavior.kind.rawValue)"
        case .rotateKeys(let overlap):
            "the signing keys are replaced; the old keys remain in jwks for \(DurationText.text(overlap))"
        case .launch(let number, let store): "launch \(number)" + (store.map { ", store \($0.rawValue)" } ?? "")
        case .process(let action): "\(action.kind.rawValue) of the process \(action.process)"
        case .change: "stored items change"
        case .push(let push): push.words
        }
    }
}

extension Event.KindSelection {
    fileprivate var words: String {
        switch self {
        case .every: "every token"
        case .kind(let kind): kind
        }
    }
}

extension Event.DeviceSelection {
    fileprivate var words: String {
        switch self {
        case .named(let name): name
        case .caller: "the caller"
        case .every: "every device"
        case .account(let name): name.map { "every device of \($0)" } ?? "every device of the caller's account"
        }
    }
}
