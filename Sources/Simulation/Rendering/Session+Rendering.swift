import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat
import Signatures

extension Session {
    /// The value of a placeholder in an exchange; null where neither the source nor a fallback has one.
    mutating func value(of placeholder: Placeholder, in context: inout ExchangeContext) -> JSONValue {
        valueIfAny(of: placeholder, in: &context) ?? .null
    }

    /// The same, but `nil` where neither has one.
    mutating func valueIfAny(of placeholder: Placeholder, in context: inout ExchangeContext) -> JSONValue? {
        ownValue(of: placeholder, in: &context) ?? placeholder.fallback
    }

    /// The value of the first source that has one, converted to the requested type.
    private mutating func ownValue(of placeholder: Placeholder, in context: inout ExchangeContext) -> JSONValue? {
        if let value = value(of: placeholder.source, as: placeholder.conversion, in: &context) { return value }
        for alternative in placeholder.alternatives {
            if let value = value(of: alternative.source, as: alternative.conversion, in: &context) { return value }
        }
        return nil
    }

    private mutating func value(
        of source: Placeholder.Source,
        as conversion: Placeholder.Conversion?,
        in context: inout ExchangeContext
    ) -> JSONValue? {
        let value = sourceValue(source, in: &context)
        guard let conversion else { return value }
        return value.flatMap { conversion.value(of: $0) }
    }

    /// The first of a response's demands that a request cannot fill, so that no response is made half.
    mutating func unfillable(_ placeholders: [Placeholder], in context: inout ExchangeContext) -> Placeholder? {
        for placeholder in placeholders where ownValue(of: placeholder, in: &context) == nil { return placeholder }
        return nil
    }

    private mutating func sourceValue(_ source: Placeholder.Source, in context: inout ExchangeContext) -> JSONValue? {
        switch source {
        case .constant(let value): value
        case .method: .string(context.request.request.method.rawValue)
        case .base: .string(context.request.request.base)
        case .target: .string(context.request.request.target)
        case .path: .string(context.request.request.path)
        case .pathParameter(let name): context.request.parameter(name).map(JSONValue.string)
        case .query(let name): context.request.query(name).map(JSONValue.string)
        case .header(let name): context.request.request.fields[name].map(JSONValue.string)
        case .body(nil): context.request.wholeBody()
        case .body(let pointer?): context.request.json().flatMap { pointer.value(in: $0.root) }
        case .form(let name): context.request.form(name).map(JSONValue.string)
        case .parameter(let name): context.request.parameter(inFormOrQuery: name).map(JSONValue.string)
        case .cookie(let name): context.request.readCookies().first(named: name).map(JSONValue.string)
        case .basic(let part): context.request.basic(part).map(JSONValue.string)
        case .presented(let kind, let pointer):
            presentedToken(of: kind, in: context).flatMap { pointer.value(in: $0.facts) }
        case .part(let name, let aspect): partValue(name, aspect, in: &context)
        case .token(let kind, let aspect): tokenValue(kind, aspect, in: context)
        case .issued(let pointer): context.issued.flatMap { pointer.value(in: $0.facts) }
        case .keySet: keys.document(for: played.scenario.tokens, at: context.now)
        case .proof(let aspect): value(of: aspect, in: &context)
        case .clock(let format, let offset): clockValue(format, context.now + offset)
        case .counter(let name): .number(JSONNumber(countOn(name)))
        case .currentCounter(let name): .number(JSONNumber(counters[name] ?? 0))
        case .randomInteger(let range): .number(JSONNumber(context.chance.integer(in: range)))
        case .randomHex(let digits): .string(context.chance.hex(digits: digits))
        case .randomChoice(let values): values[context.chance.integer(in: 0...(values.count - 1))]
        case .uuid: .string(context.chance.uuid())
        case .deviceName: context.device.map(JSONValue.string)
        case .accountName: context.account.map(JSONValue.string)
        case .accountData(let pointer): accountData(of: context.account).flatMap { pointer.value(in: $0) }
        case .state(let name): .string(state(name, device: context.device, account: context.account) ?? "")
        case .sessionName: .string(self.name)
        case .exchangeNumber: .number(JSONNumber(Int(clamping: context.number)))
        case .found(let name, let pointer): foundValue(name, at: pointer, in: &context)
        case .foundAccountName(let name):
            context.foundNumber(of: name).flatMap { context.found[$0].items.accountName }.map(JSONValue.string)
        case .item(let pointer): context.item.flatMap { pointer.value(in: $0) }
        case .uploadedPart(let aspect): uploadValue(aspect, in: context)
        case .element(let pointer): context.element.flatMap { pointer.value(in: $0) }
        case .originURL(let name): .string(originURLs[name] ?? "")
        case .rate(let aspect): context.rate?.value(of: aspect)
        case .arithmetic(let computation): computed(computation, in: &context)
        }
    }

