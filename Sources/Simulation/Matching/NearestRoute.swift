import Findings
import HTTPWire
import ScenarioFormat

/// The route that a request without one probably meant, and what is different.
package struct NearestRoute: Sendable, Hashable {
    /// The route as the scenario names it.
    package var route: String
    /// A part of a sentence: "the path has \"diarys\" where the route has \"diaries\"".
    package var difference: String
}

extension NearestRoute {
    /// Finds the route that differs least; `nil` when every one differs in most of its path.
    ///
    /// - Complexity: O(*n*) for *n* routes; only requests that no route takes pay for it.
    init?(to request: HTTPRequest, among routes: [Route]) {
        let asked = RouteTree.segments(of: request.path)
        var best: (distance: Int, route: NearestRoute)?
        for route in routes {
            guard let candidate = Self.compare(request, asked, with: route.key) else { continue }
            if candidate.distance < best?.distance ?? .max { best = candidate }
        }
        guard let best else { return nil }
        self = best.route
    }

    private static func compare(
        _ request: HTTPRequest,
        _ asked: [String],
        with key: RouteKey
    ) -> (distance: Int, route: NearestRoute)? {
        let segments = key.template.segments
        let methodDiffers = key.method != nil && key.method != request.method
        func result(_ distance: Int, _ difference: String) -> (distance: Int, route: NearestRoute) {
            let method = methodDiffers ? " and the method is \(request.method.rawValue)" : ""
            return (
                distance * 4 + (methodDiffers ? 1 : 0), NearestRoute(route: key.text, difference: difference + method)
            )
        }
        if asked.last?.isEmpty == true, asked.count == segments.count + 1,
            differences(asked.dropLast(), segments).isEmpty
        {
            return result(1, "the path has a trailing slash")
        }
        if asked.count + 1 == segments.count, case .literal("") = segments[asked.count],
            differences(asked[...], Array(segments.dropLast())).isEmpty
        {
            return result(1, "the path lacks the trailing slash")
        }
        if asked.count == segments.count {
            let differing = differences(asked[...], segments)
            guard let first = differing.first else {
                let method = key.method?.rawValue ?? "*"
                return (
                    1,
                    NearestRoute(route: key.text, difference: "the method is \(request.method.rawValue), not \(method)")
                )
            }
            guard differing.count * 2 <= segments.count || differing.count == 1 else { return nil }
            let isSlip = Suggestion.nearest(to: first.asked, among: [first.wanted]) != nil
            guard isSlip || segments.count > 1 else { return nil }
            return result(
                differing.count * (isSlip ? 2 : 4),
                "the path has \"\(first.asked)\" where the route has \"\(first.wanted)\""
            )
        }
        guard abs(asked.count - segments.count) == 1 else { return nil }
        let common = zip(asked, segments).prefix { matches($0, $1) }.count
        guard common * 2 >= max(asked.count, segments.count) else { return nil }
        return result(6, "the path has \(asked.count) parts and the route \(segments.count)")
    }

    private static func differences(
        _ asked: ArraySlice<String>,
        _ segments: [PathTemplate.Segment]
    ) -> [(asked: String, wanted: String)] {
        zip(asked, segments).compactMap { part, segment in
            guard case .literal(let literal) = segment, literal != part else { return nil }
            return (part, literal)
        }
    }

    private static func matches(_ part: String, _ segment: PathTemplate.Segment) -> Bool {
        if case .literal(let literal) = segment { return literal == part }
        return true
    }
}
