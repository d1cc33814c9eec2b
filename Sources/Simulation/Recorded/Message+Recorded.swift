import Basics
import HTTPCodec
import JSON

extension HTTPRequest {
    /// Reads the request of an exchange as the journal tells it.
    init(_ exchange: RecordedValue) throws(RecordingProblem) {
        let message = try exchange.member("request")
        let method = try exchange.member("method")
        let name = try method.string()
        guard HTTPFields.isName(name) else { throw method.problem("wants a method such as \"GET\", not \"\(name)\"") }
        self.init(
            method: HTTPMethod(rawValue: name),
            target: try exchange.member("target").string(),
            version: try message.optional("version")?.string() == "HTTP/1.0" ? .http10 : .http11,
            fields: try HTTPFields(message, "headers"),
            body: try message.body()
        )
        trailers = try HTTPFields(message, "trailers")
    }
}

extension HTTPResponse {
    /// Reads the response of an exchange as the journal tells it.
    init(_ exchange: RecordedValue) throws(RecordingProblem) {
        let message = try exchange.member("response")
        let code = try exchange.member("status")
        guard let status = HTTPStatus(exactly: try code.int()) else {
            throw code.problem("wants a status from 100 to 999, not \(code.value.text())")
        }
        self.init(status: status, fields: try HTTPFields(message, "headers"), body: try message.body())
    }
}

extension HTTPFields {
    fileprivate init(_ message: RecordedValue, _ name: String) throws(RecordingProblem) {
        self.init()
        for field in try message.list(name) {
            let pair = try field.elements()
            guard pair.count == 2 else { throw field.problem("wants a name and a value") }
            let name = try pair[0].string()
            guard append(name, try pair[1].string()) else {
                throw pair[0].problem("wants the name of a field")
            }
        }
    }
}

extension RecordedValue {
    fileprivate func body() throws(RecordingProblem) -> [UInt8] {
        guard let body = optional("body") else { return [] }
        if let json = body.value["json"] { return json.utf8(.compact) }
        if let text = body.optional("text") { return Array(try text.string().utf8) }
        let base64 = try body.member("base64")
        guard let bytes = Base64.decode(try base64.string()) else {
            throw base64.problem("wants bytes in Base64 (RFC 4648, section 4)")
        }
        return bytes
    }
}
