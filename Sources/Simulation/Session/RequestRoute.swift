package import HTTPCodec

/// Where a request leads in a scenario, as its head alone tells.
///
/// It is the same for every request with the same head, for as long as the scenario is the same one. A class, because
/// requests refer to it; it never changes.
package final class RequestRoute: Sendable {
    let match: RouteTree.Match
    /// The rate at which the body is read, in bytes per second; `nil` for unlimited.
    package let uploadRate: Int?
    /// A Boolean value that indicates whether the upstream server may respond.
    package let mayBeForwarded: Bool
    /// The head with its parsed query, and the texts in each place of tokens; neither if a body follows.
    private let view: RequestView?
    let presented: [PresentedToken?]

    fileprivate init(_ match: RouteTree.Match, of head: HTTPRequest, at origin: String?, in scenario: CompiledScenario)
    {
        self.match = match
        let route = scenario.route(of: match, at: origin)
        uploadRate = route?.uploadRate
        mayBeForwarded = route?.mayBeForwarded == true
        guard !head.framing.announcesBody else {
            (view, presented) = (nil, [])
            return
        }
        var view = RequestView(head)
        presented = scenario.script.places.map { $0.carrier.look(into: &view) }
        view.readQuery()
        self.view = view
    }

    /// The request with what is known of it; `nil` where the head was another one's, or a body has come since.
    func view(of request: HTTPRequest) -> RequestView? {
        guard let view, view.request.isIdentical(to: request) else { return nil }
        return view
    }
}

extension CompiledScenario {
    /// Finds the route of a request.
    ///
    /// - Parameter origin: the other server that is asked; `nil` for the backend itself.
    package func route(_ head: HTTPRequest, at origin: String? = nil) -> RequestRoute {
        let match = script.server(named: origin)?.tree.match(head) ?? .none
        return RequestRoute(match, of: head, at: origin, in: self)
    }

    /// The route with the responses to a request, which may be one of the rules for requests without a route.
    func route(of match: RouteTree.Match, at origin: String?) -> CompiledRoute? {
        switch match {
        case .route(let index, _): script.server(named: origin)?.routes[index]
        case .otherMethods: origin == nil ? script.wrongMethod : nil
        case .none: origin == nil ? script.unmatched : nil
        }
    }
}
