import HTTPWire
import ScenarioFormat

/// The routes of a scenario as a tree over path segments, so that a match costs the same with ten and ten thousand.
///
/// At every segment a literal goes before a parameter and a parameter before a wildcard. A branch that leads nowhere,
/// or to a path without the method, is left again for the next best one.
struct RouteTree: Sendable {
    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var parameter: Int?
        /// The routes whose wildcard takes everything from here on.
        var wildcard: [Int] = []
        /// The routes that end here.
        var routes: [Int] = []
    }

    enum Match {
        case route(Int, parameters: [(name: String, value: String)])
        /// The path is known, but not with this method.
        case otherMethods([String])
        case none
    }

    private var nodes = [Node()]
    private let keys: [RouteKey]

    init(_ routes: [Route]) {
        keys = routes.map(\.key)
        for index in keys.indices { insert(index) }
    }

    private mutating func insert(_ route: Int) {
        var node = 0
        for segment in keys[route].template.segments {
            switch segment {
            case .literal(let text):
                node = nodes[node].literals[text] ?? addNode { $0.nodes[node].literals[text] = $1 }
            case .parameter:
                node = nodes[node].parameter ?? addNode { $0.nodes[node].parameter = $1 }
            case .wildcard:
                nodes[node].wildcard.append(route)
                return
            }
        }
        nodes[node].routes.append(route)
    }

    private mutating func addNode(_ link: (inout RouteTree, Int) -> Void) -> Int {
        nodes.append(Node())
        link(&self, nodes.count - 1)
        return nodes.count - 1
    }

    func match(_ request: HTTPRequest) -> Match {
        let segments = Self.segments(of: request.path)
        var known: [Int] = []
        if let route = find(segments[...], below: 0, method: request.method, known: &known) {
            return .route(route, parameters: keys[route].template.match(request.path) ?? [])
        }
        // A GET route answers HEAD as well (RFC 9110, section 9.3.2).
        if request.method == .head, let route = find(segments[...], below: 0, method: .get, known: &known) {
            return .route(route, parameters: keys[route].template.match(request.path) ?? [])
        }
        return known.isEmpty ? .none : .otherMethods(methods(of: known))
    }

    /// The segments of a path, percent-decoded; one that is encoded badly stands as it is and matches no literal.
    static func segments(of path: String) -> [String] {
        PathTemplate.segments(of: path).map { PercentEncoding.decode($0) ?? String($0) }
    }

    /// Every method that some route answers, for `OPTIONS *`.
    var allMethods: [String] { methods(of: Array(keys.indices)) }

    private func methods(of routes: [Int]) -> [String] {
        var methods = Set(routes.compactMap { keys[$0].method?.rawValue })
        if methods.contains("GET") { methods.insert("HEAD") }
        methods.insert("OPTIONS")
        return methods.sorted()
    }

    private func find(
        _ segments: ArraySlice<String>,
        below node: Int,
        method: HTTPMethod,
        known: inout [Int]
    ) -> Int? {
        guard let first = segments.first else {
            return pick(nodes[node].routes, method, &known) ?? pick(nodes[node].wildcard, method, &known)
        }
        let rest = segments.dropFirst()
        if let next = nodes[node].literals[first],
            let route = find(rest, below: next, method: method, known: &known)
        {
            return route
        }
        // An empty segment is a doubled or a trailing slash, and no value of a parameter.
        if let next = nodes[node].parameter, !first.isEmpty,
            let route = find(rest, below: next, method: method, known: &known)
        {
            return route
        }
        return pick(nodes[node].wildcard, method, &known)
    }

    private func pick(_ routes: [Int], _ method: HTTPMethod, _ known: inout [Int]) -> Int? {
        known += routes
        return routes.first { keys[$0].method == method } ?? routes.first { keys[$0].method == nil }
    }
}
