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

/// One of the processes that share a client's store.
package struct ProcessDeclaration: Sendable, Hashable {
    package enum Beginning: String, Sendable, CaseIterable {
        /// With the launch.
        case start
        /// By an event of the timeline.
        case later
    }

    package var name: String
    package var beginning: Beginning
}

/// A story's action on a process.
package struct ProcessAction: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case start
        /// It is frozen, as an app in the background is.
        case suspend
        case resume
        case kill
    }

    package var process: String
    package var kind: Kind
}

/// The defect of the client's token store during a launch.
package enum StoreFault: String, Sendable, Hashable, CaseIterable {
    /// The stored data cannot be read temporarily, as on a locked phone.
    case locked
    /// It seems to be empty, as after the app was installed again.
    case empty
    /// Nothing can be written.
    case readOnly
    /// It holds what it held at the launch before.
    case stale
}

/// An event of the past, as `given` tells it.
package struct PastEvent: Sendable {
    package var event: Event
    /// The time before the scenario's start; `nil` for right after the previous event.
    package var ago: Duration?
}

/// An event of the future, and what sets it off.
package struct TimelineEntry: Sendable {
    package enum Trigger: Sendable {
        /// So long after the scenario's start.
        case at(Duration)
        /// So long after all of these, in whichever order they come; there is at least one.
        case after([AwaitedExchange], delay: Duration)
    }

    package var trigger: Trigger
    package var event: Event
}

/// The *n*th exchange of a route, counted from one, which an event waits for.
package struct AwaitedExchange: Sendable, Hashable {
    package var route: String
    package var count: Int
    /// Only exchanges with this status count; every one when `nil`.
    package var status: Int?
}

/// A place where requests wait for each other, so that a race is a fact and not luck.
package struct Gate: Sendable {
    /// The condition that releases the held requests.
    package enum Opening: Sendable {
        /// So many are held at once.
        case inFlight(Int)
        /// An exchange of another route has been answered, with one of these statuses where any is named.
        case answered(route: String, statuses: [Int])
        /// A call of the admin API.
        case released
    }

    /// The order in which held requests go on.
    package enum Order: String, Sendable, CaseIterable {
        case arrival
        case reversed
        /// Drawn from the session's seed; another seed is another schedule.
        case seeded
    }

    /// The time at which a held request is decided.
    package enum Moment: String, Sendable, CaseIterable {
        /// At once; only its response is held.
        case arrival
        /// When it goes on, by what the session is like then.
        case release
    }

    /// Its display name: its own name, or `gate 1`.
    package var name: String
    /// The keys of the routes that it holds; empty for every route.
    package var routes: [String]
    /// The condition for a request to be held.
    package var condition: Condition?
    package var opening: Opening
    package var order: Order
    package var moment: Moment
    /// It opens by itself when so much real time has passed without a request coming to it.
    package var quiet: Duration
    /// The number of times that it closes; afterwards everything passes.
    package var times: Int
    /// A Boolean value that indicates whether the story is judged even if its race was not reached.
    package var isOptional: Bool
    package var position: JSONPosition

    /// The default time after which a gate opens in any case.
    package static let defaultQuiet = Duration.milliseconds(100)

    package init(
        name: String,
        routes: [String] = [],
        condition: Condition? = nil,
        opening: Opening,
        order: Order = .seeded,
        moment: Moment = .arrival,
        quiet: Duration = Gate.defaultQuiet,
        times: Int = 1,
        isOptional: Bool = false,
        position: JSONPosition = .unknown
    ) {
        self.name = name
        self.routes = routes
        self.condition = condition
        self.opening = opening
        self.order = order
        self.moment = moment
        self.quiet = quiet
        self.times = times
        self.isOptional = isOptional
        self.position = position
    }
}

/// A response, a fault or an event that a story adds to its backend.
///
/// A story in which it was not played does not show the client's reaction, so the verdict is incomplete.
package struct StoryPart: Sendable {
    package enum Kind: String, Sendable {
        /// Played by an exchange that gets one of ``responses``.
        case response
        /// Played by an exchange whose connection it breaks.
        case fault
        /// Played when it happens and changes something on the server.
        case event
    }

    package var kind: Kind
    /// Its name in a report, such as `response 2 of GET /feed`; no two parts of a story have the same.
    package var name: String
    package var position: JSONPosition
    /// The number of times that the story must have played it.
    package var times = 1
    /// A Boolean value that indicates whether the story is judged even if it was not played.
    package var isOptional = false
    /// A Boolean value that indicates whether chance decides if it is played.
    package var isRandom = false
    /// The key of the route that plays it; `nil` for an event.
    package var route: String?
    /// The other server whose route that is; `nil` for the backend itself.
    package var origin: String?
    /// The number of requests that its route must get before it is played completely.
    package var requests = 1
    /// The places of the responses that play it.
    package var responses: [JSONPosition] = []
    /// The status of a response.
    package var status: Int?
    /// Its trigger, for an event of the timeline.
    package var trigger: TimelineEntry.Trigger?
}
