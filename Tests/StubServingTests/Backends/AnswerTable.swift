import Basics
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// A table of requests and of the responses of a real server, which its backend must send, too.
///
/// The table is a YAML file: `backend` names a folder of `Scenarios`, `headers` are header fields of every request,
/// `signIn` is a request that precedes the requests of each row, and `rows` are the requests. In the table's `headers`,
/// `{token}` is the token of a request, and a field that contains it is omitted if the request has no token; without `headers`, the token
/// is sent as a bearer token. A request has these members:
///
/// - `send`: the method and the target;
/// - `to`: the name of the origin that receives the request instead of the backend;
/// - `as`: the name of the kept value that is the token; `access` by default, and `none` for a request without a token;
/// - `headers`: further header fields, which replace those of the table; `null` omits a field;
/// - `json`, `text` or `bytes` (Base64): the body; `json` is sent as `application/json` unless `headers` sets the type;
/// - `fill`: the number of letters that `{fill}` in the body is replaced by;
/// - `keep`: names for values of the response, by JSON Pointer; `{name}` inserts a kept value into a later request.
///
/// A row also has `first`, the requests and `{advance: 2h}` steps that precede it; `status`; `has`, the members that the
/// body must contain, where `"*"` matches any value; `lacks`, JSON Pointers that lead to nothing; `is`, the body as text;
/// `fields`, the values of header fields, where `null` means that a field is missing; and `source`, the line of the
/// server's description, or the documented behavior of the framework that it uses.
struct AnswerTable {
    let backend: String
    let signIn: JSONValue
    let headers: [JSONObject.Member]
    let rows: [JSONValue]
    private let path: String

    init(_ name: String) throws {
        path = FilePath.folder(of: #filePath) + "/Answers/\(name).yaml"
        let root = try JSONParser().parseYAML(Array(try Golden.text(of: path).utf8)).root
        backend = try #require(root["backend"]?.string)
        signIn = try #require(root["signIn"])
        headers = (root["headers"] ?? ["Authorization": "Bearer {token}"]).object?.members ?? []
        rows = try #require(root["rows"]?.array)
    }

    /// The differences between a row and the response of the server, each as a sentence with its place in the table.
    func differences(of row: JSONValue, in session: String, of stub: Stub) throws -> [String] {
        var play = Play(stub: stub, client: try stub.client(), session: session, headers: headers)
        try stub.admin(.post, "sessions", ["name": .string(session)])
        for step in [signIn] + (row["first"]?.array ?? []) { try play.perform(step) }
        let response = try play.send(row)
        return Self.differences(between: row, and: response).map {
            "\(path):\(row.position.line): \(row["send"]?.string ?? "") \($0)"
        }
    }

    /// Plays a row through a proxy in front of the server; requests to other origins are left out.
    func play(_ row: JSONValue, on stub: Stub, through proxy: Stub) throws {
        var play = Play(stub: stub, client: try proxy.client(), session: "default", headers: headers)
        // Earlier rows have changed the data, so not every value is there that the row keeps.
        for step in [signIn] + (row["first"]?.array ?? []) + [row] where step["to"] == nil {
            try play.perform(step, keepsAll: false)
        }
    }

    private static func differences(between row: JSONValue, and response: HTTPReceivedResponse) -> [String] {
        var found: [String] = []
        if row["status"]?.number?.int != response.code {
            found.append("has the status \(response.code): \(response.text.prefix(300))")
        }
        if let text = row["is"]?.string, text != response.text { found.append("has the body \(response.text)") }
        for field in row["fields"]?.object?.members ?? [] {
            let value = response.fields[field.name]
            if value != field.value.string { found.append("has \(field.name): \(value ?? "no value")") }
        }
        guard row["has"] != nil || row["lacks"] != nil else { return found }
        guard let body = try? response.json else { return found + ["is not JSON: \(response.text.prefix(300))"] }
        if let wanted = row["has"], !contains(body, wanted) { found.append("has the body \(body.text(.compact))") }
        for pointer in row["lacks"]?.array ?? [] {
            guard let text = pointer.string, let pointer = JSONPointer(text) else { continue }
            if let value = pointer.value(in: body) { found.append("has \(text): \(value.text(.compact))") }
        }
        return found
    }

    private static func contains(_ value: JSONValue, _ wanted: JSONValue) -> Bool {
        switch (value.content, wanted.content) {
        case (_, .string("*")): true
        case (.object(let object), .object(let members)):
            members.members.allSatisfy { member in object[member.name].map { contains($0, member.value) } ?? false }
        case (.array(let values), .array(let elements)):
            values.count == elements.count && zip(values, elements).allSatisfy(contains)
        default: value == wanted
        }
    }

    private struct Play {
        let stub: Stub
        let client: HTTPClient
        let session: String
        let headers: [JSONObject.Member]
        private var kept: [String: String] = [:]

        init(stub: Stub, client: HTTPClient, session: String, headers: [JSONObject.Member]) {
            self.stub = stub
            self.client = client
            self.session = session
            self.headers = headers
        }

        mutating func perform(_ step: JSONValue, keepsAll: Bool = true) throws {
            if let time = step["advance"]?.string { return try stub.advance(time, session: session) }
            let response = try send(step)
            for member in step["keep"]?.object?.members ?? [] {
                let pointer = try #require(member.value.string.flatMap { JSONPointer($0) })
                let found = pointer.value(in: (try? response.json) ?? .null)
                guard keepsAll || found != nil else { continue }
                let value = try #require(found, "\(pointer) in \(response.text)")
                kept[member.name] = value.string ?? value.text(.compact)
            }
        }

        func send(_ step: JSONValue) throws -> HTTPReceivedResponse {
            let line = filled(try #require(step["send"]?.string))
            let space = try #require(line.firstIndex(of: " "))
            var fields: HTTPFields = ["Backlot-Session": session]
            let own = step["headers"]?.object
            for field in own?.members ?? [] {
                if let value = field.value.string { fields.append(field.name, filled(value)) }
            }
            let token = kept[step["as"]?.string ?? "access"]
            for field in headers where own?[field.name] == nil {
                guard let value = field.value.string, token != nil || !value.contains("{token}") else { continue }
                fields.append(field.name, value.replacing("{token}", with: token ?? ""))
            }
            var body: [UInt8] = []
            if let json = step["json"] {
                body = Array(filled(json.text(.compact)).utf8)
                if fields["Content-Type"] == nil { fields.append("Content-Type", "application/json") }
            } else if let text = step["text"]?.string {
                let letters = String(repeating: "x", count: step["fill"]?.number?.int ?? 0)
                body = Array(filled(text).replacing("{fill}", with: letters).utf8)
            } else if let bytes = step["bytes"]?.string {
                body = try #require(Base64.decode(bytes))
            }
            let method = HTTPMethod(rawValue: String(line[..<space]))
            let target = String(line[line.index(after: space)...])
            let request = HTTPRequest(method: method, target: target, fields: fields, body: body)
            guard let origin = step["to"]?.string else { return try client.exchange(request) }
            let url = try #require(stub.server.originURLs[origin])
            let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
            return try stub.client(port: port).exchange(request)
        }

        /// The text with the kept values in place of their names in braces.
        private func filled(_ text: String) -> String {
            kept.reduce(text) { text, value in text.replacing("{\(value.key)}", with: value.value) }
        }
    }
}
