import Basics

/// How far down the running thread's stack a run may go; stacks grow downwards on every platform that there is.
///
/// Asking the system where a stack ends can take longer than a whole validation, so that is left until a run has used
/// what every thread has to spare.
struct ThreadStack {
    /// The bytes that are there without asking.
    private static let unasked = 64 * 1024
    /// The bytes in all that are there when the system does not tell: the smallest threads have 512 kB.
    private static let untold = 384 * 1024
    /// The bytes that are left to what a schema calls last, such as the search for a pattern.
    private static let reserve = 128 * 1024

    private let start = ThreadStack.address
    private var end: Int
    private var isAsked = false

    init() {
        end = start - Self.unasked
    }

    /// Whether there is room for another schema inside the ones that are being applied.
    @inline(__always)
    mutating func hasRoom() -> Bool {
        ThreadStack.address > end || asksForRoom()
    }

    @inline(never)
    private mutating func asksForRoom() -> Bool {
        guard !isAsked else { return false }
        isAsked = true
        end = DeepStack.lowestAddress.map { $0 + Self.reserve } ?? start - Self.untold
        return ThreadStack.address > end
    }

    /// Roughly the address that the stack has grown to.
    @inline(__always)
    private static var address: Int {
        var marker: UInt8 = 0
        return withUnsafeMutablePointer(to: &marker) { Int(bitPattern: $0) }
    }
}
