import JSONSchema
import Testing

struct FormatCheckerTests {
    @Test(arguments: [
        "date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6",
        "uri", "uri-reference", "iri", "iri-reference", "uuid", "uri-template", "json-pointer",
        "relative-json-pointer", "regex",
    ])
    func `Every format of the specification is known`(name: String) {
        #expect(FormatChecker.knows(name))
        #expect(FormatChecker.accepts("", as: name) != nil)
    }

    @Test(arguments: ["int32", "float", "Date", "date ", "", "color", "something-else"])
    func `Nothing is said about a format that is not known`(name: String) {
        #expect(!FormatChecker.knows(name))
        #expect(FormatChecker.accepts("2024-01-01", as: name) == nil)
    }
}
