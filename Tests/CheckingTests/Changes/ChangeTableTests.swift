import Basics
import Checking
import JSON
import Reports
import TestSupport
import Testing

@Suite struct `The table of changes` {
    enum Side: String, Sendable, CaseIterable { case request, response }

    /// The places of a schema in a body, with the schema itself as `%`.
    static let places = [
        "%", #"{"type":"object","required":["p"],"properties":{"p":%}}"#, #"{"type":"array","items":%}"#,
        #"{"type":"object","additionalProperties":%}"#, #"{"allOf":[%,{}]}"#, #"{"anyOf":[%]}"#,
        #"{"oneOf":[{"type":"object","required":["tag"],"properties":{"tag":{"enum":["a"]},"p":%}},"#
            + #"{"type":"object","required":["tag"],"properties":{"tag":{"enum":["b"]}}}]}"#,
    ]

    /// The rows are in one contract, each the body of an operation: at the top all of them, in a place every third one and
    /// in the next place others, or all of them with `BACKLOT_SCHEDULES`.
    @Test(arguments: ChangeTable.Version.allCases, places)
    func `has the verdict on a schema in every place`(_ version: ChangeTable.Version, _ place: String) throws {
        let all = try ChangeTable.rows(of: "schemas", version)
        #expect(all.count > 150)
        let turn = try #require(Self.places.firstIndex(of: place))
        let rows = all.enumerated().filter { number, row in
            guard place != "%" else { return true }
            let isDue = Breadth.factor > 1 || (number + turn) % 3 == 0
            return isDue && row.old.bool == nil && row.new.bool == nil
        }
        .map(\.element)
        #expect(rows.count > 40)
        for side in Side.allCases {
            for isReversed in [false, true] {
                let (old, new) = (rows.map(isReversed ? \.new : \.old), rows.map(isReversed ? \.old : \.new))
                let findings = try ChangeTable.changes(
                    from: Self.contract(old, place, side, version, rows),
                    to: Self.contract(new, place, side, version, rows)
                )
                let byOperation = Dictionary(grouping: findings) { $0.place?.operation ?? "" }
                for (number, row) in rows.enumerated() {
                    let found = byOperation["POST /r\(number)"] ?? []
                    let wanted = row.verdicts[(isReversed ? 2 : 0) + (side == .request ? 0 : 1)]
                    let detail = "\(side)\(isReversed ? " reversed" : ""): \(row): \(found.map(\.description))"
                    #expect(ChangeTable.verdict(found) == wanted, "\(detail)")
                    guard place == "%", !isReversed, wanted != "-", !row.words.isEmpty else { continue }
                    #expect(found.contains { $0.message.contains(row.words) }, "\(detail)")
                }
            }
        }
    }

    private static func contract(
        _ schemas: [JSONValue],
        _ place: String,
        _ side: Side,
        _ version: ChangeTable.Version,
        _ rows: [ChangeTable.Row]
    ) -> String {
        let paths = schemas.enumerated().map { number, schema in
            let placed = place.replacing("%", with: schema.description)
            let content = #""content": { "application/json": { "schema": \#(placed) } }"#
            let body = side == .request ? #""requestBody": { \#(content) },"# : ""
            let response = side == .response ? ", " + content : ""
            return
                #""/r\#(number)": { "post": { \#(body) "responses": { "200": { "description": "x"\#(response) } } } }"#
        }
        var components = JSONObject()
        for member in rows.flatMap(\.components) {
            components.set(member)
        }
        return #"""
            {
              "openapi": "\#(version.full)", "info": { "title": "T", "version": "1" },
              "components": { "schemas": \#(JSONValue(.object(components))) },
              "paths": { \#(paths.joined(separator: ",\n")) }
            }
            """#
    }

    @Test(arguments: ChangeTable.Version.allCases)
    func `has the verdict on what is around schemas`(_ version: ChangeTable.Version) throws {
        let rows = try ChangeTable.rows(of: "messages", version)
        #expect(rows.count > 100)
        for row in rows {
            for isReversed in [false, true] {
                let (old, new) = isReversed ? (row.new, row.old) : (row.old, row.new)
                let found = try ChangeTable.changes(
                    from: Self.contract(row.part, old, version),
                    to: Self.contract(row.part, new, version)
                )
                let detail = "\(isReversed ? "reversed: " : "")\(row): \(found.map(\.description))"
                #expect(ChangeTable.verdict(found) == row.verdicts[isReversed ? 1 : 0], "\(detail)")
                guard !isReversed, !row.words.isEmpty else { continue }
                #expect(found.contains { $0.message.contains(row.words) }, "\(detail)")
            }
        }
    }

    /// A contract with one operation.
    ///
    /// - Parameter part: where the value is: `parameters`, `request` and `response` for a content, `headers`, `responses`,
    ///   `scheme`, and `paths`, `item`, `operation` and `document` for members.
    private static func contract(_ part: String, _ value: JSONValue, _ version: ChangeTable.Version) -> String {
        let text = value.description
        func at(_ other: String, or standard: String) -> String { part == other ? text : standard }
        func members(_ other: String) -> String {
            part == other && value != [:] ? "," + text.dropFirst().dropLast() : ""
        }
        let request = part == "request" ? #","requestBody":{"content":\#(text)}"# : ""
        let success =
            #"{"200":{"description":"x","headers":\#(at("headers", or: "{}")),"content":\#(at("response", or: "{}"))}}"#
        let flows = #"{"clientCredentials":{"tokenUrl":"https://a/t","scopes":{"a":"","b":""}}}"#
        return #"""
            {
              "openapi": "\#(version.full)", "info": { "title": "T", "version": "1" },
              "components": { "securitySchemes": {
                "s": \#(at("scheme", or: #"{"type":"http","scheme":"bearer"}"#)),
                "t": { "type": "apiKey", "in": "header", "name": "T" },
                "o": { "type": "oauth2", "flows": \#(flows) } } },
              "paths": {
                "/a": { "post": { \#(part == "operation" ? "" : #""security": [{ "s": [] }],"#)
                  "parameters": \#(at("parameters", or: "[]")), "responses": \#(at("responses", or: success))
                  \#(request)\#(members("operation")) }\#(members("item")) }\#(members("paths")) }\#(members("document"))
            }
            """#
    }
}
