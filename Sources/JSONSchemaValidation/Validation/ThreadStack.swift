/// The stack of the running thread.
enum ThreadStack {
    /// Roughly the address where it ends now.
    @inline(__always)
    static var address: Int {
        var marker: UInt8 = 0
        return withUnsafeMutablePointer(to: &marker) { Int(bitPattern: $0) }
    }
}
