import Basics
import JSON

/// The addresses of a list of servers.
struct ServerAddresses {
    /// More addresses than these of one server are not listed, and its variables stay as they are.
    private static let limit = 256

    /// Each address as it is written, and the form by which addresses are compared.
    private(set) var all: [(address: String, key: String, place: JSONPosition?)] = []
    /// A Boolean value that indicates whether the contract lists servers.
    let areListed: Bool

    init(_ list: JSONValue?) {
        let servers = list?.array ?? []
        areListed = !servers.isEmpty
        for server in servers {
            guard let url = server["url"]?.string else { continue }
            for address in Self.addresses(url, server["variables"]?.object?.members ?? []) {
                let key = Self.key(of: address)
                if !contains(key) { all.append((address, key, server.position)) }
            }
        }
        // Without servers it is "/".
        if !areListed { all = [("/", "", nil)] }
    }

    func contains(_ key: String) -> Bool { all.contains { $0.key.exact == key.exact } }

    /// The path, such as `/v1`, that each address of another list has after one of this list; `nil` if the lists have no
    /// such path.
    func suffix(of other: ServerAddresses) -> String? {
        guard let first = all.first?.key else { return nil }
        return other.all.lazy.filter { $0.key.hasPrefix(first + "/") }.map { String($0.key.dropFirst(first.count)) }
            .first { path in
                !path.contains("{") && all.count == other.all.count && all.allSatisfy { other.contains($0.key + path) }
            }
    }

    /// The address without what makes no difference: the case of scheme and host and the scheme's own port (RFC 3986,
    /// sections 6.2.2.1 and 6.2.3), and a slash at the end, since paths begin with one.
    private static func key(of address: String) -> String {
        let address = address.hasSuffix("/") ? String(address.dropLast()) : address
        guard let start = address.firstRange(of: "://") else { return address }
        let end = address[start.upperBound...].firstIndex(of: "/") ?? address.endIndex
        let scheme = address[..<start.lowerBound].lowercased()
        var host = address[start.upperBound..<end].lowercased()
        if let port = ["http": ":80", "https": ":443"][scheme], host.hasSuffix(port) { host.removeLast(port.count) }
        return "\(scheme)://\(host)\(address[end...])"
    }

    private static func addresses(_ url: String, _ variables: [JSONObject.Member]) -> [String] {
        var addresses = [url]
        for variable in variables {
            let listed = variable.value["enum"]?.array?.compactMap(\.string) ?? []
            let values = listed.isEmpty ? [variable.value["default"]?.string].compactMap(\.self) : listed
            guard !values.isEmpty, addresses.count * values.count <= limit else { continue }
            addresses = addresses.flatMap { address in
                values.map {
                    address.split(separator: "{\(variable.name)}", omittingEmptySubsequences: false).joined(
                        separator: $0
                    )
                }
            }
        }
        return addresses
    }
}
