import Foundation
import JSON
import TestSupport
import Testing

/// What YAML's forms mean, by the sections of YAML 1.2.2.
struct YAMLReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var yaml: String
        var json: String
        var testDescription: String { yaml.debugDescription }

        init(_ yaml: String, _ json: String) {
            self.yaml = yaml
            self.json = json
        }
    }

    // Section 10.3.2.
    @Test(arguments: [
        Case("[null, Null, NULL, ~, ]", "[null, null, null, null]"),
        Case("[true, True, TRUE, false, False, FALSE]", "[true, true, true, false, false, false]"),
        Case("[yes, no, on, off, y, n, nUll, tRUE]", #"["yes","no","on","off","y","n","nUll","tRUE"]"#),
        Case("[0, -0, 12, 007, +12, 0o7, 0x1F, 0xffffffffffffffff]", "[0,-0,12,7,12,7,31,18446744073709551615]"),
        Case("[1.10, .5, -.5, 1., 1e3, +1.5E-2, 00.5]", "[1.10,0.5,-0.5,1.0,1e3,1.5E-2,0.5]"),
        Case("[123456789012345678901234567890]", "[123456789012345678901234567890]"),
        Case(
            "[1_000, 12:30, 2001-01-01, 1.2.3, 0b1, 0o8, 0xg, 1e, ., +, -a, -0x1]",
            #"["1_000","12:30","2001-01-01","1.2.3","0b1","0o8","0xg","1e",".","+","-a","-0x1"]"#
        ),
        Case("['1', \"true\", !!str 1, ! 1, !!str ]", #"["1","true","1","1",""]"#),
        Case("[!!int \"12\", !!float 3, !!bool 'true', !!null '', !!int 0x1F]", "[12, 3, true, null, 31]"),
        Case("a: !!map {b: !!seq [c]}", #"{"a":{"b":["c"]}}"#),
        Case("%TAG !y! tag:yaml.org,2002:\n---\n!y!str 1", #""1""#),
    ])
    func `The core schema`(_ example: Case) throws {
        try expect(example)
        // Numbers keep their text where JSON can write it.
        let texts = try JSONParser().parse(example.json).root.array?.map { $0.text() }
        #expect(try value(example.yaml).array?.map { $0.text() } == texts)
    }

    @Test(arguments: [
        Case(
            "200: a\ntrue: b\nnull: c\n~: d\n1.10: e\n0x1F: f\n: g\n",
            #"{"200":"a","true":"b","null":"c","~":"d","1.10":"e","0x1F":"f","":"g"}"#
        ),
        Case("{200: a, 404, ? 500: b}", #"{"200":"a","404":null,"500":"b"}"#),
        Case("\"<<\": a\n'=': b\n!!str <<: c", #"{"<<":"c","=":"b"}"#),
        Case("&a a: b\n*a : c", #"{"a":"c"}"#),
        Case("? a\n? |\n  b\n: c\n? - d\n", "refused"),
        Case("? a\n? |\n  b\n: c\n? \"d\n  e\"\n", #"{"a":null,"b\n":"c","d e":null}"#),
    ])
    func `Names are the text that stands there`(_ example: Case) throws {
        guard example.json != "refused" else {
            #expect(throws: JSONSyntaxError.self) { try value(example.yaml) }
            return
        }
        let parser = JSONParser(duplicateNames: .lastWins)
        let expected = try JSONParser().parse(example.json).root
        #expect(try parser.parseYAML(Array(example.yaml.utf8)).root == expected)
    }

    // Sections 6.5 and 7.3.
    @Test(arguments: [
        Case("a: b\n  c\n\n\n  d # e\n", #"{"a":"b c\n\nd"}"#),
        Case("a: 'b\n\n  c ''d'' '\n", #"{"a":"b\nc 'd' "}"#),
        Case("a: \"b \\\n   c\\ \n  d\\n\\x41\\u00e9\\U0001F600\\ud83d\\ude00\\/\"\n", #"{"a":"b c  d\nAé😀😀/"}"#),
        Case(
            "- a:b\n- http://x/y#z\n- a#b\n- -1a\n- ?x\n- :y\n- a, b] }\n",
            ##"["a:b","http://x/y#z","a#b","-1a","?x",":y","a, b] }"]"##
        ),
        Case(
            "[a:b, http://x, a b, {a: b, c}, [d: e], \"f\":g]",
            #"["a:b","http://x","a b",{"a":"b","c":null},[{"d":"e"}],{"f":"g"}]"#
        ),
        Case("{a, b: , \"c\":d, ? e : f, 'g' : [h,]}", #"{"a":null,"b":null,"c":"d","e":"f","g":["h"]}"#),
        Case("a: [\n  b, # c\n  d\n]\ne: {\n}\n", #"{"a":["b","d"],"e":{}}"#),
        Case("\t{\n\ta:\tb\n\t}", #"{"a":"b"}"#),
        Case("é: ü 😀\n", #"{"é":"ü 😀"}"#),
    ])
    func `Plain and quoted text, and flow collections`(_ example: Case) throws { try expect(example) }

    // Section 8.1.
    @Test(arguments: [
        Case("a: |\n  b\n   c\n\n  d\n\n", #"{"a":"b\n c\n\nd\n"}"#),
        Case("a: |-\n  b\n\nc: |+\n  d\n\ne: f", #"{"a":"b","c":"d\n\n","e":"f"}"#),
        Case("a: >\n  b\n  c\n\n  d\n   e\n  f\n", #"{"a":"b c\nd\n e\nf\n"}"#),
        Case("a: >+ # x\n\n  b\n\n", #"{"a":"\nb\n\n"}"#),
        Case("a: |2\n    b\n  c\n", #"{"a":"  b\nc\n"}"#),
        Case("a: |-1\n  b\n", #"{"a":" b"}"#),
        Case("a: |\n  b", #"{"a":"b"}"#),
        Case("- |\n- >\n- a", #"["","","a"]"#),
        Case("a: |\n  # b\n # c\nd: e", ##"{"a":"# b\n","d":"e"}"##),
        Case("--- |\na: b\n...\n", #""a: b\n""#),
        Case("a: |\r\n  b\r\n  c\r\nd: e\r\n", #"{"a":"b\nc\n","d":"e"}"#),
    ])
    func `Block scalars`(_ example: Case) throws { try expect(example) }

    // Section 8.2.
    @Test(arguments: [
        Case(
            "a:\n- b\n- c: d\n  e: f\n-\n  - g\n- - h\n  - i\nj:\n",
            #"{"a":["b",{"c":"d","e":"f"},["g"],["h","i"]],"j":null}"#
        ),
        Case("a:\n  b:\n    c: d\n  e: f\n", #"{"a":{"b":{"c":"d"},"e":"f"}}"#),
        Case("? a\n: - b\n  - c\n? d\n:\n- e\n", #"{"a":["b","c"],"d":["e"]}"#),
        Case("-\n\n- # a\n  b\n- c:\n- d", #"[null,"b",{"c":null},"d"]"#),
        Case("a: &x\n  b: c\nd: *x\n", #"{"a":{"b":"c"},"d":{"b":"c"}}"#),
        Case("a: &x b\nc: &x d\ne: *x\n", #"{"a":"b","c":"d","e":"d"}"#),
        Case("&a !!map\n&b c: *b\n", #"{"c":"c"}"#),
        Case("\u{FEFF}# a\n%YAML 1.2\n--- # b\na: 1\n... # c\n", #"{"a":1}"#),
        Case("---\n", "null"),
        Case("--- a\n", #""a""#),
    ])
    func `Block collections and documents`(_ example: Case) throws { try expect(example) }

    @Test func `A stream has any number of documents`() throws {
        func documents(_ text: String) throws -> [JSONValue] {
            try JSONParser().parseYAMLStream(Array(text.utf8)).map(\.root)
        }
        #expect(try documents("# none\n") == [])
        #expect(try documents("a\n---\n---\nb\n...\n...\nc") == ["a", .null, "b", "c"])
        #expect(throws: JSONSyntaxError.self) { try documents("&a b\n---\n*a") }
    }

    // MARK: Places

    @Test func `Every value and every name knows its line and column`() throws {
        let text = """
            # A comment
            é: &a
              b:  'ü'
              "c" : [ d, {e: f} ]
            ? g
            : - h
              - |
                i
            j: *a
            k:
            """
        let root = try value(text)
        var places: [String] = []
        func note(_ value: JSONValue, _ name: String) {
            places.append("\(name) \(value.position)")
            for (index, element) in (value.array ?? []).enumerated() { note(element, "\(index)") }
            for member in value.object?.members ?? [] { note(member.value, "\(member.name)@\(member.namePosition)") }
        }
        note(root, "")
        #expect(
            places == [
                " 2:1", "é@2:1 3:3", "b@3:3 3:7", "c@4:3 4:9", "0 4:11", "1 4:14", "e@4:15 4:18",
                "g@5:3 6:3", "0 6:5", "1 7:5", "j@9:1 9:4", "b@3:3 3:7", "c@4:3 4:9", "0 4:11", "1 4:14", "e@4:15 4:18",
                "k@10:1 10:3",
            ]
        )
    }

    @Test func `JSON is YAML, at the same places`() throws {
        let names = ["Contracts", "Scenarios"].flatMap { folder in
            (FileManager.default.subpaths(atPath: "\(Project.folder)/\(folder)") ?? []).map { "\(folder)/\($0)" }
        }
        let paths = names.filter { $0.hasSuffix(".json") }
        #expect(paths.count > 100)
        for path in paths {
            let bytes = Array(try Data(contentsOf: URL(filePath: "\(Project.folder)/\(path)")))
            let json = try JSONParser().parse(bytes).root
            let yaml = try JSONParser().parseYAML(bytes).root
            #expect(yaml == json, "\(path)")
            #expect(places(in: yaml) == places(in: json), "\(path)")
        }
    }

    private func places(in root: JSONValue) -> [JSONPosition] {
        var places: [JSONPosition] = []
        var waiting = [root]
        while let value = waiting.popLast() {
            places.append(value.position)
            waiting += value.array ?? []
            for member in value.object?.members ?? [] {
                places.append(member.namePosition)
                waiting.append(member.value)
            }
        }
        return places
    }

    @Test func `Repeated names are recorded where the last one counts`() throws {
        let document = try JSONParser(duplicateNames: .lastWins).parseYAML(Array("a: 1\nb: 2\na:\n".utf8))
        #expect(document.root == ["a": .null, "b": 2])
        #expect(document.duplicates.map(\.sentence).count == 1)
        #expect(document.duplicates.first?.position.description == "3:1")
    }

    @Test(arguments: [
        ("a.yaml", true), ("A.YML", true), ("a.json", false), ("yaml", false), ("a.yaml/b", false), ("b/.yml", true),
    ])
    func `A file's name tells its format`(_ path: String, _ isYAML: Bool) {
        #expect((TextFormat(ofFile: path) == .yaml) == isYAML)
        #expect(TextFormat.isDocument(path) == (isYAML || path.hasSuffix(".json")))
    }

    private func value(_ text: String) throws -> JSONValue { try JSONParser().parseYAML(Array(text.utf8)).root }

    private func expect(_ example: Case, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let expected = try JSONParser().parse(example.json).root
        #expect(try value(example.yaml) == expected, sourceLocation: sourceLocation)
    }
}
