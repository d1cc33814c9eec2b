import HTTPCodec
import Testing

struct MultipartFormTests {
    private let type = "multipart/form-data; boundary=\"x y\""

    @Test func `Parts keep order, names, types and bytes`() throws {
        let binary = (0...255).map { UInt8($0) } + wire("\r\n--x \r\n--x\r\n-")
        let body =
            wire(
                "preamble\r\n--x y\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\\b \\\"c\\\".png\"\r\n"
            )
            + wire("Content-Type: image/png\r\n\r\n") + binary
            + wire("\r\n--x y  \r\ncontent-disposition: form-data; name=file\r\n\r\n")
            + wire("\r\n--x y\r\nContent-Disposition: form-data; name=\"e\"\r\n\r\n--x y--\r\nepilogue")
        let form = try MultipartForm(parsing: body, contentType: type)
        #expect(form.parts.map(\.name) == ["file", "file", "e"])
        #expect(form.parts.map(\.filename) == ["a\\b \"c\".png", nil, nil])
        #expect(form.parts.map(\.contentType) == ["image/png", nil, nil])
        #expect(form.parts.map { Array($0.body) } == [binary, [], []])
        #expect(form.all(named: "file").count == 2)
        #expect(form.first(named: "e") != nil && form.first(named: "E") == nil)
    }

    @Test func `A boundary at the very start needs no line end, and a form may be empty`() throws {
        #expect(try MultipartForm(parsing: wire("--b--"), boundary: "b").parts.isEmpty)
        let body = wire("--b\r\nContent-Disposition: form-data; name=a; filename*=UTF-8''%C3%A9\r\n\r\nx\r\n--b--")
        #expect(try MultipartForm(parsing: body, boundary: "b").parts.map(\.filename) == ["é"])
    }

    private static let head = "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n"

    @Test(
        arguments: [
            ("", .noOpeningBoundary("b")), ("abc", .noOpeningBoundary("b")), ("--b", .noClosingBoundary("b")),
            ("--bc\r\n", .textAfterBoundary(part: 1)), ("--b\r\n", .noClosingBoundary("b")),
            (head + "x", .noClosingBoundary("b")),
            (head + "x\r\n--b", .noClosingBoundary("b")), (head + "x\r\n--b!", .textAfterBoundary(part: 2)),
            ("--b\r\n\r\nx\r\n--b--", .missingDisposition(part: 1)),
            ("--b\r\nContent-Disposition: attachment; name=a\r\n\r\n\r\n--b--", .malformedDisposition(part: 1)),
            ("--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\n\r\n--b--", .malformedDisposition(part: 1)),
            ("--b\r\nContent-Disposition: form-data\r\n\r\n\r\n--b--", .missingName(part: 1)),
            ("--b\r\nNo colon\r\n\r\n\r\n--b--", .malformedPartHead(part: 1, .missingColon)),
            (head + "\r\n" + head + "\r\n" + head + "\r\n" + head + "\r\n--b--", .tooManyParts(limit: 3)),
        ] as [(String, MultipartError)]
    )
    func `What is no form says why`(body: String, error: MultipartError) {
        let thrown = #expect(throws: MultipartError.self) {
            try MultipartForm(parsing: wire(body), boundary: "b", maximumParts: 3)
        }
        #expect(thrown == error)
        #expect(!error.sentence.isEmpty)
    }

    @Test(
        arguments: [
            ("application/json", .notMultipart(found: "application/json")), ("", .notMultipart(found: "")),
            ("multipart/form-data", .missingBoundary), ("multipart/form-data; boundary=\"\"", .malformedBoundary("")),
            ("multipart/form-data; boundary=\"a \"", .malformedBoundary("a ")),
            ("multipart/form-data; boundary=\"a\u{7}\"", .malformedBoundary("a\u{7}")),
        ] as [(String, MultipartError)]
    )
    func `The content type must name a boundary`(contentType: String, error: MultipartError) {
        #expect(throws: error) { try MultipartForm(parsing: [], contentType: contentType) }
        #expect(!error.sentence.isEmpty)
    }
}
