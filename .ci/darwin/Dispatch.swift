// The signatures of the part of Apple's Dispatch that this package uses. Nothing here is ever run.

@_exported import Darwin

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

public final class DispatchSemaphore: @unchecked Sendable {
    public init(value: Int) {}
    public func wait() {}
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
    @discardableResult public func signal() -> Int { 0 }
}

public final class DispatchQueue: @unchecked Sendable {
    public class func global() -> DispatchQueue { fatalError() }
    public func async(execute work: @escaping @Sendable () -> Void) {}
}

public enum DispatchTimeInterval: Equatable, Sendable { case seconds(Int), milliseconds(Int), nanoseconds(Int), never }

public struct DispatchTime: Sendable {
    public static func now() -> DispatchTime { fatalError() }
}

public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }

public class DispatchSource: @unchecked Sendable {
    public struct TimerFlags: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public class func makeTimerSource(flags: TimerFlags = [], queue: DispatchQueue? = nil) -> any DispatchSourceTimer {
        fatalError()
    }
}

public protocol DispatchSourceTimer: AnyObject, Sendable {}

extension DispatchSourceTimer {
    public func setEventHandler(handler: (() -> Void)?) {}
    public func activate() {}
    public func schedule(
        deadline: DispatchTime,
        repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {}
}
