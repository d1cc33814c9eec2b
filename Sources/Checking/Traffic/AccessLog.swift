import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The form of an access log's lines: text as it is in each line, and fields in braces.
///
/// `{time} {client} "{method} {target} {version}" {status} {duration} {token.access}`: a field takes everything up to the
/// text behind it. `{}` is ignored. What is `-` in a line is not there.
package struct AccessLogPattern: Sendable {
    enum Field: Sendable, Hashable {
        case time, method, target, status, client, host, connection, ignored
        /// The duration of the request, in seconds or milliseconds.
        case duration, milliseconds
        /// A token that the request carried, or that the response granted, by its kind.
        case token(String)
        case granted(String)
        case requestHeader(String)
        case responseHeader(String)

        init?(_ name: String) {
            let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
            switch (parts.first, parts.count > 1 ? parts[1] : nil) {
            case (nil, _): self = .ignored
            case ("time", nil): self = .time
            case ("method", nil): self = .method
            case ("target", nil): self = .target
            case ("status", nil): self = .status
            case ("client", nil): self = .client
            case ("host", nil): self = .host
            case ("connection", nil): self = .connection
            case ("duration", nil): self = .duration
            case ("duration", "ms"): self = .milliseconds
            case ("version", nil), ("bytes", nil), ("agent", nil), ("referer", nil), ("user", nil): self = .ignored
            case ("token", let kind?): self = .token(kind)
            case ("granted", let kind?): self = .granted(kind)
            case ("request", let field?): self = .requestHeader(field)
            case ("response", let field?): self = .responseHeader(field)
            default: return nil
            }
        }
    }

    /// The text before each field, and the field.
    let parts: [(text: [UInt8], field: Field)]
    let end: [UInt8]

    /// The forms that servers write by themselves, by the names that their documentation gives them.
    package static let named = [
        "common": #"{client} {} {user} [{time}] "{method} {target} {version}" {status} {bytes}"#,
        "combined":
            #"{client} {} {user} [{time}] "{method} {target} {version}" {status} {bytes} "{referer}" "{agent}""#,
    ]

    /// The reason why a text is not a pattern, as a sentence without a closing full stop.
    package struct Problem: Error {
        package var sentence: String
    }

    package init(_ text: String) throws(Problem) {
        var parts: [(text: [UInt8], field: Field)] = []
        var rest = Array((Self.named[text] ?? text).utf8)[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            guard let close = rest[open...].firstIndex(of: UInt8(ascii: "}")) else {
                throw Problem(sentence: "the pattern contains a \"{\" without a \"}\"")
            }
            let name = String(decoding: rest[(open + 1)..<close], as: UTF8.self)
            guard let field = Field(name) else {
                throw Problem(
                    sentence:
                        "the pattern contains an unknown field \"\(name.printable)\"; the fields are time, method, target, status, client, "
                        + "host, connection, duration, duration.ms, token.KIND, granted.KIND, request.FIELD, response.FIELD and {}"
                )
            }
            if !parts.isEmpty, open == rest.startIndex {
                throw Problem(
                    sentence:
                        "the pattern contains {\(name.printable)} directly after another field, so the end of the "
                        + "first field is unknown"
                )
            }
            parts.append((Array(rest[..<open]), field))
            rest = rest[(close + 1)...]
        }
        (self.parts, end) = (parts, Array(rest))
        for (field, name) in [(Field.time, "time"), (.method, "method"), (.target, "target"), (.status, "status")]
        where !parts.contains(where: { $0.field == field }) {
            throw Problem(sentence: "the pattern lacks {\(name)}, which is required")
        }
    }

    /// The fields of a line; `nil` for a line of another form.
    func fields(of line: ArraySlice<UInt8>) -> [(field: Field, value: String)]? {
        var rest = line
        var fields: [(Field, String)] = []
        for (index, part) in parts.enumerated() {
            guard rest.starts(with: part.text) else { return nil }
            rest = rest.dropFirst(part.text.count)
            let next = index + 1 < parts.count ? parts[index + 1].text : end
            let stop = next.isEmpty ? rest.endIndex : Self.find(next, in: rest)
            guard let stop, let value = String(validUTF8: rest[..<stop]) else { return nil }
            rest = rest[stop...]
            if value != "-" { fields.append((part.field, value)) }
        }
        return rest.elementsEqual(end) || end.isEmpty ? fields : nil
    }

    private static func find(_ text: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = text.first else { return bytes.startIndex }
        var rest = bytes
        while let index = rest.firstIndex(of: first) {
            if rest[index...].starts(with: text) { return index }
            rest = rest[index...].dropFirst()
        }
        return nil
    }
}

