import Basics
import HTTPCodec
import ScenarioFormat

/// The routes of a scenario as a tree over path segments, so that a match costs the same with ten and ten thousand.
///
/// At every segment, a literal takes precedence over a parameter and a parameter over a wildcard. A failing branch,
/// or to a path without the method, is left again for the next best one. The tree makes the choice; whether a path
/// really fits is for the template to say.
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
        /// This path does not allow the method.
        case otherMethods([String])
        case none
    }

    private var nodes = [Node()]
    /// The nodes of paths without parameters, by the whole path: most requests need no walk.
    private var nodesByPath: [String: Int] = [:]
    let keys: [RouteKey]

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
        if let path = keys[route].template.plainPath { nodesByPath[path] = node }
    }

    private mutating func addNode(_ link: (inout RouteTree, Int) -> Void) -> Int {
        nodes.append(Node())
        link(&self, nodes.count - 1)
        return nodes.count - 1
    }

    func match(_ request: HTTPRequest) -> Match {
        if let node = nodesByPath[request.path], let found = nodes[node].routes.pick(request.method, keys),
            // Two spellings of one text are equal strings, and yet two paths.
            keys[found].template.text.exact == request.path.exact
        {
            return .route(found, parameters: [])
        }
        var search = Search(path: request.path, method: request.method)
        if let found = find(&search, search.segments[...], below: 0) { return found }
        // A route for the preflights of any path makes no path known.
        let known = search.known.filter { !keys[$0].isPreflight }
        return known.isEmpty ? .none : .otherMethods(methods(of: known))
    }

    /// The segments of a path, percent-decoded; one with an invalid encoding is unchanged.
    static func segments(of path: String) -> [String] {
        PathTemplate.segments(of: path).map { PercentEncoding.decode($0) ?? String($0) }
    }

    /// Every method that some route answers, for `OPTIONS *`.
    var allMethods: [String] { methods(of: Array(keys.indices)) }

    /// The methods of the routes that have a path, except for one of the methods.
    func methods(of path: PathTemplate, without method: HTTPMethod) -> [String] {
        let excluded = method == .get ? ["GET", "HEAD"] : [method.rawValue]
        return methods(of: keys.indices.filter { keys[$0].template == path }).filter { !excluded.contains($0) }
    }

    private func methods(of routes: [Int]) -> [String] {
        var methods = Set(routes.compactMap { keys[$0].method?.rawValue })
        if methods.contains("GET") { methods.insert("HEAD") }
        methods.insert("OPTIONS")
        return methods.sorted()
    }

    // MARK: Searching

    private struct Search {
        let path: String
        let method: HTTPMethod
        let segments: [String]
        /// The routes that the path fits and the method does not.
        var known: [Int] = []

        init(path: String, method: HTTPMethod) {
            self.path = path
            self.method = method
            segments = path.utf8.first == UInt8(ascii: "/") ? RouteTree.segments(of: path) : []
        }
    }

    private func find(_ search: inout Search, _ segments: ArraySlice<String>, below node: Int) -> Match? {
        guard let first = segments.first else { return pick(nodes[node].routes, &search) }
        let rest = segments.dropFirst()
        if let next = nodes[node].literals[first], let found = find(&search, rest, below: next) { return found }
        // An empty segment is a doubled or a trailing slash, and no value of a parameter.
        if let next = nodes[node].parameter, !first.isEmpty, let found = find(&search, rest, below: next) {
            return found
        }
        return pick(nodes[node].wildcard, &search)
    }

    private func pick(_ routes: [Int], _ search: inout Search) -> Match? {
        guard let first = routes.first, let parameters = keys[first].template.match(search.path) else { return nil }
        guard let route = routes.pick(search.method, keys) else {
            search.known += routes
            return nil
        }
        // Routes that meet here have the same shape, and may name their parameters differently.
        if route == first { return .route(route, parameters: parameters) }
        return .route(route, parameters: keys[route].template.match(search.path) ?? parameters)
    }
}

extension RouteKey {
    /// Returns whether a request has the method and a path of the key.
    func matches(_ request: HTTPRequest) -> Bool {
        let hasMethod = method.map { $0 == request.method || $0 == .get && request.method == .head } ?? true
        return hasMethod && template.match(request.path) != nil
    }
}

extension [Int] {
    /// The route that answers a method: its own, else for HEAD that of GET (RFC 9110, section 9.3.2), else any.
    fileprivate func pick(_ method: HTTPMethod, _ keys: [RouteKey]) -> Int? {
        if let own = first(where: { keys[$0].method == method }) { return own }
        if method == .head, let get = first(where: { keys[$0].method == .get }) { return get }
        return first { keys[$0].method == nil }
    }
}

extension PathTemplate {
    /// The one path that the template matches as it is written: nothing but plain literals.
    fileprivate var plainPath: String? {
        let isPlain = segments.allSatisfy { if case .literal = $0 { true } else { false } }
        return isPlain && !text.utf8.contains(UInt8(ascii: "%")) ? text : nil
    }
}
