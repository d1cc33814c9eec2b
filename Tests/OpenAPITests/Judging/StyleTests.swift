import JSON
import JSONSchema
import Testing

@testable import OpenAPI

/// One row of the specification's table of styles (OpenAPI 3.1, section 4.8.12.4).
struct StyleRow: Sendable, CustomTestStringConvertible {
    var style: Parameter.Style
    var explode: Bool
    var kinds: ValueKinds
    var text: String
    var value: JSONValue

    init(_ style: Parameter.Style, explode: Bool, _ kinds: ValueKinds, _ text: String, _ value: JSONValue) {
        self.style = style
        self.explode = explode
        self.kinds = kinds
        self.text = text
        self.value = value
    }

    var testDescription: String { "\(style.rawValue)\(explode ? "*" : "") \(text)" }
}

private let colours: JSONValue = ["blue", "black", "brown"]
private let channels: JSONValue = ["R": "100", "G": "200", "B": "150"]

@Suite struct `The styles of parameters` {
    private func first(_ values: [WireValue], _ kinds: ValueKinds) -> JSONValue? {
        let shape = ValueShape(kinds: kinds)
        return values.first?.readings(
            as: shape,
            from: ValueShapes(ContractSchemas(registry: SchemaRegistry(), roots: []))
        ).first
    }

    @Test(arguments: [
        StyleRow(.simple, explode: false, .string, "blue", "blue"),
        StyleRow(.simple, explode: true, .string, "blue", "blue"),
        StyleRow(.simple, explode: false, .string, "", ""),
        StyleRow(.simple, explode: false, .string, "a%2Cb%20c", "a,b c"),
        StyleRow(.simple, explode: false, .array, "blue,black,brown", colours),
        StyleRow(.simple, explode: true, .array, "blue,black,brown", colours),
        StyleRow(.simple, explode: false, .array, "a%2Cb,c", ["a,b", "c"]),
        StyleRow(.simple, explode: false, .object, "R,100,G,200,B,150", channels),
        StyleRow(.simple, explode: true, .object, "R=100,G=200,B=150", channels),
        StyleRow(.label, explode: false, .string, ".blue", "blue"),
        StyleRow(.label, explode: true, .string, ".blue", "blue"),
        StyleRow(.label, explode: false, .string, ".", ""),
        StyleRow(.label, explode: false, .array, ".blue,black,brown", colours),
        StyleRow(.label, explode: false, .array, ".blue.black.brown", colours),
        StyleRow(.label, explode: true, .array, ".blue.black.brown", colours),
        StyleRow(.label, explode: false, .object, ".R,100,G,200,B,150", channels),
        StyleRow(.label, explode: false, .object, ".R.100.G.200.B.150", channels),
        StyleRow(.label, explode: true, .object, ".R=100.G=200.B=150", channels),
        StyleRow(.matrix, explode: false, .string, ";color=blue", "blue"),
        StyleRow(.matrix, explode: true, .string, ";color=blue", "blue"),
        StyleRow(.matrix, explode: false, .string, ";color", ""),
        StyleRow(.matrix, explode: false, .array, ";color=blue,black,brown", colours),
        StyleRow(.matrix, explode: true, .array, ";color=blue;color=black;color=brown", colours),
        StyleRow(.matrix, explode: false, .object, ";color=R,100,G,200,B,150", channels),
        StyleRow(.matrix, explode: true, .object, ";R=100;G=200;B=150", channels),
    ])
    func `read a path's value`(row: StyleRow) {
        let text = StyledText(text: row.text, isPercentEncoded: true)
        let values = text.values(style: row.style, explode: row.explode, name: "color", kinds: row.kinds)
        #expect(first(values, row.kinds) == row.value)
    }

    @Test(arguments: [
        StyleRow(.form, explode: true, .string, "color=blue", "blue"),
        StyleRow(.form, explode: false, .string, "color=", ""),
        StyleRow(.form, explode: false, .string, "color=a%2Cb+c", "a,b c"),
        StyleRow(.form, explode: true, .array, "color=blue&x=1&color=black&color=brown", colours),
        StyleRow(.form, explode: true, .array, "color=blue", ["blue"]),
        StyleRow(.form, explode: false, .array, "color=blue,black,brown", colours),
        StyleRow(.form, explode: false, .array, "color=a%2Cb,c", ["a,b", "c"]),
        StyleRow(.form, explode: false, .array, "color=", []),
        StyleRow(.form, explode: false, .object, "color=R,100,G,200,B,150", channels),
        StyleRow(.form, explode: true, .object, "R=100&G=200&B=150", channels),
        StyleRow(.spaceDelimited, explode: false, .array, "color=blue%20black%20brown", colours),
        StyleRow(.spaceDelimited, explode: false, .array, "color=blue+black+brown", colours),
        StyleRow(.spaceDelimited, explode: true, .array, "color=blue&color=black&color=brown", colours),
        StyleRow(.spaceDelimited, explode: false, .object, "color=R%20100%20G%20200%20B%20150", channels),
        StyleRow(.pipeDelimited, explode: false, .array, "color=blue|black|brown", colours),
        StyleRow(.pipeDelimited, explode: false, .array, "color=blue%7Cblack%7cbrown", colours),
        StyleRow(.pipeDelimited, explode: false, .object, "color=R%7C100%7CG%7C200%7CB%7C150", channels),
        StyleRow(.deepObject, explode: true, .object, "color[R]=100&color[G]=200&color[B]=150", channels),
        StyleRow(.deepObject, explode: true, .object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150", channels),
    ])
    func `read a query's value`(row: StyleRow) {
        let finder = PairedValue(pairs: WirePairs(query: row.text), style: row.style, explode: row.explode)
        let found = finder.find("color", shape: ValueShape(kinds: row.kinds))
        #expect(first(found.values, row.kinds) == row.value)
    }

    @Test(arguments: [
        StyleRow(.simple, explode: false, .array, "blue, black,brown", colours),
        StyleRow(.simple, explode: false, .object, "R,100, G,200, B,150", channels),
        StyleRow(.simple, explode: true, .object, "R=100, G=200, B=150", channels),
        StyleRow(.simple, explode: false, .string, "50%25", "50%25"),
    ])
    func `read a header's value as it stands`(row: StyleRow) {
        let text = StyledText(text: row.text, isPercentEncoded: false)
        let values = text.values(style: row.style, explode: row.explode, name: "color", kinds: row.kinds)
        #expect(first(values, row.kinds) == row.value)
    }

    @Test(
        arguments: [
            ("12", .integer, [12]), ("1.5", .integer, [1.5]), ("ten", .integer, ["ten"]), ("007", .number, ["007"]),
            ("true", .boolean, [true]), ("True", .boolean, ["True"]), ("null", [.null, .string], [.null, "null"]),
            ("", [.null, .integer], [.null]), ("5", [.integer, .string], [5, "5"]), ("5", .all, ["5", 5]),
            ("5", .string, ["5"]), ("9007199254740993", .integer, [9_007_199_254_740_993]),
        ] as [(String, ValueKinds, [JSONValue])]
    )
    func `give a text every type that it may mean`(text: String, kinds: ValueKinds, readings: [JSONValue]) {
        let shape = ValueShape(kinds: kinds)
        #expect(
            WireValue.text(text).readings(
                as: shape,
                from: ValueShapes(ContractSchemas(registry: SchemaRegistry(), roots: []))
            ) == readings
        )
    }
}
