import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension BackendMaker {
    /// Bodies of at least this size become files, in bytes.
    private static let smallestFile = 64 << 10
    /// JSON of at least this size becomes a fixture, in bytes.
    private static let smallestFixture = 200

    /// The comment on a body that differs from the captured one.
    private var concealment: String {
        "the body contains placeholders instead of \(isExact ? "secrets" : "tokens and personal data")"
    }

    /// Adds the body of a captured response and its media type.
    ///
    /// - Parameters:
    ///   - granted: the tokens that the response grants in its new place.
    ///   - grants: all tokens in the captured body.
    ///   - isInline: whether the body must be written in place, and not as a file.
    ///   - echoes: the values of the request that become placeholders.
    mutating func setBody(
        of response: HTTPResponse,
        _ index: Int,
        _ granted: [CapturedTokens.Grant],
        _ grants: [CapturedTokens.Grant],
        isInline: Bool,
        _ echoes: CapturedEchoes?,
        in object: inout DraftRoute,
        _ fields: inout CapturedFields,
        _ comments: inout [String]
    ) {
        if response.status == 101, response.fields.contains("Upgrade", token: "websocket") {
            object[.status] = nil
            object[.webSocket] = webSocket(response)
            comments.append("placeholder: the WebSocket messages are not imported")
            return
        }
        let type = response.fields["Content-Type"]
        let text = String(validUTF8: response.body)
        if let text, let stream = CapturedStream(text, ofType: type, &redaction) {
            object[.events] = .array(stream.events)
            comments += stream.differences
            if stream.isConcealed { fields.differ(concealment) }
        } else if let root = type.map({ $0.lowercased().contains("json") }) ?? true
            ? (try? JSONParser(duplicateNames: .lastWins).parse(response.body))?.root
            : isExact ? CapturedStrings.json(in: response.body) : nil,
            !DraftText.isTooDeep(root)
        {
            let shown = redaction.value(root)
            if shown != root { fields.differ(concealment) }
            let body = Self.template(shown, granted, grants)
            let echoing = echoes?.filled(body) ?? body
            let hasNamesOnce = (try? JSONParser().parse(response.body)) != nil
            if !hasNamesOnce {
                comments.append("left out: all members with the same name except the last")
            }
            if !isExact { general.insert("the JSON value is equal, but its white space and string escapes may differ") }
            let exact = isExact && hasNamesOnce ? Self.relaid(response.body, root, as: body) : nil
            if echoing != body {
                object[.json] = echoing
            } else if let exact, exact != body.utf8(.compact), isInline || exact != response.body {
                object[.text] = .string(String(decoding: exact, as: UTF8.self))
            } else if isInline || (exact ?? Array(body.text().utf8)).count < Self.smallestFixture,
                exact == nil || exact == body.utf8(.compact)
            {
                object[.json] = body
            } else if let exact {
                object[.fixture] = .string(fixture(exact, named: fixtureName(index)))
            } else {
                object[.fixture] = .string(fixtures.place(body, named: fixtureName(index)))
            }
            if object[.text] != nil, let type { return fields.set(contentType: type, ofText: true, isASCII: false) }
            guard type != "application/json" else { return }
        } else if response.body.isEmpty {
            object[.empty] = true
            if entries[index].lacksResponseBody {
                comments.append("placeholder: the capture does not contain the body")
            }
        } else if let text, !Concealment.isMedia(type),
            let shown = CapturedStrings.isForm(type: type) ? redaction.plain(text) : redaction.document(text)
        {
            if shown.exact != text.exact { fields.differ(concealment) }
            if isInline || shown.utf8.count < Self.smallestFile {
                object[.text] = .string(DraftText.literal(shown))
            } else {
                object[.file] = .string(fixture(Array(shown.utf8), named: fixtureName(index), ending: "txt"))
            }
        } else if isExact, Concealment.isBinary(response.body, type: type), !redaction.hasSecret(in: response.body) {
            object[.file] = .string(fixture(response.body, named: fixtureName(index), ending: "bin"))
        } else {
            object[.empty] = true
            let what = "a body of \((type ?? "no type").printable.shortened), which may contain private data"
            left[what, default: 0] += 1
            comments.append("left out: \(what)")
        }
        let isText = object[.empty] == nil
        guard let type else {
            if isText { fields.differ("the response contains a Content-Type, which the captured response lacked") }
            return
        }
        if HTTPFields.isValue(type), redaction.isPlain(type) {
            fields.set(contentType: type, ofText: isText, isASCII: response.body.allSatisfy { $0 < 0x80 })
        }
    }

    private mutating func webSocket(_ response: HTTPResponse) -> JSONValue {
        let protocols = response.fields.values(of: "Sec-WebSocket-Protocol").filter { redaction.isPlain($0) }
        let socket: Draft<DraftKeys.WebSocket> = [
            .subprotocols: protocols.isEmpty ? nil : .strings(protocols)
        ]
        return socket.json
    }

    /// A body with placeholders where tokens were.
    private static func template(
        _ root: JSONValue,
        _ granted: [CapturedTokens.Grant],
        _ hidden: [CapturedTokens.Grant]
    ) -> JSONValue {
        var places: [JSONPointer: String] = [:]
        for grant in hidden {
            guard case .body(let text) = grant.place, let pointer = JSONPointer(text) else { continue }
            let isGranted = granted.contains { $0.kind == grant.kind }
            places[pointer] = isGranted ? "{{token.\(grant.kind)}}" : "concealed"
        }
        return fill(DraftText.literal(root), with: places, at: JSONPointer())
    }

    /// The bytes of a JSON body with other strings and numbers, in the layout of the original.
    ///
    /// - Returns: `nil` where names are other ones, too, and for a text that would be taken for a placeholder.
    private static func relaid(_ bytes: [UInt8], _ root: JSONValue, as body: JSONValue) -> [UInt8]? {
        var scalars: [(old: JSONValue, new: JSONValue)] = []
        func collect(_ old: JSONValue, _ new: JSONValue) -> Bool {
            if let elements = old.array, let others = new.array {
                return elements.count == others.count && zip(elements, others).allSatisfy(collect)
            }
            if let object = old.object, let other = new.object {
                return object.names.map(\.exact) == other.names.map(\.exact)
                    && zip(object.members, other.members).allSatisfy { collect($0.value, $1.value) }
            }
            scalars.append((old, new))
            return new.string.map { !$0.contains(#"{{"{{"}}"#) } ?? true
        }
        guard collect(root, body) else { return nil }
        var (result, index, rest): ([UInt8], Int, _) = ([], 0, scalars[...])
        while index < bytes.count {
            let start = index
            if " \t\r\n{}[],:".utf8.contains(bytes[index]) {
                result.append(bytes[index])
                index += 1
                continue
            }
            let isText = bytes[index] == UInt8(ascii: "\"")
            index += 1
            while index < bytes.count,
                isText ? bytes[index] != UInt8(ascii: "\"") : !" \t\r\n]},".utf8.contains(bytes[index])
            {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            if isText { index = min(index + 1, bytes.count) }
            let isName = bytes[index...].first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: ":")
            guard !isName, let scalar = rest.popFirst(), scalar.old != scalar.new else {
                result += bytes[start..<index]
                continue
            }
            result += scalar.new.utf8(.compact)
        }
        return rest.isEmpty ? result : nil
    }

    private static func fill(_ value: JSONValue, with places: [JSONPointer: String], at pointer: JSONPointer)
        -> JSONValue
    {
        if let text = places[pointer] { return .string(text) }
        if places.isEmpty { return value }
        if let elements = value.array {
            return .array(elements.enumerated().map { fill($1, with: places, at: pointer.appending($0)) })
        }
        guard let object = value.object else { return value }
        return .object(
            JSONObject(object.members.map { ($0.name, fill($0.value, with: places, at: pointer.appending($0.name))) })
        )
    }

    /// The name of a file with a body, after its route.
    private func fixtureName(_ index: Int) -> String {
        let route = session.routes.routes[session.routes.numbers[index]]
        let words = ([route.method.rawValue.lowercased()] + route.segments.compactMap { $0 })
            .map { String($0.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) }
            .filter { !$0.isEmpty }
        return String(words.joined(separator: "-").prefix(60))
    }
}
