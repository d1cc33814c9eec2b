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

    /// The rows are in one contract, each the body of an operation.
    ///
    /// At the top are all of them. In another place a row of all versions is tried in one of them and in the next place in
    /// the other, and a row of one version is tried as a request and in the next place as a response; with
    /// `BACKLOT_SCHEDULES`, all are tried in all places.
    @Test(arguments: ChangeTable.Version.allCases, places)
    func `has the verdict on a schema in every place`(_ version: ChangeTable.Version, _ place: String) throws {
        let all = try ChangeTable.rows(of: "schemas", version)
        #expect(all.count == (version == .openAPI30 ? 209 : 313))
        let turn = try #require(Self.places.firstIndex(of: place))
        for (sideNumber, side) in Side.allCases.enumerated() {
            let rows = all.enumerated().filter { number, row in
                guard place != "%" else { return true }
                guard row.old.bool == nil, row.new.bool == nil else { return false }
                if Breadth.factor > 1 { return true }
                if let number = row.number { return (number + turn) % 2 == (version == .openAPI30 ? 0 : 1) }
                return (number + turn) % 2 == sideNumber
            }
            .map(\.element)
            #expect(rows.count > 90)
            for isReversed in [false, true] {
                let (old, new) = (rows.map(isReversed ? \.new : \.old), rows.map(isReversed ? \.old : \.new))
                let (before, after) = (
                    Self.contract(old, place, side, version, rows), Self.contract(new, place, side, version, rows)
                )
                let lines = (
                    before.split(separator: "\n").map(String.init), after.split(separator: "\n").map(String.init)
                )
                let findings = try ChangeTable.changes(from: before, to: after)
                let byOperation = Dictionary(grouping: findings) { $0.place?.operation ?? "" }
                #expect(Set(byOperation.keys).isSubset(of: rows.indices.map { "POST /r\($0)" }))
                for (number, row) in rows.enumerated() {
                    let unwanted = ChangeTable.unwanted(
                        byOperation["POST /r\(number)"] ?? [],
                        row.verdicts[(isReversed ? 2 : 0) + (side == .request ? 0 : 1)],
                        place == "%" && !isReversed ? row.words : "",
                        (
                            new: try Self.areas(of: new[number], place, in: lines.1, number, of: rows.count, row),
                            old: try Self.areas(of: old[number], place, in: lines.0, number, of: rows.count, row)
                        )
                    )
                    #expect(unwanted == [], "\(side)\(isReversed ? " reversed" : ""): \(row)")
                }
            }
        }
    }

    /// The place of a row's schema, the begin of the schema around it, and the components if the row has some.
    private static func areas(
        of schema: JSONValue,
        _ place: String,
        in lines: [String],
        _ number: Int,
        of rows: Int,
        _ row: ChangeTable.Row
    ) throws -> [ChangeTable.Area] {
        // The line of the components, and one for each row.
        let start = lines.count - rows - 1
        func area(_ line: Int, after heading: String, _ offset: Int = 0, length: Int = 1) throws -> ChangeTable.Area {
            try ChangeTable.Area(in: lines[line], from: line + 1, after: heading, offset, length: length)
        }
        let outer = place.prefix { $0 != "%" }.utf8.count
        var areas = [
            try area(start + number, after: "\"schema\": "),
            try area(start + number, after: "\"schema\": ", outer, length: schema.description.utf8.count),
        ]
        // A finding about a group of alternatives is at their array.
        if place.contains("anyOf") {
            areas.append(try area(start + number, after: "\"schema\": ", outer - 1))
        }
        if !row.components.isEmpty {
            areas.append(
                try area(start - 1, after: "\"components\": { \"schemas\": ", length: lines[start - 1].utf8.count)
            )
        }
        return areas
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
        #expect(rows.count == (version == .openAPI30 ? 140 : 142))
        for row in rows {
            for isReversed in [false, true] {
                let (old, new) = isReversed ? (row.new, row.old) : (row.old, row.new)
                let (before, after) = (
                    Self.contract(row.part, old, version), Self.contract(row.part, new, version)
                )
                let unwanted = ChangeTable.unwanted(
                    try ChangeTable.changes(from: before, to: after),
                    row.verdicts[isReversed ? 1 : 0],
                    isReversed ? "" : row.words,
                    (new: try Self.areas(row.part, new, in: after), old: try Self.areas(row.part, old, in: before))
                )
                #expect(unwanted == [], "\(isReversed ? "reversed: " : "")\(row)")
            }
        }
    }

    /// The place of a value, and of findings that something is missing: the begin of what must contain it.
    ///
    /// Security schemes are compared where they are used.
    private static func areas(_ part: String, _ value: JSONValue, in contract: String) throws -> [ChangeTable.Area] {
        typealias Area = ChangeTable.Area
        let text = value.description
        let (before, around) =
            switch part {
            case "parameters": (#""parameters": "#, #""post": "#)
            case "request": (#""requestBody":{"content":"#, #""requestBody":"#)
            case "response": (#""headers":{},"content":"#, #"{"200":"#)
            case "headers": (#""headers":"#, #"{"200":"#)
            case "responses": (#""responses": "#, #""post": "#)
            case "scheme": ("\"securitySchemes\": {\n    \"s\": ", #""security": "#)
            case "operation": ("", #""post": "#)
            case "item": ("", #""/a": "#)
            case "paths": ("", #""paths": "#)
            default: ("", "")
            }
        var missing = [around.isEmpty ? Area.file : try Area(in: contract, after: around)]
        // The operation has the parameters and the servers of its path item.
        if part == "item" { missing.append(try Area(in: contract, after: #""post": "#)) }
        if !before.isEmpty { return [try Area(in: contract, after: before, length: text.utf8.count)] + missing }
        guard value != [:] else { return missing }
        let members = String(text.dropFirst().dropLast())
        return [try Area(in: contract, after: members, -members.utf8.count, length: members.utf8.count)] + missing
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
