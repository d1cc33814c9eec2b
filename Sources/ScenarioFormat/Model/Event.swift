package import JSON

/// Something that happens on the server without being asked for by a request.
///
/// There is one vocabulary for a story's past (`given`), for what happens meanwhile (`timeline`), for what a response
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
        /// The client is started again, as its so manieth launch; it keeps what it has stored.
        case launch(Int)
        /// Items of a collection are made, changed or removed.
        case change(ItemChange)
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

/// An event of the past, as `given` tells it.
package struct PastEvent: Sendable {
    package var event: Event
    /// How long before the scenario's start; `nil` right after its predecessor.
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

    package init(route: String, count: Int = 1, status: Int? = nil) {
        self.route = route
        self.count = count
        self.status = status
    }
}
