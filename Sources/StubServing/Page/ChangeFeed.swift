import JSON

/// Those that follow what changes in sessions, by `GET /__backlot/events`.
struct ChangeFeed: Sendable {
    /// More connections than these are refused.
    static let mostListeners = 64

    private(set) var listeners: [UInt64: ChangeListener] = [:]
    /// The number 1 is the one of the response to a shutdown.
    private var lastNumber: UInt64 = 1
    /// A Boolean value that indicates whether it is looked for changes again and again.
    var isWatching = false

    /// Takes a listener in and returns its number; `nil` when there are too many.
    mutating func add(_ listener: ChangeListener) -> UInt64? {
        guard listeners.count < Self.mostListeners else { return nil }
        lastNumber += 1
        listeners[lastNumber] = listener
        return lastNumber
    }

    mutating func remove(_ number: UInt64) { listeners[number] = nil }

    /// Notes the state sent to a listener, unless it has left.
    mutating func update(_ number: UInt64, _ listener: ChangeListener) {
        if listeners[number] != nil { listeners[number] = listener }
    }
}

extension JSONValue {
    /// The value without the members that are different at each look because time passes.
    var withoutPassingTime: JSONValue {
        if let array { return .array(array.map(\.withoutPassingTime)) }
        guard let object else { return self }
        var steady = JSONObject()
        for member in object.members
        where !["secondsLeft", "opensInMilliseconds", "heldMilliseconds"].contains(member.name) {
            steady[member.name] = member.value.withoutPassingTime
        }
        return .object(steady)
    }
}
