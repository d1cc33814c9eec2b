import Basics
import HTTPCodec
package import JSON
import ScenarioFormat

extension Capture {
    /// Reads an HTTP Archive 1.2, as browsers, Proxyman, Charles and mitmproxy write it.
    ///
    /// Entries that are not HTTP, such as `data:` and `blob:` URLs, are ignored; anything else that is not as the
    /// format has it is an error with its line and column.
    package init(har bytes: [UInt8], file: String) throws(CaptureProblem) {
        let root = try CapturedDocument.root(
            of: bytes,
            file: file,
            kind: "this is not a HAR file, because it",
            advice: "export the traffic as HAR again; a truncated file cannot be read"
        )
        try self.init(har: root, file: file)
    }

    /// Reads an archive that is parsed already.
    ///
    /// - Parameter needsMoments: whether an entry without its moment is an error; otherwise it follows the one before it.
    package init(har root: JSONValue, file: String, needsMoments: Bool = true) throws(CaptureProblem) {
        self.init(file: file)
        var reader = HARReader(file: file, needsMoments: needsMoments)
        guard let log = root["log"] else {
            throw reader.problem(root, "this is not a HAR file: \"log\" is missing")
        }
        guard let list = log["entries"] else { throw reader.problem(log, "\"log\" contains no \"entries\"") }
        guard let entries = list.array else {
            throw reader.problem(list, "\"entries\" must be an array, not \(list.kindName)")
        }
        end = try log["_capturedUntil"].map { value throws(CaptureProblem) in try reader.moment(value).time }
        isComplete = log["_isComplete"]?.bool ?? false
        lost = max(0, log["_lostEntries"]?.int ?? 0)
        var digits = 0
        var skipped: [String: Int] = [:]
        for value in entries {
            guard let (entry, fraction) = try reader.entry(value, &skipped) else { continue }
            digits = max(digits, fraction)
            self.entries.append(entry)
        }
        resolution = digits == 0 ? .seconds(1) : digits < 3 ? .milliseconds(100) : .milliseconds(1)
        sort()
        if reader.timeless > 0 {
            let entries = reader.timeless == 1 ? "1 entry lacks" : "\(reader.timeless) entries lack"
            let message = "\(entries) startedDateTime, so the entries are used in file order"
            findings.append(Finding(.note, id: "capture/no-moment", message, at: Place(file: file)))
        }
        for (scheme, count) in skipped.sorted(by: { $0.key < $1.key }) {
            let message =
                "\(count) \(count == 1 ? "entry" : "entries") with the scheme \"\(scheme)\" "
                + "\(count == 1 ? "was" : "were") ignored, because the scheme is not HTTP"
            findings.append(Finding(.note, id: "capture/not-http", message, at: Place(file: file)))
        }
    }

    /// Puts the entries in the order of their moments; equal ones stay as they are.
    mutating func sort() {
        guard !entries.indices.dropFirst().allSatisfy({ entries[$0 - 1].start <= entries[$0].start }) else { return }
        entries = entries.enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }
}

/// Reads the values of an archive, each with its place for messages.
private struct HARReader {
    let file: String
    let needsMoments: Bool
    /// The number of entries without a moment.
    private(set) var timeless = 0
    /// The moment of the entry before.
    private var latest = VirtualTime(seconds: 0)

    init(file: String, needsMoments: Bool) {
        (self.file, self.needsMoments) = (file, needsMoments)
    }

    func problem(_ value: JSONValue, _ message: String) -> CaptureProblem {
        CaptureProblem(message, in: file, at: value.position)
    }

    private func member(_ value: JSONValue, _ name: String) throws(CaptureProblem) -> JSONValue {
        guard let object = value.object else { throw problem(value, "expected an object, not \(value.kindName)") }
        guard let member = object[name] else { throw problem(value, "\"\(name)\" is missing") }
        return member
    }

    private func string(_ value: JSONValue, _ name: String) throws(CaptureProblem) -> String {
        let member = try member(value, name)
        guard let text = member.string else {
            throw problem(member, "\"\(name)\" must be a string, not \(member.kindName)")
        }
        return text
    }

