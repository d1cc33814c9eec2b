import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures

extension Session {
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
            fields = backend.heads.fields(of: compiled.number, in: second) { date in
                var fields: HTTPFields = ["Date": date]
                for header in response.headers { fields.append(header.name, header.value.constant ?? "") }
                return fields.naming(contentType)
            }
        } else {
            fields = ["Date": backend.heads.date(of: second)]
            backend.render(response.headers, to: &fields, in: &context)
            fields = fields.naming(contentType)
            if case .webSocket(let script) = response.body { script.accept(context.request.request, by: &fields) }
        }
        // A 405 names the methods that there are (RFC 9110, section 15.5.6).
        if let allowed, response.status == 405, !fields.contains("Allow") {
            fields.append("Allow", allowed.joined(separator: ", "))
        }
        return .made(HTTPResponse(status: HTTPStatus(exactly: response.status) ?? 500, fields: fields, body: body))
    }

    private mutating func body(of response: StubResponse, in context: inout ExchangeContext) -> ([UInt8], String?) {
        switch response.body {
        case .none, .forwarded: ([], nil)
        case .bytes(let bytes, let type): (bytes, type)
        case .json(_, let template): (backend.render(template, in: &context), ResponseBody.jsonType)
        case .text(let template): (Array(backend.render(template, in: &context).utf8), ResponseBody.textType)
        case .tree(let template):
            ((backend.value(of: template, in: &context) ?? .null).utf8(.compact), ResponseBody.jsonType)
        case .content(let name): backend.content(of: name, in: context).map { ($0.bytes, $0.type) } ?? ([], nil)
        case .events(let events): stream(of: events, in: &context)
        case .webSocket(let script): stream(of: script, in: &context)
        }
    }

    private mutating func stream(
        of script: WebSocketScript,
        in context: inout ExchangeContext
    ) -> ([UInt8], String?) {
        context.stream = RenderedStream(script) { backend.valueIfAny(of: $0, in: &context) }
        return ([], nil)
    }

    private mutating func stream(of events: EventStream, in context: inout ExchangeContext) -> ([UInt8], String?) {
        var stream = RenderedStream(events) { backend.valueIfAny(of: $0, in: &context) }
        streams.resume(&stream, in: context)
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
        response.fields.append("Date", backend.heads.date(of: dateSecond(at: time)))
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
