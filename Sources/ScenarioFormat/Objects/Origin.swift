package import JSON

/// Another server of the story, such as an image host or a third party, with a separate listener.
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

extension Origin: ModelObject {
    init() { self.init(name: "", routes: []) }

    static let keys = Keys(
        "origin",
        "an origin",
        "another server in the story",
        discussion: "Each origin has its own port. An origin's base URL is `{{origin.NAME}}`."
    ) {
        Key(
            "routes",
            \.routes,
            ValueType(.map(of: .restricted(.object(Route.self), [noHold]), names: .route)) { tree, builder in
                builder.routes(Optional(tree).members)
            },
            "The origin's routes, defined like the backend's routes."
        )
        .required.example(["GET /{name}": ["file": "fixtures/picture.png"]])
        Key("accepts", \.acceptedKinds, .list(of: .name(of: .tokenKind)))
            .summary("The token kinds that the origin may receive.").otherwise("none").example(["imageKey"])
    }

    private static let noHold = ObjectRule(
        .lacks("hold"),
        "scenario/idle-key",
        at: "hold",
        "\"hold\" has no effect here, because only requests to the backend can be held"
    )
}
