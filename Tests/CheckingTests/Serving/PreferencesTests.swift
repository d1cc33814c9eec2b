import HTTPCodec
import Testing

@testable import Checking

/// How `Prefer` and `Accept` are read.
@Suite
struct PreferencesTests {
    @Test(arguments: [
        ("", ""), ("code=404", "code=404"), ("CODE = 404", "code=404"), ("code=\"404\"", "code=404"),
        ("example=dog; x=1, code=200", "code=200, example=dog"), ("example=\"a, b\"", "example=\"a, b\""),
        ("example=\"a\\\"b\"", "example=\"a\\\"b\""), ("code=1, code=2", "code=1"), ("dynamic", "dynamic=true"),
        ("dynamic=false", ""), ("seed=x", ""), ("seed=18446744073709551615", "seed=18446744073709551615"),
        ("return=minimal", ""), (",,;=,=,\"", ""), ("example=\"unfinished", "example=unfinished"),
    ])
    func `A field is read as RFC 7240 has it`(field: String, applied: String) {
        #expect(Preferences(["Prefer": field]).applied == applied)
    }

    @Test func `Several fields are one`() {
        #expect(Preferences(["Prefer": "code=404", "prefer": "example=a, code=200"]).applied == "code=404, example=a")
    }

    @Test(arguments: [
        (nil, "application/json", 1), ("*/*", "text/html", 1), ("text/*", "application/json", 0),
        ("application/json;q=0.5, */*;q=0.1", "application/json", 0.5),
        ("application/json;q=0, */*", "application/json", 0),
        ("application/json;version=2", "application/json", 1),
        ("text/html, application/xml;q=0.9", "application/xml", 0.9),
        ("nonsense", "application/json", 1),
    ])
    func `Accept says how much a type is wanted`(field: String?, type: String, quality: Double) throws {
        let accepted = AcceptedTypes(field.map { ["Accept": $0] } ?? [:])
        #expect(accepted.quality(of: try #require(MediaType(parsing: type))) == quality)
    }
}
