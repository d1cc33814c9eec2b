import Basics
package import HTTPCodec
package import ScenarioFormat

/// The route that a request without one probably meant, and what is different.
package struct NearestRoute: Sendable, Hashable {
    /// The route as the scenario names it.
    package var route: String
    /// A part of a sentence: "the path contains \"diarys\" where the route contains \"diaries\"".
    package var difference: String
}

extension NearestRoute {
    /// The number of routes that are compared part by part; comparing one costs as much as glancing at fifty.
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
            guard !(differsInMethod && route.isPreflight) else { continue }
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
            (distance: PathDifference.estimate(asked, route.template.segments), index: index)
        }
        return distances.sorted { $0 < $1 }.prefix(candidates).map(\.index).sorted().map { routes[$0] }
    }
}

extension RouteKey {
    /// A Boolean value that indicates whether it takes `OPTIONS` for any path below one, as backends do for the
    /// preflights of browsers.
    var isPreflight: Bool {
        if method == .options, case .wildcard? = template.segments.last { true } else { false }
    }
}

/// One thing in which a path differs from a route's template.
enum PathDifference {
    /// Another text is in a part's place; a typo if it is similar.
    case other(asked: String, wanted: String, isSlip: Bool)
    case extra(String)
    case trailingSlash
    case lacks(PathTemplate.Segment)
    case undecodable(String)

    /// A part of a path between two slashes.
    struct Part {
        let raw: String
        /// `nil` when its percent-encoding cannot be undone.
        let decoded: String?

        init(_ raw: Substring) {
            self.raw = String(raw)
            decoded = PercentEncoding.decode(raw)
        }

        var text: String { decoded ?? raw }
    }

    var cost: Int {
        switch self {
        case .other(_, _, true), .undecodable, .trailingSlash, .extra(""): 2
        case .lacks(.literal("")), .lacks(.wildcard): 2
        case .other: 6
        case .extra, .lacks: 5
        }
    }

    /// A Boolean value that indicates whether it is more than a slip of the pen.
    private var isHeavy: Bool { cost > 2 }

    /// The two words of a slip of the pen.
    var slip: (asked: String, wanted: String)? {
        if case .other(let asked, let wanted, true) = self { (asked, wanted) } else { nil }
    }

    /// A part of a sentence.
    var sentence: String {
        switch self {
        case .other(let asked, let wanted, _): "the path contains \"\(asked)\" where the route contains \"\(wanted)\""
        case .extra(""): "the path contains an empty part: \"//\""
        case .extra(let part): "the path also contains \"\(part)\""
        case .trailingSlash: "the path has a trailing slash"
        case .lacks(.literal("")), .lacks(.wildcard): "the path lacks the trailing slash"
        case .lacks(.literal(let text)): "the path lacks \"\(text)\""
        case .lacks(.parameter(let name)): "the path lacks {\(name)}"
        case .undecodable(let part): "\"\(part)\" in the path is not percent-encoded UTF-8"
        }
    }
}

extension PathDifference {
    /// The maximum number of differences of a path to a suggested route.
    private static let most = 3

    /// The difference between a path and a template; `nil` if it is most of the path.
    static func between(_ asked: [Part], _ wanted: [PathTemplate.Segment]) -> [PathDifference]? {
        let isOpen = if case .wildcard? = wanted.last { true } else { false }
        guard isOpen || abs(asked.count - wanted.count) <= most,
            let differences = fewest(asked[...], wanted[...], atMost: most)
        else { return nil }
        let heavy = differences.count { $0.isHeavy }
        let alike = wanted.count { $0.isWord } - differences.count { $0.takesWord }
        return heavy == 0 || alike >= heavy ? differences : nil
    }

    /// The estimated distance of a path from a template, compared from both ends until something differs.
    ///
    /// The number of parts in between counts most, and among equals how much of the first of them is the same.
    static func estimate(_ asked: [Part], _ wanted: [PathTemplate.Segment]) -> Int {
        let shorter = min(asked.count, wanted.count)
        let front = zip(asked, wanted).prefix { $1.fits($0) }.count
        let back = zip(asked.reversed(), wanted.reversed()).prefix(shorter - front).prefix { $1.fits($0) }.count
        let between = max(asked.count, wanted.count) - front - back
        guard front < shorter, case .literal(let word) = wanted[front] else { return between * 64 }
        return between * 64 - zip(asked[front].raw.utf8, word.utf8).prefix(63).prefix { $0 == $1 }.count
    }

    /// The cheapest way from a path to a template.
    private static func fewest(
        _ asked: ArraySlice<Part>,
        _ wanted: ArraySlice<PathTemplate.Segment>,
        atMost left: Int
    ) -> [PathDifference]? {
        var (asked, wanted) = (asked, wanted)
        while let part = asked.first, let segment = wanted.first {
            if case .wildcard = segment {
                return asked.first { $0.decoded == nil }.map { [.undecodable($0.raw)] } ?? []
            }
            guard segment.fits(part) else { break }
            asked.removeFirst()
            wanted.removeFirst()
        }
        guard !asked.isEmpty || !wanted.isEmpty else { return [] }
        guard left > 0 else { return nil }
        var best: [PathDifference]?
        func consider(_ first: PathDifference?, _ rest: () -> [PathDifference]?) {
            guard let first, let rest = rest() else { return }
            let way = [first] + rest
            if best.map({ way.cost < $0.cost }) ?? true { best = way }
        }
        if let part = asked.first, let segment = wanted.first {
            consider(replacing(segment, by: part)) { fewest(asked.dropFirst(), wanted.dropFirst(), atMost: left - 1) }
        }
        if let part = asked.first {
            let isLast = asked.count == 1 && wanted.isEmpty
            consider(isLast && part.raw.isEmpty ? .trailingSlash : .extra(part.text)) {
                fewest(asked.dropFirst(), wanted, atMost: left - 1)
            }
        }
        if let segment = wanted.first {
            consider(.lacks(segment)) { fewest(asked, wanted.dropFirst(), atMost: left - 1) }
        }
        return best
    }

    private static func replacing(_ segment: PathTemplate.Segment, by part: Part) -> PathDifference? {
        guard case .literal(let wanted) = segment else {
            return part.decoded == nil ? .undecodable(part.raw) : nil
        }
        guard !part.raw.isEmpty, !wanted.isEmpty else { return nil }
        let isSlip =
            max(part.text.utf8.count, wanted.utf8.count) > 1
            && Suggestion.nearest(to: part.text, among: [wanted]) != nil
        return .other(asked: part.text, wanted: wanted, isSlip: isSlip)
    }

    /// A Boolean value that indicates whether it uses up a word of the template.
    private var takesWord: Bool {
        switch self {
        case .other: true
        case .lacks(let segment): segment.isWord
        case .extra, .trailingSlash, .undecodable: false
        }
    }
}

extension [PathDifference] {
    var cost: Int { reduce(0) { $0 + $1.cost } }
}

extension PathTemplate.Segment {
    fileprivate var isWord: Bool {
        if case .literal(let text) = self { !text.isEmpty } else { false }
    }

    fileprivate func fits(_ part: PathDifference.Part) -> Bool {
        switch self {
        case .literal(let text): part.decoded?.exact == text.exact
        case .parameter: !part.raw.isEmpty && part.decoded != nil
        case .wildcard: true
        }
    }
}