    private mutating func computed(_ computation: Arithmetic, in context: inout ExchangeContext) -> JSONValue? {
        computation.result { valueIfAny(of: $0, in: &context) }.map(JSONValue.number)
    }

    private func partValue(
        _ name: String,
        _ aspect: Placeholder.PartAspect,
        in context: inout ExchangeContext
    ) -> JSONValue? {
        guard let part = context.request.part(name) else { return nil }
        return switch aspect {
        case .text: .string(String(decoding: part.body, as: UTF8.self))
        case .filename: part.filename.map(JSONValue.string)
        case .contentType: part.contentType.map(JSONValue.string)
        case .size: .number(JSONNumber(part.body.count))
        }
    }

    private func tokenValue(
        _ kind: String,
        _ aspect: Placeholder.TokenAspect,
        in context: ExchangeContext
    ) -> JSONValue? {
        guard let token = context.granted(kind) else { return nil }
        return switch aspect {
        case .value: .string(token.value)
        case .id: .string(token.id)
        case .lifetime: .number(JSONNumber(Int((token.expires - token.issued).components.seconds)))
        case .issuedAt: .number(JSONNumber(Int(token.issued.seconds)))
        case .expiresAt: .number(JSONNumber(Int(token.expires.seconds)))
        }
    }

    private mutating func clockValue(_ format: Placeholder.ClockFormat, _ time: VirtualTime) -> JSONValue {
        switch format {
        case .timestamp: .string(heads.timestamp(of: time.seconds))
        case .seconds: .number(JSONNumber(Int(time.seconds)))
        case .milliseconds: .number(JSONNumber(Int(time.microseconds / 1_000)))
        case .http: .string(HTTPDate.text(secondsSince1970: time.seconds))
        case .pattern(let pattern, let zone): .string(pattern.text(of: time, zone: zone))
        }
    }

    private mutating func countOn(_ name: String) -> Int {
        let next = (counters[name] ?? 0).addingReportingOverflow(1).partialValue
        counters[name] = next
        return next
    }
}

extension Session {
    mutating func render(_ template: TextTemplate, in context: inout ExchangeContext) -> String {
        renderIfAny(template, in: &context) ?? ""
    }

    /// The same; `nil` where a placeholder without a value leaves it out.
    ///
    /// - Parameter isCookie: whether it sets a cookie, in which a value, such as one of the request, must not begin an
    ///   attribute (RFC 6265, section 4.1.1).
    private mutating func renderIfAny(
        _ template: TextTemplate,
        isCookie: Bool = false,
        in context: inout ExchangeContext
    ) -> String? {
        if let constant = template.constant { return constant }
        var text = ""
        for part in template.parts {
            switch part {
            case .literal(let literal): text += literal
            case .placeholder(let placeholder):
                let value = value(of: placeholder, in: &context)
                if value.isNull, placeholder.mayBeOmitted { return nil }
                let plain = value.plainText
                text += isCookie ? plain.withoutAttributes : plain
            }
        }
        return text
    }

