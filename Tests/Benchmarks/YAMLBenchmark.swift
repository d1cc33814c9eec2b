import JSON

/// The time to load a large YAML file, compared with the same values as JSON, and texts made to be slow.
struct YAMLBenchmark {
    private static let bytes = 10_000_000
    private static let rounds = 5
    /// What 10 MB may take at most.
    private static let milliseconds = 1_500.0

    func run() throws -> Bool {
        say("yaml: texts of \(Double(Self.bytes / 1_000_000).text()) MB, \(Self.rounds) rounds")
        var isGood = true
        var table = Table("text", "ms", "max", "MB/s")
        let contract = Self.contract()
        let json = try JSONParser().parseYAML(contract).root.utf8(.pretty)
        let texts: [(name: String, bytes: [UInt8], isYAML: Bool)] = [
            ("a contract in YAML", contract, true),
            ("the same as JSON", json, false),
            ("that JSON as YAML", json, true),
            ("a million names", Self.repeated { "k\($0): v\n" }, true),
            ("one plain text over all lines", Self.repeated { $0 == 0 ? "a: b\n" : "  and more\n" }, true),
            ("one folded text", Self.repeated { $0 == 0 ? "a: >\n" : "  and more\n\n" }, true),
            (
                "flow collections",
                Self.repeated { $0 == 0 ? "[" : " {a: [b, 'c', \"d\"], e: 1.50},\n" } + Array("]".utf8), true
            ),
            (
                "empty lines and comments", Self.repeated { $0 % 9 == 0 ? "- a\n" : $0 % 2 == 0 ? "\n" : "  # b\n" },
                true
            ),
            ("anchors and aliases", Self.repeated { "- &a\($0) b\n- *a\($0)\n" }.prefixOfLines(5_000_000), true),
            ("quotes that nothing closes", Array("\"".utf8) + Self.repeated { _ in "and more\n" }, true),
        ]
        for text in texts {
            var watch = Stopwatch()
            var times: [Double] = []
            for _ in 0..<Self.rounds {
                _ = watch.lap()
                _ = text.isYAML ? try? JSONParser().parseYAML(text.bytes) : try? JSONParser().parse(text.bytes)
                times.append(watch.lap())
            }
            let figures = Figures(times)
            isGood = isGood && figures.median < Self.milliseconds
            let speed = Double(text.bytes.count) / 1_000 / figures.median
            table.add(text.name, figures.median.text(1), figures.maximum.text(1), speed.text())
        }
        table.print()
        return isGood
    }

    private static func repeated(_ line: (Int) -> String) -> [UInt8] {
        var text: [UInt8] = []
        var number = 0
        while text.count < bytes {
            text += line(number).utf8
            number += 1
        }
        return text
    }

    /// An OpenAPI file with every form that people use.
    private static func contract() -> [UInt8] {
        Array("openapi: 3.1.0\ninfo: {title: Things, version: '1'}\npaths:\n".utf8)
            + repeated { number in
                """
                  /things/\(number)/{id}:
                    parameters:
                      - name: id
                        in: path
                        required: true
                        schema: { type: integer, minimum: \(number) }
                    get:
                      operationId: getThing\(number)
                      summary: "Returns the thing \\"\(number)\\", é and more"
                      description: |
                        Returns a thing.

                        * with a list
                        * and more text that is rather long, as a description mostly is
                      tags: [things, 'thing \(number)']
                      responses:
                        200:
                          description: The thing
                          content:
                            application/json:
                              schema:
                                $ref: '#/components/schemas/Thing\(number)'
                              example:
                                id: \(number)
                                name: a plain text which
                                  goes on
                                score: \(number).50
                        "404":
                          description: >-
                            There is no such
                            thing.

                """
            }
    }
}

extension [UInt8] {
    /// The whole lines among the first bytes.
    fileprivate func prefixOfLines(_ count: Int) -> [UInt8] {
        let prefix = self.prefix(count)
        return Array(prefix[..<(prefix.lastIndex(of: 0x0A) ?? prefix.endIndex)])
    }
}
