package import Basics
package import HTTPCodec
package import ScenarioFormat

/// The route that a request without one probably meant, and what is different.
package struct NearestRoute: Sendable, Hashable {
    /// The route as the scenario names it.
    package var route: String
    /// A part of a sentence: "the path has \"diarys\" where the route has \"diaries\"".
    package var difference: String
}

extension NearestRoute {
    /// How many routes are compared part by part; comparing one costs as much as glancing at fifty.
    private static let candidates = 32

    /// Finds the route that differs least; `nil` when every one differs in most of its path.
    ///
    /// - Complexity: O(*n* log *n*) for *n* routes; only requests that no route takes pay for it.
    package init?(to request: HTTPRequest, among routes: [RouteKey]) {
        let asked = PathTemplate.segments(of: request.path).map(PathDifference.Part.init)
        var nearest: [(route: RouteKey, difference: PathDifference?)] = []
        var least = Int.max
        for route in Self.likely(routes, asked) {
            let differsInMethod = route.method.map { $0 != request.method } ?? false
            guard let differences = PathDifference.between(asked, route.template.segments) else { continue }
            // The path weighs more than the method, since most paths are there with several.
            let cost = differences.cost * 2 + (differsInMethod ? 1 : 0)
            guard cost > 0, cost <= least else { continue }
            if cost < least { nearest = [] }
            least = cost
            nearest.append((route, differences.first))
        }
        // Among slips the smaller one counts.
        let words = nearest.compactMap { $0.difference?.slip }
        let word = words.first.flatMap { Suggestion.nearest(to: $0.asked, among: words.map(\.wanted)) }
        guard let best = nearest.first(where: { $0.difference?.slip?.wanted == word }) ?? nearest.first else {
            return nil
        }
        let method = best.route.method.flatMap { $0 == request.method ? nil : $0.rawValue }
        let difference =
            switch (best.difference, method) {
            case (let path?, nil): path.sentence
            case (let path?, _?): "\(path.sentence) and the method is \(request.method.rawValue)"
            case (nil, let method): "the method is \(request.method.rawValue), not \(method ?? "*")"
            }
        self.init(route: best.route.text, difference: difference)
    }

    /// The routes that share most of their path with what was asked for, in the order of the scenario.
    private static func likely(_ routes: [RouteKey], _ asked: [PathDifference.Part]) -> [RouteKey] {
        guard routes.count > candidates else { return routes }
        let distances = routes.enumerated().map { index, route in
            (distance: PathDifference.glance(asked, route.template.segments), index: index)
        }
        return distances.sorted { $0 < $1 }.prefix(candidates).map(\.index).sorted().map { routes[$0] }
    }
}