    /// A moment by ISO 8601, and how many digits its fraction has.
    func moment(_ value: JSONValue) throws(CaptureProblem) -> (time: VirtualTime, digits: Int) {
        guard let text = value.string, let moment = RFC3339.parse(text) else {
            let found = value.string.map { "\"\($0.shortened.printable)\"" } ?? value.kindName
            throw problem(value, "expected a moment such as \"2026-03-01T09:00:00.000Z\", not \(found)")
        }
        let seconds = VirtualTime(seconds: moment.secondsSince1970)
        return (seconds + .nanoseconds(moment.nanoseconds), moment.fractionDigits)
    }

    mutating func entry(
        _ value: JSONValue,
        _ skipped: inout [String: Int]
    ) throws(CaptureProblem) -> (entry: Capture.Entry, digits: Int)? {
        let request = try member(value, "request")
        let address = try string(request, "url")
        guard let url = CapturedURL(address) else {
            let scheme = address.prefix { $0 != ":" }
            guard scheme.count < min(address.count, 20) else {
                throw problem(
                    try member(request, "url"),
                    "expected an absolute URL, not \"\(address.shortened.printable)\""
                )
            }
            skipped[String(scheme).printable, default: 0] += 1
            return nil
        }
        let (start, digits) = try start(of: value)
        let (response, isBlank) = try self.response(value["response"])
        var entry = Capture.Entry(
            start: start,
            duration: try duration(value["time"]),
            connection: value["connection"]?.string.flatMap { $0.isEmpty || $0 == "0" ? nil : $0 },
            page: value["pageref"]?.string,
            scheme: url.scheme,
            host: url.host,
            request: try self.request(request, url),
            response: response,
            position: value.position.isKnown ? value.position.text : nil
        )
        // Browsers and proxies differ in where they put it.
        let error = value["_error"] ?? value["response"]?["_error"] ?? value["_errorMessage"]
        entry.error = error?.string.flatMap { $0.isEmpty ? nil : $0 } ?? (isBlank ? "no response" : nil)
        entry.lacksRequestBody = lacksBody(request, request["postData"], entry.request.body, entry.request.fields)
        if let answer = value["response"], let response, Self.mayHaveBody(response.status, entry.request.method) {
            entry.lacksResponseBody = lacksBody(answer, answer["content"], response.body, response.fields)
        }
        return (entry, digits)
    }

    /// Returns whether a message had a body that the archive does not have: its text may be left out, and a size of -1
    /// is not known (HAR 1.2, `content`, `postData` and `bodySize`).
    private func lacksBody(_ message: JSONValue, _ content: JSONValue?, _ body: [UInt8], _ fields: HTTPFields) -> Bool {
        guard body.isEmpty, content?["text"]?.string?.isEmpty ?? true else { return false }
        let sizes = [content?["size"]?.int, message["bodySize"]?.int, fields["Content-Length"].flatMap { Int($0) }]
        if sizes.contains(where: { $0 ?? 0 > 0 }) { return true }
        // Nothing says how large it was, and something says what it was.
        let isUnknown = content?["size"]?.int == -1 && content?["text"] == nil
        return isUnknown && fields["Content-Length"] != "0" && !(content?["mimeType"]?.string ?? "").isEmpty
    }

    /// Returns whether a response may have a body (RFC 9110, section 6.4.1).
    private static func mayHaveBody(_ status: HTTPStatus, _ method: HTTPMethod) -> Bool {
        method != .head && status.code >= 200 && status != 204 && status != 304
    }

    private mutating func start(of value: JSONValue) throws(CaptureProblem) -> (time: VirtualTime, digits: Int) {
        guard needsMoments || value["startedDateTime"] != nil else {
            timeless += 1
            latest = latest + .milliseconds(1)
            return (latest, 3)
        }
        let found = try moment(try member(value, "startedDateTime"))
        latest = found.time
        return found
    }

    private func duration(_ value: JSONValue?) throws(CaptureProblem) -> Duration? {
        guard let value, !value.isNull else { return nil }
        guard let number = value.number else { throw problem(value, "\"time\" must be a number of milliseconds") }
        // -1 means that it was not measured; a day is more than any request takes.
        guard number.double >= 0, number.double <= 86_400_000 * 365 else { return nil }
        return .microseconds(Int64((number.double * 1_000).rounded()))
    }

    // MARK: Messages

