import Basics
package import HTTPCodec
import JSON
package import ScenarioFormat

/// The texts of a message that may be tokens or other secrets, or that suggest what its route is for.
///
/// A survey parses a body once and searches the whole of it.
package struct MessageSurvey {
    package private(set) var items: [CapturedStrings.Item] = []
    /// A Boolean value that indicates whether the body was searched; in a body that is neither JSON nor a form, a secret
    /// may be anywhere.
    package private(set) var isComplete = true
    /// The body of a document that has a name twice, with the last member of each name; `nil` for other bodies.
    package private(set) var bodyOfSingleNames: [UInt8]?
    /// Secrets at places where no token travels.
    private var credentials: [String] = []
    private let declared: Set<String>
    private var relevance: [String: Relevance] = [:]
    private var identifiers = 0
    private var longTexts = 0

    private enum Relevance {
        case secret
        case identifier
        case other
    }

    /// The number of texts that are kept only because they are long or identify something.
    private static let most = 256

    /// - Parameter declared: The names of the places that the user has declared.
    package init(_ request: HTTPRequest, declared: Set<String> = []) {
        self.declared = declared
        var head = request
        head.body = []
        items = CapturedStrings.request(head)
        findCredentials(in: head.fields)
        findCredentials(in: request.target)
        for item in items { if case .query = item.place { findCredentials(in: item.value) } }
        guard !request.body.isEmpty else { return }
        let type = request.fields["Content-Type"] ?? ""
        if let form = try? MultipartForm(parsing: request.body, contentType: type) {
            for part in form.parts {
                if part.filename != nil { isComplete = false }
                add(.form(part.name), String(decoding: part.body, as: UTF8.self))
                if let root = try? JSONParser(duplicateNames: .lastWins).parse(Array(part.body)).root {
                    search(root, JSONPointer(tokens: [part.name]))
                }
            }
        } else {
            search(request.body, type) { .form($0) }
        }
    }

    package init(_ response: HTTPResponse, declared: Set<String> = []) {
        self.declared = declared
        var head = response
        head.body = []
        items = CapturedStrings.response(head)
        findCredentials(in: head.fields)
        guard !response.body.isEmpty else { return }
        // The token endpoints of some servers respond with a form.
        search(response.body, response.fields["Content-Type"] ?? "") { .body(JSONPointer(tokens: [$0]).description) }
    }

    /// Finds the secrets in header fields at places where no token travels.
    private mutating func findCredentials(in fields: HTTPFields) {
        for (name, value) in fields {
            switch name.lowercased() {
            case "cookie": addNameless(value.split(separator: ";"))
            case "set-cookie": addNameless(value.split(separator: ";").prefix(1))
            case "authorization", "proxy-authorization":
                let words = value.split(separator: " ")
                // The user and the password (RFC 7617), or parameters (RFC 9110, section 11.4).
                if words.count == 2, let text = Base64.decode(String(words[1])).flatMap(String.init(validUTF8:)) {
                    credentials.append(
                        contentsOf: text.split(separator: ":", maxSplits: 1).dropFirst().map(String.init)
                    )
                } else if words.count > 2 {
                    addValues(of: value)
                }
            case "sec-websocket-protocol":
                // Browsers have no other field for the token of a WebSocket.
                credentials += value.split { ", ".contains($0) }.filter { $0.utf8.count >= 16 }.map(String.init)
            default:
                if isSecret(.header(name.lowercased(), scheme: nil)), value.contains(" ") { addValues(of: value) }
                findCredentials(in: value)
            }
        }
    }

    /// Adds the values of parameters, and words without a name.
    private mutating func addValues(of credentials: String) {
        for part in credentials.split(whereSeparator: { ", ".contains($0) }) {
            let value = part.split(separator: "=", maxSplits: 1).last?.trimming { $0 == "\"" } ?? ""
            if value.utf8.contains(where: { !$0.isASCIILetter }) { self.credentials.append(String(value)) }
        }
    }

    private mutating func addNameless(_ cookies: some Sequence<Substring>) {
        credentials += cookies.map { $0.trimming { $0 == " " } }.filter { !$0.contains("=") }.map(String.init)
    }

    private mutating func findCredentials(in text: String) {
        guard text.utf8.count >= 12, text.utf8.contains(where: { "=: ".utf8.contains($0) }) else { return }
        credentials += NamedValues(Array(text.utf8), isSecret: secretNames).secrets
    }

    private mutating func search(_ body: [UInt8], _ type: String, _ place: (String) -> CapturedPlace) {
        if CapturedStrings.isForm(body, type: type) {
            for item in QueryItems(parsingForm: body).items { add(place(item.name), item.value) }
        } else if let document = try? JSONParser(duplicateNames: .lastWins).parse(body) {
            search(document.root, JSONPointer())
            // Only the last of several members with one name was searched.
            isComplete = document.duplicates.isEmpty
            if !isComplete { bodyOfSingleNames = document.root.utf8(.compact) }
        } else {
            isComplete = false
            credentials += NamedValues(body, isSecret: secretNames).secrets
        }
    }

    private mutating func search(_ value: JSONValue, _ pointer: JSONPointer) {
        switch value.content {
        case .string(let text):
            add(.body(pointer.description), text)
        case .number(let number) where number.text.utf8.count >= 6: add(.body(pointer.description), number.text)
        case .array(let elements):
            for (index, element) in elements.enumerated() { search(element, pointer.appending(index)) }
        case .object(let object):
            for member in object.members { search(member.value, pointer.appending(member.name)) }
            // Some formats write members as pairs of a name and a value.
            if let name = (object["name"] ?? object["key"])?.string, let text = object["value"]?.string,
                isSecret(.query(name))
            {
                credentials.append(text)
            }
        default: break
        }
    }

    /// Keeps a text that may be a token or suggests something.
    private mutating func add(_ place: CapturedPlace, _ text: String) {
        findCredentials(in: text)
        let count = text.utf8.count
        switch relevance(of: place) {
        case .secret: break
        case .identifier where 4...64 ~= count && identifiers < Self.most: identifiers += 1
        case _ where 16...4_096 ~= count && longTexts < Self.most && !text.utf8.contains(UInt8(ascii: " ")):
            longTexts += 1
        default: return
        }
        items.append(CapturedStrings.Item(place: place, value: text))
    }

    private mutating func relevance(of place: CapturedPlace) -> Relevance {
        let name = place.name
        if let known = relevance[name] { return known }
        let plain = TokenNames.plain(name)
        let found: Relevance
        if isSecret(place) || plain == "granttype" {
            found = .secret
        } else {
            found = plain.hasSuffix("id") || plain == "slug" ? .identifier : .other
        }
        relevance[name] = found
        return found
    }

    /// The values that are shown and saved only by stand-ins.
    package var secrets: [String] {
        let isGrant = items.contains { TokenNames.plain($0.place.name) == "granttype" }
        return items.filter { isSecret($0.place) || isGrant && $0.place.name == "code" }.map(\.value) + credentials
    }

    /// The values that their names call refresh tokens.
    package var refreshTokens: [String] {
        items.filter { TokenNames.sayToken($0.place.name) && TokenNames.kind(of: $0.place.name) == "refresh" }
            .map(\.value)
    }

    /// Returns whether a name in a text is that of a secret.
    private var secretNames: (String) -> Bool { { [declared] in Self.isSecret(.query($0), declared) } }

    private func isSecret(_ place: CapturedPlace) -> Bool { Self.isSecret(place, declared) }

    /// Returns whether the values of a place are secrets.
    private static func isSecret(_ place: CapturedPlace, _ declared: Set<String>) -> Bool {
        let name = place.name
        if declared.contains(name) || TokenNames.saySecret(name) { return true }
        let plain = TokenNames.plain(name)
        switch place {
        case .cookie: return true
        case .header: return ["dpop", "authenticationinfo", "proxyauthenticationinfo"].contains(plain)
        // The credentials of grants (RFC 6749, RFC 8628), and signatures of URLs.
        case .query, .form: return ["code", "sig", "key"].contains(plain)
        case .body: return false
        }
    }

    /// The purpose that the path and the body of a request suggest.
    package func purpose(of request: HTTPRequest) -> RoutePurpose? {
        let words = request.path.split(separator: "/").map { TokenNames.plain(String($0)) }
        func says(_ list: [String]) -> Bool { words.contains { word in list.contains { word.contains($0) } } }
        let grantType = items.first { TokenNames.plain($0.place.name) == "granttype" }?.value
        if let grantType, grantType != "refresh_token" { return .signIn }
        if grantType != nil || RouteWords.isRefresh(words) || says(RouteWords.refresh) && !refreshTokens.isEmpty {
            return .refresh
        }
        if RouteWords.isSignOut(words, request.method) { return .signOut }
        if says(RouteWords.signIn)
            || items.contains(where: { TokenNames.plain($0.place.name).contains("password") })
        {
            return .signIn
        }
        return nil
    }
}
