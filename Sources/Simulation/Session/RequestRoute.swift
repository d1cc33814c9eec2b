package import HTTPCodec

/// Where a request leads in a scenario, as its head alone tells.
///
/// It is the same for every request with the same head, for as long as the scenario is the same one. A class, because
/// requests refer to it; it never changes.
package final class RequestRoute: Sendable {
    let match: RouteTree.Match
    /// The rate at which the body is read, in bytes per second; `nil` for unlimited.
    package let uploadRate: Int?
    /// The head with its parsed query, and the texts in each place of tokens; neither if a body follows.
    private let view: RequestView?
    let presented: [PresentedToken?]

    fileprivate init(_ match: RouteTree.Match, uploadRate: Int?, of head: HTTPRequest, in scenario: CompiledScenario) {
        self.match = match
        self.uploadRate = uploadRate
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
        let server = script.server(named: origin)
        let match = server?.tree.match(head) ?? .none
        var uploadRate: Int?
        if case .route(let index, _) = match { uploadRate = server?.routes[index].uploadRate }
        return RequestRoute(match, uploadRate: uploadRate, of: head, in: self)
    }
}
