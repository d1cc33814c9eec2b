import HTTPCodec
import ScenarioFormat

/// The other servers of a story, which know its tokens only when they see them.
extension Session {
    /// Answers a request that another server was asked.
    ///
    /// Tokens are looked for as everywhere, so that one which has gone to the wrong host is in the journal.
    mutating func answer(at name: String, to context: inout ExchangeContext) -> Answer {
        let request = context.request.request
        guard let origin = stage.script.origin(named: name) else {
            noteTokens(in: &context)
            return Answer(.noOrigin(name))
        }
        switch origin.tree.match(request) {
        case .route(let index, let parameters):
            return answer(of: origin.routes[index], with: parameters, to: &context)
        case .otherMethods(let allowed):
            noteTokens(in: &context)
            if request.method == .options { return Answer(.options(allowed)) }
            var answer = Answer(.wrongMethod(request, allowed))
            answer.nearest = NearestRoute(to: request, among: origin.tree.keys)
            answer.allowedMethods = allowed
            return answer
        case .none:
            noteTokens(in: &context)
            if request.method == .options, request.path == "*" { return Answer(.options(origin.tree.allMethods)) }
            let nearest = NearestRoute(to: request, among: origin.tree.keys)
            var answer = Answer(.unmatched(request, nearest, at: name))
            answer.nearest = nearest
            return answer
        }
    }
}
