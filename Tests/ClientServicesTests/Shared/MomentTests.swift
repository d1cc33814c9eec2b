import ClientServices
import Foundation
import Testing

@Suite struct `A point in time` {
    @Test(arguments: [
        ("2023-12-09T17:52:57Z", 1_702_144_377), ("2023-12-09T17:52:57.551Z", 1_702_144_377.551),
        ("2023-12-09T17:52:57.123456789Z", 1_702_144_377.123456789), ("2023-12-10T02:52:57.5+09:00", 1_702_144_377.5),
        ("2023-12-09T14:22:57-03:30", 1_702_144_377), ("1970-01-01T00:00:00.000Z", 0),
        ("1969-12-31T23:59:59.000Z", -1), ("2000-02-29T23:59:60.000Z", 951_868_800),
    ])
    func `is read with any fraction of a second and any zone, and its text is kept`(
        text: String,
        seconds: Double
    ) throws {
        let moment = Moment(rawValue: text)
        let date = try #require(moment.date)
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_001)
        #expect(String(decoding: try JSONEncoder().encode([moment]), as: UTF8.self) == "[\"\(text)\"]")
    }

    @Test(arguments: [
        "", "soon", "2023-12-09", "2023-12-09T17:52:57", "2023-12-09T17:52:57.Z", "2023-12-09T17:52:57.5e1Z",
        "2023-12-09T17:52:5Z", "2023-12-09T17:52:61Z", "2023-12-09T24:00:00Z", "2023-12-09T+7:52:57Z",
        "2023-12-09T17:52:57+9:00", "2023-12-09T17:52:57,5Z", "2023-13-09T17:52:57Z", "2023-02-29T00:00:00Z",
        "2023-04-31T00:00:00Z", "1900-02-29T00:00:00Z", "T:::Z",
    ])
    func `is none where the text is another`(text: String) {
        #expect(Moment(rawValue: text).date == nil)
    }
}
