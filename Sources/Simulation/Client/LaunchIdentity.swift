/// One start of the client, or of one of its processes.
package struct LaunchIdentity: Sendable, Hashable {
    package var process: String?
    package var number: Int
}

extension Exchange {
    package var launchIdentity: LaunchIdentity { LaunchIdentity(process: self.process, number: launch) }
}