    mutating func render(_ template: ValueTemplate, in context: inout ExchangeContext) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(template.usualSize)
        for part in template.parts {
            switch part {
            case .bytes(let fixed): bytes += fixed
            case .value(let placeholder):
                let value = value(of: placeholder, in: &context)
                if let text = value.string {
                    JSONWriter.append(quoted: text, to: &bytes)
                } else {
                    JSONWriter().append(value, to: &bytes)
                }
            case .fragment(let placeholder):
                // The template has the quotes.
                JSONWriter.append(unquoted: value(of: placeholder, in: &context).plainText, to: &bytes)
            }
        }
        return bytes
    }

    /// Makes the message of a response.
    ///
    /// The framing is the writer's; the date is the scenario's.
    mutating func render(
        _ compiled: CompiledResponse,
        allowed: [String]?,
        in context: inout ExchangeContext
    ) -> ResponseMessage {
        let response = compiled.response
        let second = dateSecond(at: context.now)
        if allowed == nil, let prepared = compiled.prepared { return .prepared(prepared, dated: second) }
        let (body, contentType) = compiled.constantBody ?? body(of: response, in: &context)
        var fields: HTTPFields
        if compiled.hasConstantHead {
            fields = heads.fields(of: compiled.number, in: second) { date in
                var fields: HTTPFields = ["Date": date]
                for header in response.headers { fields.append(header.name, header.value.constant ?? "") }
                return fields.naming(contentType)
            }
        } else {
            fields = ["Date": heads.date(of: second)]
            render(response.headers, to: &fields, in: &context)
            fields = fields.naming(contentType)
            if case .webSocket(let script) = response.body { accept(script, in: context, by: &fields) }
        }
        // A 405 names the methods that there are (RFC 9110, section 15.5.6).
        if let allowed, response.status == 405, !fields.contains("Allow") {
            fields.append("Allow", allowed.joined(separator: ", "))
        }
        return .made(HTTPResponse(status: HTTPStatus(exactly: response.status) ?? 500, fields: fields, body: body))
    }

    /// Appends header fields.
    ///
    /// A control character that a placeholder brings in becomes a space there.
    mutating func render(_ headers: [HeaderTemplate], to fields: inout HTTPFields, in context: inout ExchangeContext) {
        for header in headers {
            let isCookie = header.name.lowercased() == "set-cookie"
            if let value = renderIfAny(header.value, isCookie: isCookie, in: &context) {
                fields.append(header.name, value)
            }
        }
    }

    private mutating func body(of response: StubResponse, in context: inout ExchangeContext) -> ([UInt8], String?) {
        switch response.body {
        case .none, .forwarded: ([], nil)
        case .bytes(let bytes, let type): (bytes, type)
        case .json(_, let template): (render(template, in: &context), ResponseBody.jsonType)
        case .text(let template): (Array(render(template, in: &context).utf8), ResponseBody.textType)
        case .tree(let template): ((value(of: template, in: &context) ?? .null).utf8(.compact), ResponseBody.jsonType)
        case .content(let name): content(of: name, in: context).map { ($0.bytes, $0.type) } ?? ([], nil)
        case .events(let events): stream(of: events, in: &context)
        case .webSocket(let script): stream(of: script, in: &context)
        }
    }

    private mutating func stream(
        of script: WebSocketScript,
        in context: inout ExchangeContext
    ) -> ([UInt8], String?) {
        context.stream = render(script, in: &context)
        return ([], nil)
    }

    private mutating func stream(of events: EventStream, in context: inout ExchangeContext) -> ([UInt8], String?) {
        let stream = render(events, in: &context)
        context.stream = stream
        return (stream.body, events.contentType)
    }

    /// Makes the message of the tool's own response, with the scenario's date.
    mutating func render(_ problem: Problem, at time: VirtualTime) -> HTTPResponse {
        dated(problem.response, at: time)
    }

    /// A message with the scenario's date.
    mutating func dated(_ response: HTTPResponse, at time: VirtualTime) -> HTTPResponse {
        var response = response
        response.fields.append("Date", heads.date(of: dateSecond(at: time)))
        return response
    }

    /// The second of the `Date` field of a response that leaves at a time.
    private func dateSecond(at time: VirtualTime) -> Int64 {
        clock.skew == .zero ? time.seconds : (time + clock.skew).seconds
    }
}

extension HTTPFields {
    /// The same with a content type, unless they name one.
    func naming(_ contentType: String?) -> HTTPFields {
        guard let contentType, !contains("Content-Type") else { return self }
        var fields = self
        fields.append("Content-Type", contentType)
        return fields
    }
}

extension Session {
    /// Makes a value; `nil` for one that is left out.
    mutating func value(of template: TreeTemplate, in context: inout ExchangeContext) -> JSONValue? {
        switch template {
        case .constant(let value): return value
        case .value(let placeholder, _):
            return valueIfAny(of: placeholder, in: &context) ?? (placeholder.mayBeOmitted ? nil : .null)
        case .text(let text, _): return .string(render(text, in: &context))
        case .array(let templates, _): return array(of: templates, in: &context)
        case .object(let members, _): return object(of: members, in: &context)
        }
    }

    /// The same, but for a lone placeholder without a value it is `nil` instead of null.
    mutating func valueIfAny(of template: TreeTemplate, in context: inout ExchangeContext) -> JSONValue? {
        if case .value(let placeholder, _) = template { return valueIfAny(of: placeholder, in: &context) }
        return value(of: template, in: &context)
    }

    // On their own, so that what they need does not lie on the stack at every depth.

    private mutating func array(of templates: [TreeTemplate], in context: inout ExchangeContext) -> JSONValue {
        var values: [JSONValue] = []
        values.reserveCapacity(templates.count)
        for template in templates {
            if let value = value(of: template, in: &context) { values.append(value) }
        }
        return .array(values)
    }

