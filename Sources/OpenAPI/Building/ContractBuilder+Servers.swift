import JSON

extension ContractBuilder {
    /// The servers of a document, an operation or a path item.
    static func servers(_ list: ContractNode?) -> [ContractServer] {
        list?.elements.compactMap { node in
            guard let url = node.value["url"]?.string else { return nil }
            return ContractServer(url: url, basePath: basePath(of: substituting(node["variables"], in: url)))
        } ?? []
    }

    /// The base paths of every server, those of paths and operations too, each once.
    mutating func basePaths(of root: ContractNode) -> [String] {
        var servers = Self.servers(root["servers"])
        for (_, node) in root["paths"]?.members ?? [] {
            guard let item = resolved(node) else { continue }
            servers += Self.servers(item["servers"])
            for (_, operation) in Self.methodNodes(of: item) { servers += Self.servers(operation["servers"]) }
        }
        var seen: Set<[UInt8]> = []
        return servers.map(\.basePath).filter { seen.insert(Array($0.utf8)).inserted }
    }

    /// Puts the defaults of a server's variables in their places (OpenAPI 3.1, section 4.8.6).
    private static func substituting(_ variables: ContractNode?, in url: String) -> String {
        var result: [UInt8] = []
        var rest = url.utf8[...]
        while let open = rest.firstIndex(of: 0x7B), let close = rest[open...].firstIndex(of: 0x7D) {
            result += rest[..<open]
            let name = String(decoding: rest[rest.index(after: open)..<close], as: UTF8.self)
            if let value = variables?.value[name]?["default"]?.string {
                result += value.utf8
            } else {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    private static func basePath(of url: String) -> String {
        var rest = url.utf8[...]
        if FileURI.scheme(of: url) != nil, let colon = rest.firstIndex(of: 0x3A) {
            rest = rest[rest.index(after: colon)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2).drop { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        }
        rest = rest.prefix { $0 != 0x3F && $0 != 0x23 }
        while rest.last == 0x2F { rest = rest.dropLast() }
        // A relative URL such as "v1" is relative to where the document lies, of which only the path matters.
        if rest.first == 0x2E { rest = rest.drop { $0 == 0x2E } }
        let path = String(decoding: rest, as: UTF8.self)
        return path.isEmpty || path.utf8.first == 0x2F ? path : "/" + path
    }
}
