import Basics
package import HTTPCodec
import JSON
import ScenarioFormat

/// Which route each request of a capture was for: method and path, with parameters where ids stand.
package struct CapturedRoutes: Sendable {
    /// A route that was asked for, and the requests that asked.
    package struct Route: Sendable {
        package var method: HTTPMethod
        package var host: String
        /// The segments of the path; `nil` where a parameter stands.
        package var segments: [String?]
        /// The names of the parameters, in their order.
        package var parameters: [String]
        /// The value that distinguishes requests of one method and path: the `grant_type` of a token endpoint.
        package var grantType: String?
        /// Places among the capture's entries.
        package var entries: [Int] = []

        /// The path as scenarios and contracts write it.
        package var path: String {
            var names = parameters[...]
            let parts = segments.map { segment in segment ?? "{\(names.popFirst() ?? "id")}" }
            return "/" + parts.joined(separator: "/")
        }

        /// The route's key, such as `GET /notes/{noteId}`.
        package var key: String { "\(method.rawValue) \(path)" }

        /// The key by which rules tell routes apart.
        package var label: String { key + (grantType.map { " (\($0))" } ?? "") }
    }

    package private(set) var routes: [Route] = []
    /// The number of each entry's route.
    package private(set) var numbers: [Int] = []

    package init(_ entries: [Capture.Entry]) {
        let known = KnownIdentifiers(entries)
        var redaction = known.redaction
        var places: [[UInt8]: Int] = [:]
        for (index, entry) in entries.enumerated() {
            let segments = Self.segments(of: entry.request.path)
            let parts = segments.map { known.isIdentifier($0) || !redaction.isPlain($0) ? nil : $0 }
            let grantType = entry.sentStrings.first { item in
                switch item.place {
                case .form("grant_type"), .body("/grant_type"), .body("/grantType"): true
                default: false
                }
            }?.value
            let key = [entry.request.method.rawValue, entry.host, grantType ?? ""] + parts.map { $0 ?? "{}" }
            let bytes = Array(key.joined(separator: "\n").utf8)
            let number = places[bytes] ?? routes.count
            if number == routes.count {
                places[bytes] = number
                routes.append(
                    Route(
                        method: entry.request.method,
                        host: entry.host,
                        segments: parts,
                        parameters: Self.names(of: parts),
                        grantType: grantType
                    )
                )
            }
            routes[number].entries.append(index)
            numbers.append(number)
        }
    }

    private static func segments(of path: String) -> [String] {
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { segment in
            // These would be read as parameters, or as those of another tool.
            let plain = String(segment).replacing("{", with: "%7B").replacing("}", with: "%7D")
            guard let first = plain.utf8.first, "*:<".utf8.contains(first) else { return plain }
            return "%\(String(first, radix: 16, uppercase: true))\(plain.dropFirst())"
        }
    }

    /// `/notes/{}/comments/{}` has a `noteId` and a `commentId`.
    private static func names(of segments: [String?]) -> [String] {
        var names: [String] = []
        var taken: Set<String> = []
        for (index, segment) in segments.enumerated() where segment == nil {
            let before = index > 0 ? segments[index - 1] : nil
            var name = "id"
            if let word = before, let first = word.utf8.first, first.isLetter, word.utf8.allSatisfy({ $0.isLetter }) {
                name =
                    (word.hasSuffix("ies") ? word.dropLast(3) + "y" : word.hasSuffix("s") ? word.dropLast() : word[...])
                    + "Id"
            }
            names.append(taken.take(name, numberedAfter: ""))
        }
        return names
    }
}

/// The texts that look like an id: numbers, UUIDs, long hexadecimal texts, and what an earlier response named as an id.
private struct KnownIdentifiers {
    private var named: Set<[UInt8]> = []
    /// Tokens and other secrets, which do not name resources, either.
    private var secret: Set<[UInt8]> = []
    /// The same, to find them in longer texts.
    private(set) var redaction = Redaction()

    init(_ entries: [Capture.Entry]) {
        for entry in entries {
            for item in entry.sentStrings + entry.receivedStrings where item.value.utf8.count >= 8 {
                let name = item.place.name
                if item.place.isCookie || TokenNames.saySecret(name) {
                    secret.insert(Self.folded(item.value))
                    redaction.addSecret(item.value)
                }
            }
            guard let response = entry.response, response.body.count < 1 << 20 else { continue }
            for item in entry.receivedStrings {
                guard case .body = item.place, 4...64 ~= item.value.utf8.count else { continue }
                let name = TokenNames.plain(item.place.name)
                guard name == "id" || name == "uuid" || name == "slug" || name.hasSuffix("id") else { continue }
                named.insert(Array(item.value.utf8))
            }
        }
    }

    func isIdentifier(_ segment: String) -> Bool {
        let bytes = Array(segment.utf8)
        guard !bytes.isEmpty else { return false }
        if bytes.allSatisfy(\.isDigit) { return true }
        if bytes.count >= 8, secret.contains(Self.folded(PercentEncoding.decode(segment) ?? segment)) { return true }
        let isHexadecimal = bytes.allSatisfy {
            $0.isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20 || $0 == UInt8(ascii: "-")
        }
        let hasDigit = bytes.contains(where: \.isDigit)
        if isHexadecimal, hasDigit, bytes.count >= 8 { return true }
        // ULIDs, nano ids and the like: long, with digits among the letters.
        if bytes.count >= 20, hasDigit, bytes.allSatisfy({ $0.isDigit || $0.isLetter || "-_".utf8.contains($0) }) {
            return true
        }
        return named.contains(bytes) && (hasDigit || bytes.count >= 12)
    }

    private static func folded(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }
}
