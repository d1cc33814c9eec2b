// The signatures of the part of Apple's Dispatch that this package uses. Nothing here is ever run.

@_exported import Darwin

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

public final class DispatchSemaphore: @unchecked Sendable {
    public init(value: Int) {}
    public func wait() {}
    @discardableResult public func signal() -> Int { 0 }
}

public final class DispatchQueue: @unchecked Sendable {
    public class func global() -> DispatchQueue { fatalError() }
    public func async(execute work: @escaping @Sendable () -> Void) {}
}
