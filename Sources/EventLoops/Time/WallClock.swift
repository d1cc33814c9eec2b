/// The machine's calendar clock, for stamps that people read; it may jump, so deadlines use a ``TimeSource``.
package enum WallClock {
    package static func secondsSince1970() -> Int64 {
        nanosecondsSince1970() / 1_000_000_000
    }

    package static func nanosecondsSince1970() -> Int64 {
        Platform.wallNanoseconds()
    }
}
