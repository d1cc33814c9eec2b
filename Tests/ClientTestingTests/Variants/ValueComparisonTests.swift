import JSON
import Testing

@testable import ClientTesting

/// What a client's encoder may change in a value that the client has decoded rightly.
@Suite struct `A value that a client returns` {
    private func differences(_ sent: String, _ returned: String) throws -> [String] {
        let values = try [sent, returned].map { try JSONParser().parse(Array($0.utf8)).root }
        return ValueComparison(values[0], values[1], at: JSONPointer()).differences.map(\.words)
    }

    @Test(arguments: [
        (#""2024-05-17T08:30:59Z""#, "737627459"), (#""2024-05-17T08:30:59.5Z""#, "737627459.5"),
        (#""2024-05-17T10:30:59+02:00""#, "1715934659"),
        (#""2024-05-17T08:30:59.9876Z""#, #""2024-05-17T08:30:59.986Z""#),
        (#""2024-05-17T08:30:59.123Z""#, "1715934659123"), ("1715934659", "737627459"),
        ("1715934659123", "737627459.123"),
        ("1715934659", #""2024-05-17T08:30:59Z""#), ("0", "-978307200"), ("9223372036854775807", "9223372035876468736"),
        ("0", #""1970-01-01T00:00:00Z""#), (#""1970-01-01T00:00:00Z""#, "0"), ("1724196886.25", "1724196886.2500003"),
        (#""0001-01-01T23:59:59Z""#, "-63113990401"), (#""1500-03-01T00:00:00Z""#, #""1500-03-11T00:00:00Z""#),
        (#""0001-01-01""#, "-63114076800"), (#""-013.34""#, #""-13.34""#), (#""000.50""#, #""0.50""#),
        (#"{"ok":true,"n":1}"#, #"{"n":1}"#), (#""2024-02-29""#, "730857600"),
        (#""2024-02-29""#, #""2024-02-28T15:00:00Z""#),
        (#"{"tags":null}"#, #"{"tags":[]}"#),
        (#"{"created_at":1,"user_id":2}"#, #"{"createdAt":1,"userId":2}"#),
    ])
    func `may be written in another way`(sent: String, returned: String) throws {
        #expect(try differences(sent, returned).isEmpty)
    }

    @Test(arguments: [
        (#""2024-05-17T08:30:59.9Z""#, #""2024-05-17T08:30:59Z""#), (#""2024-05-17T08:30:59+09:00""#, "737627459"),
        ("9007199254740993", "9007199254740992"), ("1715934659", "1715934660"), ("5", "978307205"),
        (#""1.10""#, #""1.1""#), (#""9007199254740993""#, "9007199254740993"), ("12.5", "12.5001"),
        (#"{"tags":null}"#, #"{"tags":""}"#),
        ("1715934659", #""2055-05-17T08:30:59Z""#), (#""2024-02-29""#, #""2024-02-28""#),
        (#""007""#, #""7""#), (#""01.10""#, #""1.1""#), (#"{"ok":false,"n":1}"#, #"{"n":1}"#), (#"{"on":true}"#, "{}"),
        (#""2024-02-29""#, "730771199"), (#""1600-03-01T00:00:00Z""#, #""1600-03-11T00:00:00Z""#),
        (#"{"created_at":1}"#, #"{"createdat":1}"#), (#"{"created_at":1}"#, #"{"createdAt":2}"#),
    ])
    func `may not be another value`(sent: String, returned: String) throws {
        #expect(try differences(sent, returned).count == 1)
    }
}
