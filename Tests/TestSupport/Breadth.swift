import Foundation

/// How widely tests look that try seeds.
package enum Breadth {
    /// How many times as many seeds as usual are tried: `BACKLOT_SCHEDULES=25 swift test`.
    package static let factor = ProcessInfo.processInfo.environment["BACKLOT_SCHEDULES"].flatMap { Int($0) } ?? 1
}