extension Capture {
    /// Reads an access log, a request a line; empty lines are ignored.
    ///
    /// - Throws: a ``CaptureProblem`` at the first line that is not of the pattern's form.
    package init(log bytes: [UInt8], pattern: AccessLogPattern, file: String) throws(CaptureProblem) {
        self.init(file: file)
        var digits = 0
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard !line.isEmpty else { continue }
            let position = JSONPosition(line: Int32(clamping: number), column: 1)
            guard let fields = pattern.fields(of: line) else {
                throw CaptureProblem("this line does not match the pattern", in: file, at: position)
            }
            var reader = LogLine(fields: fields)
            guard let entry = reader.entry() else {
                throw CaptureProblem(reader.problem, in: file, at: position)
            }
            digits = max(digits, reader.digits)
            entries.append(entry)
            entries[entries.count - 1].position = position.text
        }
        resolution = digits == 0 ? .seconds(1) : digits < 3 ? .milliseconds(100) : .milliseconds(1)
        sort()
    }
}

/// The fields of one line as a request with its response.
private struct LogLine {
    let fields: [(field: AccessLogPattern.Field, value: String)]
    var problem = ""
    /// The number of digits of the fraction of its moment.
    var digits = 0

    private func value(_ field: AccessLogPattern.Field) -> String? {
        fields.first { $0.field == field }?.value
    }

    mutating func entry() -> Capture.Entry? {
        guard let text = value(.time), let start = moment(text) else {
            problem =
                "the time must be a moment such as 2026-03-01T09:00:00Z, 01/Mar/2026:09:00:00 +0000 or 1772355600.125"
            return nil
        }
        guard let method = value(.method), HTTPFields.isName(method) else {
            problem = "the method must be an HTTP method such as GET"
            return nil
        }
        guard let target = value(.target), target.hasPrefix("/") || target == "*" else {
            problem = "the target must begin with \"/\""
            return nil
        }
        guard let status = value(.status).flatMap({ Int($0) }), status == 0 || HTTPStatus.codes.contains(status) else {
            problem = "the status must be a number from 100 to 999"
            return nil
        }
        var request = HTTPRequest(method: HTTPMethod(rawValue: method), target: target)
        // 499 is what nginx writes where the client has hung up.
        var response = status == 0 || status == 499 ? nil : HTTPResponse(status: HTTPStatus(status))
        var entry = Capture.Entry(
            start: start,
            duration: value(.duration).flatMap { Double($0) }.flatMap { Self.duration($0) }
                ?? value(.milliseconds).flatMap { Double($0) }.flatMap { Self.duration($0 / 1_000) },
            connection: value(.connection),
            client: value(.client),
            scheme: "http",
            host: value(.host)?.lowercased() ?? "server",
            request: request
        )
        for (field, value) in fields {
            switch field {
            case .token(let kind): entry.offered.append(.init(kind: kind, value: value))
            case .granted(let kind): entry.granted.append(.init(kind: kind, value: value))
            case .requestHeader(let name): request.fields.append(name, value)
            case .responseHeader(let name): response?.fields.append(name, value)
            default: break
            }
        }
        (entry.request, entry.response) = (request, response)
        if response == nil { entry.error = status == 499 ? "canceled" : "no response" }
        return entry
    }

    private static func duration(_ seconds: Double) -> Duration? {
        seconds >= 0 && seconds < 86_400 * 365 ? .microseconds(Int64(seconds * 1_000_000)) : nil
    }

    private mutating func moment(_ text: String) -> VirtualTime? {
        if let moment = RFC3339.parse(text.replacing(" ", with: "T")) ?? RFC3339.parse(text) {
            digits = moment.fractionDigits
            return VirtualTime(seconds: moment.secondsSince1970) + .nanoseconds(moment.nanoseconds)
        }
        let parts = text.split(separator: ".", maxSplits: 1)
        if let first = parts.first, let seconds = Int64(first), parts.count < 2 || parts[1].utf8.allSatisfy(\.isDigit) {
            digits = parts.count > 1 ? parts[1].count : 0
            let fraction = parts.count > 1 ? Int64((parts[1] + "000000").prefix(6)) ?? 0 : 0
            return VirtualTime(seconds: seconds) + .microseconds(fraction)
        }
        return apache(text)
    }

    /// `10/Oct/2000:13:55:36 -0700`, as Apache and nginx write it.
    private func apache(_ text: String) -> VirtualTime? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var scanner = DateScanner(text)
        guard let day = scanner.number(digits: 2), scanner.skip("/") else { return nil }
        let name = String(decoding: scanner.word(), as: UTF8.self)
        guard let month = months.firstIndex(of: name), scanner.skip("/"), let year = scanner.number(digits: 4),
            scanner.skip(":"), let time = scanner.time(), scanner.skip(" ")
        else { return nil }
        let isWest = scanner.skip("-")
        guard isWest || scanner.skip("+"), let hours = scanner.number(digits: 2),
            let minutes = scanner.number(digits: 2),
            let date = CalendarDate(
                year: year,
                month: month + 1,
                day: day,
                hour: time.hour,
                minute: time.minute,
                second: time.second
            )
        else { return nil }
        let offset = Int64(hours * 3_600 + minutes * 60)
        return VirtualTime(seconds: date.secondsSince1970 + (isWest ? offset : -offset))
    }
}
