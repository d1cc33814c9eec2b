/// What a command tells whoever started it.
package struct ExitCode: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Everything asked for was done, and all that was checked holds.
    package static let success = ExitCode(rawValue: 0)
    /// A check failed.
    package static let failed = ExitCode(rawValue: 1)
    /// The command line, a scenario or a contract cannot be used.
    package static let misuse = ExitCode(rawValue: 2)
    /// Stopped by an interrupt, as shells count it: 128 and the signal's number.
    package static let interrupted = ExitCode(rawValue: 130)
}
