import Basics
import Checking
import HTTPCodec
import JSON
import ScenarioFormat

/// The texts of a message that may be tokens or other secrets, or that suggest what its route is for.
///
/// A survey parses a body once and searches the whole of it.
struct MessageSurvey {
    private(set) var items: [CapturedStrings.Item] = []
    /// A Boolean value that indicates whether the body was searched; in a body that is neither JSON nor a form, a secret
    /// may be anywhere.
    private(set) var isComplete = true
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
    init(_ request: HTTPRequest, declared: Set<String> = []) {
        self.declared = declared
        var head = request
        head.body = []
        items = CapturedStrings.request(head)
        guard !request.body.isEmpty else { return }
        let type = request.fields["Content-Type"] ?? ""
        if let form = try? MultipartForm(parsing: request.body, contentType: type) {
            for part in form.parts {
                if part.filename != nil { isComplete = false }
                add(.form(part.name), String(decoding: part.body, as: UTF8.self), of: part.name)
            }
        } else {
            search(request.body, type) { .form($0) }
        }
    }

    init(_ response: HTTPResponse, declared: Set<String> = []) {
        self.declared = declared
        var head = response
        head.body = []
        items = CapturedStrings.response(head)
        guard !response.body.isEmpty else { return }
        // The token endpoints of some servers respond with a form.
        search(response.body, response.fields["Content-Type"] ?? "") { .body(JSONPointer(tokens: [$0]).description) }
    }

    private mutating func search(_ body: [UInt8], _ type: String, _ place: (String) -> CapturedPlace) {
        if CapturedStrings.isForm(type: type) {
            for item in QueryItems(parsingForm: body).items { add(place(item.name), item.value, of: item.name) }
        } else if let document = try? JSONParser(duplicateNames: .lastWins).parse(body) {
            search(document.root, JSONPointer())
            // Only the last of several members with one name was searched.
            isComplete = document.duplicates.isEmpty
        } else {
            isComplete = false
        }
    }

    private mutating func search(_ value: JSONValue, _ pointer: JSONPointer) {
        switch value.content {
        case .string(let text): add(at: pointer, text)
        case .number(let number) where number.text.utf8.count >= 6: add(at: pointer, number.text)
        case .array(let elements):
            for (index, element) in elements.enumerated() { search(element, pointer.appending(index)) }
        case .object(let object):
            for member in object.members { search(member.value, pointer.appending(member.name)) }
        default: break
        }
    }

    private mutating func add(at pointer: JSONPointer, _ text: String) {
        let name = pointer.tokens.last ?? ""
        if isKept(text, of: name) { items.append(CapturedStrings.Item(place: .body(pointer.description), value: text)) }
    }

    private mutating func add(_ place: CapturedPlace, _ text: String, of name: String) {
        if isKept(text, of: name) { items.append(CapturedStrings.Item(place: place, value: text)) }
    }

    private mutating func isKept(_ text: String, of name: String) -> Bool {
        let count = text.utf8.count
        switch relevance(of: name) {
        case .secret: return true
        case .identifier where 4...64 ~= count && identifiers < Self.most: identifiers += 1
        case _ where 16...4_096 ~= count && longTexts < Self.most && !text.utf8.contains(UInt8(ascii: " ")):
            longTexts += 1
        default: return false
        }
        return true
    }

    private mutating func relevance(of name: String) -> Relevance {
        if let known = relevance[name] { return known }
        let plain = TokenNames.plain(name)
        let found: Relevance
        if namesSecret(name) || plain == "granttype" {
            found = .secret
        } else {
            found = plain.hasSuffix("id") || plain == "slug" ? .identifier : .other
        }
        relevance[name] = found
        return found
    }

    /// The values that are shown and saved only by stand-ins.
    var secrets: [String] { items.filter(isSecret).map(\.value) }

    private func isSecret(_ item: CapturedStrings.Item) -> Bool {
        if case .cookie = item.place { return true }
        return namesSecret(item.place.name)
    }

    /// Returns whether the values of a name are secrets.
    private func namesSecret(_ name: String) -> Bool {
        declared.contains(name) || Secrets.isSecret(name) || TokenNames.sayToken(name)
            || TokenNames.plain(name).contains("passw")
    }

    /// The purpose that the path and the body of a request suggest.
    func purpose(of request: HTTPRequest) -> RoutePurpose? {
        let words = request.path.split(separator: "/").map { TokenNames.plain(String($0)) }
        func says(_ list: [String]) -> Bool { words.contains { word in list.contains { word.contains($0) } } }
        let grantType = items.first { TokenNames.plain($0.place.name) == "granttype" }?.value
        if let grantType, grantType != "refresh_token" { return .signIn }
        if grantType != nil || says(RouteWords.refresh) { return .refresh }
        if RouteWords.isSignOut(words, request.method) { return .signOut }
        if says(["login", "signin", "signup"])
            || items.contains(where: { TokenNames.plain($0.place.name).contains("password") })
        {
            return .signIn
        }
        return nil
    }
}