    private mutating func object(of members: [TreeTemplate.Member], in context: inout ExchangeContext) -> JSONValue {
        var object = JSONObject()
        for member in members {
            if let value = value(of: member.value, in: &context) { object[member.name] = value }
        }
        return .object(object)
    }
}

/// The header fields of responses that differ only in their date, kept for the second in which they were made.
struct HeadCache: Sendable {
    private var second: Int64?
    private var date = ""
    /// The timestamp that was written last.
    private var timestamp = (second: Int64.min, text: "")
    private var fields: [Int: HTTPFields] = [:]

    /// The text of the `Date` field in a second.
    mutating func date(of second: Int64) -> String {
        if self.second != second {
            self.second = second
            date = HTTPDate.text(secondsSince1970: second)
            fields.removeAll(keepingCapacity: true)
        }
        return date
    }

    /// The text of a moment as placeholders write it.
    mutating func timestamp(of second: Int64) -> String {
        if timestamp.second != second { timestamp = (second, VirtualTime(seconds: second).description) }
        return timestamp.text
    }

    /// The fields of a response in a second, made if they were not made before.
    mutating func fields(of response: Int, in second: Int64, orMake make: (_ date: String) -> HTTPFields) -> HTTPFields
    {
        let date = date(of: second)
        if let known = fields[response] { return known }
        let made = make(date)
        fields[response] = made
        return made
    }

    mutating func removeAll() {
        self = HeadCache()
    }
}

extension Placeholder.Conversion {
    /// The value turned into the kind; `nil` for one that cannot be.
    package func value(of value: JSONValue) -> JSONValue? {
        switch (self, value.content) {
        case (.number, .number), (.text, .string), (.boolean, .bool): value
        case (.s256, .string(let text)): .string(Base64.encodeURL(SHA256.hash(Array(text.utf8))))
        case (.encoded, .string(let text)): .string(PercentEncoding.encode(text))
        case (.encoded, .number(let number)): .string(PercentEncoding.encode(number.text))
        case (.number, .string): value.asNumber.map(JSONValue.number)
        case (.text, .number(let number)): .string(number.text)
        case (.text, .bool(let flag)): .string(flag ? "true" : "false")
        case (.boolean, .string(let text)) where text.exact == "true": true
        case (.boolean, .string(let text)) where text.exact == "false": false
        case (.words(let prefix), .string(let text)): .array(Self.words(after: prefix, in: text))
        case (.spacedWords, .string): value.words
        case (.decoded, .string(let text)): PercentEncoding.decode(text, plusIsSpace: true).map(JSONValue.string)
        case (.prefix, .string(let uri)): .string(uri + (uri.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"))
        case (.pair(let name), .string(let text)): .string("&\(name)=\(PercentEncoding.encode(text))")
        case (.loopback, .string(let uri)): LoopbackURI.withoutPort(uri).map(JSONValue.string)
        case (.alphanumeric, .string(let text)): .string(text.lowercaseLettersAndDigits)
        default: nil
        }
    }

    /// The words after each prefix, up to white space or the next prefix; a prefix without a word is ignored.
    private static func words(after prefix: String, in text: String) -> [JSONValue] {
        let (scalars, mark) = (Array(text.unicodeScalars), Array(prefix.unicodeScalars))
        guard !mark.isEmpty else { return [] }
        var words: [JSONValue] = []
        var word: String.UnicodeScalarView?
        var position = 0
        func finish() {
            if let word, !word.isEmpty { words.append(.string(String(word))) }
        }
        while position < scalars.count {
            if scalars[position...].starts(with: mark) {
                finish()
                word = String.UnicodeScalarView()
                position += mark.count
                continue
            }
            if scalars[position].properties.isWhitespace {
                finish()
                word = nil
            } else {
                word?.append(scalars[position])
            }
            position += 1
        }
        finish()
        return words
    }
}

extension String {
    /// The ASCII letters and digits, in lower case.
    fileprivate var lowercaseLettersAndDigits: String {
        String(lowercased().unicodeScalars.filter { "a"..."z" ~= $0 || "0"..."9" ~= $0 })
    }

    /// The text as a part of a cookie's value: a semicolon would begin an attribute.
    fileprivate var withoutAttributes: String {
        utf8.contains(UInt8(ascii: ";"))
            ? split(separator: ";", omittingEmptySubsequences: false).joined(separator: "%3B") : self
    }
}
