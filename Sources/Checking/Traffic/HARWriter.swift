import Basics
import HTTPCodec
package import JSON
package import Rules
import ScenarioFormat
import Simulation

extension Recording {
    /// The recording as an HTTP Archive 1.2 (the format of browsers and proxies), without its secrets.
    ///
    /// Tokens have stand-ins, equal where the tokens are. A moment is the session's, so that a capture shows the two
    /// weeks that a story lets pass; between two requests goes by at least as much time as really did. Each launch of
    /// the client is a page. A response that did not reach the client whole has `_error`, as browsers write it.
    ///
    /// - Parameter version: that of the program, which the archive names as its creator.
    package func har(version: String) -> JSONValue {
        var writer = HARWriter(self)
        return writer.document(version: version)
    }
}

extension CapturedSession {
    /// The capture as an HTTP Archive 1.2, without what a redaction replaces; tokens have stand-ins.
    ///
    /// The entries after the first 64 MB of bodies are counted as lost.
    ///
    /// - Parameter earlier: An archive whose entries come first.
    func har(version: String, after earlier: JSONValue?, without redaction: Redaction) -> JSONValue {
        var writer = HARWriter(recording(title: ""))
        (writer.capture, writer.redaction, writer.earlier) = (capture, redaction, earlier?["log"])
        writer.redaction?.keepsStandIns = true
        return writer.document(version: version)
    }
}

private struct HARWriter {
    /// The capture from which the recording comes.
    var capture: Capture?
    var redaction: Redaction?
    /// The log of an archive whose entries come first.
    var earlier: JSONValue?

    /// The most bytes of bodies in an archive of a capture.
    private static let mostBytes = 64 << 20

    private let recording: Recording
    private var concealment: Concealment
    /// The last exchange's moment in the archive and in the session.
    private var latest: (moment: VirtualTime, time: VirtualTime, arrival: MonotonicTime)?

    /// The number of launches in the earlier archive.
    private var firstLaunch = 0

    init(_ recording: Recording) {
        self.recording = recording
        let evidence = recording.evidence
        concealment = Concealment(ledger: evidence.ledger, carriers: evidence.roles.carriers)
    }

    mutating func document(version: String) -> JSONValue {
        let evidence = recording.evidence
        var entries = earlier?["entries"]?.array ?? []
        var pages = earlier?["pages"]?.array ?? []
        firstLaunch = pages.count
        var launches: Set<Int> = []
        var last: VirtualTime?
        var (lost, size) = (evidence.lost + (earlier?["_lostEntries"]?.int ?? 0), 0)
        for (index, exchange) in evidence.exchanges.enumerated() {
            size += exchange.request.body.count + exchange.message.body.count
            if capture != nil, size > Self.mostBytes {
                lost += evidence.exchanges.count - index
                break
            }
            let moment = moment(of: exchange)
            if launches.insert(exchange.launch).inserted { pages.append(page(exchange.launch, moment)) }
            entries.append(entry(exchange, at: moment))
            last = max(last ?? moment, moment + duration(of: exchange))
        }
        var log: JSONObject = [
            "version": "1.2",
            "creator": ["name": "backlot", "version": .string(version)],
            "pages": .array(pages),
            "entries": .array(entries),
        ]
        if capture == nil, let heading = recording.heading {
            log["comment"] = .string("\(heading.id): \(heading.title)")
        }
        // What came after the last request belongs to what a reader has to know: that the client sent nothing more.
        if let last, let taken = latest.map({ $0.moment + $0.arrival.duration(to: evidence.moment) }) {
            log["_capturedUntil"] = .string(max(last, taken).archived)
        }
        if !evidence.isProvisional { log["_isComplete"] = true }
        if lost > 0 { log["_lostEntries"] = .number(JSONNumber(lost)) }
        return ["log": .object(log)]
    }