    private func request(_ value: JSONValue, _ url: CapturedURL) throws(CaptureProblem) -> HTTPRequest {
        let method = try string(value, "method")
        guard HTTPFields.isName(method) else {
            throw problem(try member(value, "method"), "expected a method such as \"GET\", not \"\(method.printable)\"")
        }
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method),
            target: url.target,
            fields: try fields(value["headers"]),
            body: try requestBody(value["postData"])
        )
        if request.fields["Host"] == nil { request.fields.set("Host", url.host) }
        // Some leave the header fields out, and a form is known by its type alone.
        if request.fields["Content-Type"] == nil, let type = value["postData"]?["mimeType"]?.string,
            type.utf8.allSatisfy({ 0x20...0x7E ~= $0 }), !type.isEmpty
        {
            request.fields.set("Content-Type", type)
        }
        return request
    }

    private func requestBody(_ value: JSONValue?) throws(CaptureProblem) -> [UInt8] {
        guard let value, !value.isNull else { return [] }
        if let text = value["text"]?.string, !text.isEmpty {
            guard value["encoding"]?.string == "base64" else { return Array(text.utf8) }
            return try base64(value["text"] ?? value, text)
        }
        // Some write a form's parts and no text.
        let isMultipart = value["mimeType"]?.string?.hasPrefix("multipart/") ?? false
        let items = (value["params"]?.array ?? []).compactMap { item in
            item["name"]?.string.map { name in
                let value = item["value"]?.string ?? ""
                let file = isMultipart ? item["fileName"]?.string.map { "\($0) " } ?? "" : ""
                return QueryItems.Item(name: name, value: file + value)
            }
        }
        return Array(QueryItems(items).text.utf8)
    }

    /// - Returns: The response, or `nil` if the entry has none, and whether the archive records that no response came.
    private func response(_ value: JSONValue?) throws(CaptureProblem) -> (HTTPResponse?, isBlank: Bool) {
        guard let value, !value.isNull else { return (nil, true) }
        let member = try member(value, "status")
        // Some write the digits of a status as text.
        guard let code = member.int ?? member.string.flatMap({ Int($0) }) else {
            throw problem(member, "\"status\" must be a whole number, not \(member.kindName)")
        }
        guard code > 0 else { return (nil, true) }
        guard let status = HTTPStatus(exactly: code) else {
            throw problem(member, "expected a status from 100 to 999, not \(code)")
        }
        let content = value["content"]
        var body: [UInt8] = []
        if let content, let text = content["text"]?.string {
            body =
                content["encoding"]?.string == "base64"
                ? try base64(content["text"] ?? content, text) : Array(text.utf8)
        }
        var fields = try fields(value["headers"])
        // Some leave all header fields out.
        if fields.isEmpty, let type = content?["mimeType"]?.string, !type.isEmpty, type != "x-unknown",
            HTTPFields.isValue(type)
        {
            fields.set("Content-Type", type)
        }
        return (HTTPResponse(status: status, fields: fields, body: body), false)
    }

    private func base64(_ value: JSONValue, _ text: String) throws(CaptureProblem) -> [UInt8] {
        let plain = text.utf8.contains { $0 == 0x0A || $0 == 0x0D } ? text.filter { !$0.isNewline } : text
        guard let bytes = Base64.decode(plain) else {
            throw problem(value, "this body is declared as Base64, but is not valid Base64 (RFC 4648, section 4)")
        }
        return bytes
    }

    private func fields(_ value: JSONValue?) throws(CaptureProblem) -> HTTPFields {
        var fields = HTTPFields()
        guard let value, !value.isNull else { return fields }
        guard let list = value.array else {
            throw problem(value, "\"headers\" must be an array, not \(value.kindName)")
        }
        for field in list {
            let name = try string(field, "name")
            // HTTP/2 has pseudo-fields, which say what the URL and the status say (RFC 9113, section 8.3).
            guard !name.hasPrefix(":") else { continue }
            let text = try string(field, "value")
            guard HTTPFields.isName(name) else {
                throw problem(field, "\"\(name.shortened.printable)\" is not a header field name")
            }
            // Browsers join fields of one name by line feeds.
            let lines = text.split(whereSeparator: \.isNewline)
            for line in lines.isEmpty ? [""] : lines { fields.append(name, String(line)) }
        }
        return fields
    }
}
