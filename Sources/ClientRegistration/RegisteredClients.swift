package import ClientTesting

/// The clients of this package that `backlot test` knows.
package enum RegisteredClients {
    /// In the order in which they are tested and told of.
    package static let all: [any ClientAdapter] = [
        SmeemAdapter(), WhipItAdapter(), KiwITAdapter(), RunwithUAdapter(),
    ]
}