    /// The time at which an exchange began: as much later than the one before as either clock says.
    private mutating func moment(of exchange: Exchange) -> VirtualTime {
        let begin = exchange.arrival
        guard let latest else {
            self.latest = (exchange.time, exchange.time, begin)
            return exchange.time
        }
        let passed = max(exchange.time - latest.time, latest.arrival.duration(to: begin))
        let moment = latest.moment + passed
        self.latest = (moment, exchange.time, begin)
        return moment
    }

    private func duration(of exchange: Exchange) -> Duration {
        guard let end = exchange.end else { return .zero }
        return max(end.since(exchange.arrival), exchange.wait)
    }

    private func page(_ launch: Int, _ moment: VirtualTime) -> JSONValue {
        [
            "startedDateTime": .string(moment.archived),
            "id": .string("launch-\(firstLaunch + launch)"),
            "title": .string("launch \(firstLaunch + launch)"),
            "pageTimings": [:],
        ]
    }

    private mutating func entry(_ exchange: Exchange, at moment: VirtualTime) -> JSONValue {
        let duration = JSONValue.number(.milliseconds(duration(of: exchange)))
        var entry: JSONObject = [
            "pageref": .string("launch-\(firstLaunch + exchange.launch)"),
            "startedDateTime": .string(moment.archived),
            "time": duration,
            "request": request(exchange),
            "response": response(exchange),
            "cache": [:],
            "timings": ["send": 0, "wait": duration, "receive": 0],
        ]
        if exchange.connection != 0 { entry["connection"] = .string("\(exchange.connection)") }
        if let error = exchange.error { entry["_error"] = .string(error) }
        if let breaks = exchange.breaks { entry["comment"] = .string(breaks) }
        return .object(entry)
    }

    // MARK: Messages

    /// The entry of the capture that an exchange comes from.
    private func captured(_ exchange: Exchange) -> Capture.Entry? { capture?.entries[Int(exchange.number) - 1] }

    private mutating func shown(_ target: String) -> String {
        let target = concealment.target(target)
        guard redaction != nil else { return target }
        let (path, others) = Secrets.parts(ofTarget: target)
        return others.reduce(redaction?.plain(String(path)) ?? "") { $0 + (redaction?.line(String($1)) ?? "") }
    }

    private mutating func shown(_ fields: HTTPFields) -> HTTPFields {
        let fields = concealment.fields(fields)
        guard redaction != nil else { return fields }
        var shown = HTTPFields()
        for (name, value) in fields { shown.append(name, redaction?.line(value) ?? "") }
        return shown
    }

    /// A body as it may be shown; `nil` if it may not.
    private mutating func shown(_ body: [UInt8], type: String?) -> [UInt8]? {
        let concealed = concealment.body(body, type: type)
        guard redaction != nil, !body.isEmpty else { return concealed }
        guard let text = String(validUTF8: concealed), !Concealment.isMedia(type) else {
            return Concealment.isBinary(body, type: type) && redaction?.hasSecret(in: body) == false ? body : nil
        }
        if CapturedStrings.isForm(type: type) {
            return redaction.map { _ in Array((redaction?.line(text) ?? "").utf8) }
        }
        guard let root = CapturedStrings.json(in: concealed) else {
            return (redaction?.document(String(decoding: body, as: UTF8.self))).map { Array($0.utf8) }
        }
        let shown = redaction?.value(root)
        let hasNamesOnce = (try? JSONParser().parse(concealed)) != nil
        return shown == root && hasNamesOnce ? concealed : shown?.utf8(.compact)
    }

