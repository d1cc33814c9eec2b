import JSON
import Testing

@testable import OpenAPI

@Suite struct `The content for a media type` {
    private func choice(_ contentType: String, among keys: [String]) -> String? {
        let contents = keys.map {
            MediaTypeContent(mediaType: $0, schema: nil, examples: [], encoding: [], position: .unknown)
        }
        return MediaTypeChoice.content(for: contentType, among: contents)?.mediaType
    }

    @Test(
        arguments: [
            ("application/json", ["*/*", "application/*", "application/json"], "application/json"),
            ("application/json; charset=utf-8", ["*/*", "application/json"], "application/json"),
            ("Application/JSON", ["application/json"], "application/json"),
            ("application/xml", ["*/*", "application/*", "application/json"], "application/*"),
            ("text/plain", ["application/*", "*/*"], "*/*"),
            ("text/plain", ["application/*"], nil),
            ("text/plain; charset=UTF-8", ["text/plain", "text/plain; charset=utf-8"], "text/plain; charset=utf-8"),
            ("text/plain; charset=latin1", ["text/plain; charset=utf-8", "text/*"], "text/*"),
            ("application/problem+json", ["application/json"], nil),
            ("nonsense", ["*/*"], nil),
            ("nonsense", ["nonsense"], "nonsense"),
        ] as [(String, [String], String?)]
    )
    func `is that of the most specific key`(contentType: String, keys: [String], chosen: String?) {
        #expect(choice(contentType, among: keys) == chosen)
        #expect(choice(contentType, among: keys.reversed()) == chosen)
    }
}
