package import JSON

/// Another server of the story, such as an image host or a third party, with a listener of its own.
package struct Origin: Sendable {
    package var name: String
    package var routes: [Route]
    /// The kinds of token that belong there; any other one that arrives has been sent to the wrong host.
    package var acceptedKinds: [String]
    package var position: JSONPosition

    package init(name: String, routes: [Route], acceptedKinds: [String] = [], position: JSONPosition = .unknown) {
        self.name = name
        self.routes = routes
        self.acceptedKinds = acceptedKinds
        self.position = position
    }
}