    private mutating func request(_ exchange: Exchange) -> JSONValue {
        let request = exchange.request
        let target = shown(
            request.targetAuthority == nil
                ? request.target : request.query.map { "\(request.path)?\($0)" } ?? request.path
        )
        let fields = shown(request.fields)
        let captured = captured(exchange)
        // Other servers of a story have no names on the wire; RFC 2606, section 2.
        let authority =
            captured?.host ?? exchange.origin.map { "\(PercentEncoding.encode($0)).invalid" } ?? request.authority
            ?? "localhost"
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        let query = mark.map { QueryItems(parsing: String(target[target.utf8.index(after: $0)...])).items } ?? []
        var object: JSONObject = [
            "method": .string(request.method.rawValue),
            "url": .string(
                "\(captured?.scheme ?? (request.isSecure ? "https" : "http"))://\(authority)\(target.hasPrefix("/") ? target : "/")"
            ),
            "httpVersion": .string(request.version.description),
            "cookies": Self.cookies(fields.values(of: "Cookie")),
            "headers": Self.list(fields),
            "queryString": .array(query.map { Self.pair($0.name, $0.value) }),
            "headersSize": -1,
            "bodySize": .number(JSONNumber(request.body.count)),
        ]
        let type = request.fields["Content-Type"]
        guard !request.body.isEmpty else {
            if captured?.lacksRequestBody ?? false {
                object["postData"] = [
                    "mimeType": .string(type ?? "application/octet-stream"), "size": -1,
                    "comment": "omitted, because the body was not recorded",
                ]
            }
            return .object(object)
        }
        var data: JSONObject = ["mimeType": .string(type ?? "application/octet-stream")]
        if let parts = try? MultipartForm(parsing: request.body, contentType: type ?? "").parts {
            // A part is described by its name, its file's name and its size; what an upload holds is private.
            data["params"] = .array(parts.map(Self.parameter))
        } else if !Concealment.isMedia(type),
            let text = shown(request.body, type: type).flatMap({ String(validUTF8: $0) })
        {
            data["text"] = .string(text)
        } else {
            // The format has no encoding for what is sent.
            data["text"] = ""
            data["comment"] = .string(
                "omitted, because the body is not text\(capture == nil ? "" : ", or may contain secrets")"
            )
        }
        object["postData"] = .object(data)
        return .object(object)
    }

    private mutating func response(_ exchange: Exchange) -> JSONValue {
        // What the server has neither sent nor done is not there at all.
        guard exchange.error == nil || exchange.isCommitted else { return Self.noResponse }
        let response = exchange.response
        var fields = shown(response.fields)
        let shown = shown(response.body, type: response.fields["Content-Type"])
        let body = shown ?? []
        let size = Self.size(of: exchange)
        // The server writes the field when it sends the response.
        if let size, fields["Content-Length"] == nil, Self.hasLength(exchange) {
            fields.append("Content-Length", "\(size)")
        }
        // The size is that of the text next to it, in which tokens have stand-ins.
        var content: JSONObject = [
            "size": .number(JSONNumber(body.count)),
            "mimeType": .string(response.fields["Content-Type"] ?? "x-unknown"),
        ]
        if captured(exchange)?.lacksResponseBody ?? false || shown == nil {
            content["size"] = -1
            content["comment"] =
                "omitted, because the body \(shown == nil ? "may contain secrets" : "was not recorded")"
        } else if !exchange.messages.isEmpty {
            // Read back, -1 is a body that is not known.
            content["size"] = -1
            content["comment"] = "omitted, because the journal keeps only the beginning of each message of a stream"
        } else if !Concealment.isMedia(response.fields["Content-Type"]), let text = String(validUTF8: body) {
            if !body.isEmpty { content["text"] = .string(text) }
        } else {
            content["text"] = .string(Base64.encode(body))
            content["encoding"] = "base64"
        }
        return [
            "status": .number(JSONNumber(response.status.code)),
            "statusText": .string(response.status.reasonPhrase),
            "httpVersion": "HTTP/1.1",
            "cookies": .array(fields.values(of: "Set-Cookie").compactMap(Self.cookie)),
            "headers": Self.list(fields),
            "content": .object(content),
            "redirectURL": .string(fields["Location"] ?? ""),
            "headersSize": -1,
            "bodySize": .number(JSONNumber(size ?? -1)),
        ]
    }

