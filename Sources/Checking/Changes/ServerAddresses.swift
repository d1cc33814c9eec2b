import Basics
import JSON

/// The addresses of a list of servers.
struct ServerAddresses {
    /// More addresses than these of one server are not listed, and its variables stay as they are.
    private static let limit = 256

    private(set) var all: [(address: String, place: JSONPosition?)] = []
    /// A Boolean value that indicates whether the contract lists servers.
    let areListed: Bool

    init(_ list: JSONValue?) {
        let servers = list?.array ?? []
        areListed = !servers.isEmpty
        for server in servers {
            guard let url = server["url"]?.string else { continue }
            for address in Self.addresses(url, server["variables"]?.object?.members ?? []) where !contains(address) {
                all.append((address, server.position))
            }
        }
        // Without servers it is "/".
        if !areListed { all = [("/", nil)] }
    }

    func contains(_ address: String) -> Bool { all.contains { $0.address.hasSameUTF8(as: address) } }

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
        // A slash at the end makes no difference, since paths begin with one.
        return addresses.map { $0.hasSuffix("/") && $0 != "/" ? String($0.dropLast()) : $0 }
    }
}