    /// The number of bytes of the body that were sent; `nil` where that is not known, since the body was compressed or the response
    /// did not arrive whole.
    private static func size(of exchange: Exchange) -> Int? {
        let response = exchange.response
        guard response.fields["Content-Encoding"] == nil, exchange.error == nil, exchange.messages.isEmpty else {
            return nil
        }
        return exchange.request.method == .head ? 0 : response.body.count
    }

    /// Returns whether a response is framed by its length (RFC 9112, section 6.2): no stream, and a status with a body.
    private static func hasLength(_ exchange: Exchange) -> Bool {
        let code = exchange.status.code
        return code >= 200 && code != 204 && code != 304 && exchange.request.method != .head
            && exchange.messages.isEmpty
            && exchange.response.fields["Transfer-Encoding"] == nil
            && exchange.response.fields["Content-Type"]?.hasPrefix("text/event-stream") != true
    }

    /// A cookie with its attributes (HAR 1.2, `cookies`).
    private static func cookie(_ field: String) -> JSONValue? {
        let parts = field.split(separator: ";").map { CapturedStrings.pair($0) }
        guard let first = parts.first else { return nil }
        var cookie: JSONObject = ["name": .string(first.name), "value": .string(first.value)]
        for part in parts.dropFirst() {
            switch part.name.lowercased() {
            case "path": cookie["path"] = .string(part.value)
            case "domain": cookie["domain"] = .string(part.value)
            case "expires":
                if let seconds = HTTPDate.parse(part.value) {
                    cookie["expires"] = .string(
                        RFC3339.format(secondsSince1970: seconds, nanoseconds: 0, fractionDigits: 0)
                    )
                }
            case "httponly": cookie["httpOnly"] = true
            case "secure": cookie["secure"] = true
            case "samesite": cookie["sameSite"] = .string(part.value)
            default: break
            }
        }
        return .object(cookie)
    }

    /// The object that browsers write where no response came.
    private static let noResponse: JSONValue = [
        "status": 0,
        "statusText": "",
        "httpVersion": "",
        "cookies": [],
        "headers": [],
        "content": ["size": 0, "mimeType": "x-unknown"],
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": -1,
    ]

    private static func parameter(_ part: MultipartForm.Part) -> JSONValue {
        var object: JSONObject = ["name": .string(part.name)]
        if let file = part.filename { object["fileName"] = .string(file) }
        if let type = part.contentType { object["contentType"] = .string(type) }
        object["value"] = .string("\(part.body.count) bytes")
        return .object(object)
    }

    private static func list(_ fields: HTTPFields) -> JSONValue {
        .array(fields.map { pair($0.name, $0.value) })
    }

    private static func pair(_ name: String, _ value: String) -> JSONValue {
        ["name": .string(name), "value": .string(value)]
    }

    private static func cookies(_ fields: [String]) -> JSONValue {
        .array(fields.flatMap { CapturedStrings.pairs($0, between: ";") }.map { pair($0.0, $0.1) })
    }
}

extension Exchange {
    /// The reason why the response did not reach the client whole; `nil` where it did, or where nothing else is known.
    fileprivate var error: String? {
        if let fault = self.fault {
            return switch fault {
            case .reset: "connection reset"
            case .empty: "connection closed without a response"
            case .truncated: "connection closed before the end of the body"
            case .malformedChunk: "invalid chunk"
            case .garbage: "invalid response"
            case .never: "timed out"
            case .lost: "response lost"
            }
        }
        return switch outcome {
        case .clientGone: "canceled"
        case .faulted: "connection closed"
        case .open: "no response yet"
        case .sent: nil
        }
    }
}

extension VirtualTime {
    /// As archives write a moment (ISO 8601), to the microsecond.
    fileprivate var archived: String {
        let remainder = Int(microseconds - seconds * 1_000_000)
        return RFC3339.format(secondsSince1970: seconds, nanoseconds: remainder * 1_000, fractionDigits: 6)
    }
}
