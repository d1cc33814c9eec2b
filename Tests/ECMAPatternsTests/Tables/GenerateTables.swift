// Writes the tables of Unicode that the package keeps, from the Unicode Character Database:
//
//     swiftc -o /tmp/generate-tables Tests/ECMAPatternsTests/Tables/GenerateTables.swift
//     /tmp/generate-tables FOLDER patterns > Sources/ECMAPatterns/Tables/UnicodeTables.swift
//     cd Sources/JSONSchema/Formats/InternationalNames
//     /tmp/generate-tables FOLDER joining > JoiningType+Table.swift
//
// FOLDER holds Scripts.txt, ScriptExtensions.txt, PropertyValueAliases.txt, CaseFolding.txt, emoji/emoji-data.txt and
// extracted/DerivedJoiningType.txt, as https://www.unicode.org/Public/UCD/latest/ucd/ has them, and Debian's package
// unicode-data in /usr/share/unicode. The package excludes this file from the target.

import Foundation

let folder = CommandLine.arguments.dropFirst().first ?? "."

func text(of file: String) -> String {
    do {
        return try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    } catch {
        FileHandle.standardError.write(Data("cannot read \(folder)/\(file): \(error)\n".utf8))
        exit(1)
    }
}

/// The fields of each line, without comments.
func rows(of file: String) -> [[String]] {
    text(of: file).split(separator: "\n").compactMap { line in
        let content = line.prefix { $0 != "#" }
        guard content.contains(";") else { return nil }
        return content.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

func range(_ field: String) -> ClosedRange<Int> {
    let ends = field.split(separator: ".", omittingEmptySubsequences: true).compactMap { Int($0, radix: 16) }
    guard let first = ends.first, let last = ends.last else {
        FileHandle.standardError.write(Data("no code points: \(field)\n".utf8))
        exit(1)
    }
    return first...last
}

// A number is written with the digits of base64url, five bits at a time from the lowest on; a digit of 32 or more says
// that another follows.
let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

func code(_ number: Int) -> String {
    var rest = number
    var written = ""
    repeat {
        let low = rest & 31
        rest >>= 5
        written.append(digits[rest > 0 ? low | 32 : low])
    } while rest > 0
    return written
}

/// For each range the gap before it and the number of its members less one.
func code(_ members: Set<Int>) -> String {
    var written = ""
    var next = 0
    var sorted = members.sorted()[...]
    while let first = sorted.popFirst() {
        var last = first
        while sorted.first == last + 1 { last = sorted.removeFirst() }
        written += code(first - next) + code(last - first)
        next = last + 1
    }
    return written
}

/// A literal of several lines, each of one entry, broken so that no line of the file is too long.
func literal(_ name: String, _ comment: String, _ entries: [String]) -> String {
    var written = "    /// \(comment)\n    static let \(name) = \"\"\"\n"
    for entry in entries {
        var rest = entry[...]
        while rest.count > 110 {
            written += "        \(rest.prefix(110))\\\n"
            rest = rest.dropFirst(110)
        }
        written += "        \(rest)\n"
    }
    return written + "        \"\"\"\n"
}

/// The version in the first line of every file: `# Scripts-15.0.0.txt`.
let version = text(of: "Scripts.txt").prefix { $0 != "\n" }.drop { $0 != "-" }.dropFirst()
    .prefix { $0 != "t" }.dropLast()

// MARK: Patterns

func writePatternTables() {
    /// The short name of each script, its long one, which may be the same, and others.
    let namesOfScript = rows(of: "PropertyValueAliases.txt").filter { $0[0] == "sc" }.map { Array($0.dropFirst()) }
    let longName = Dictionary(uniqueKeysWithValues: namesOfScript.map { ($0[0], $0[1]) })

    var scripts: [String: Set<Int>] = [:]
    for row in rows(of: "Scripts.txt") { scripts[row[1], default: []].formUnion(range(row[0])) }

    var extended = scripts
    for row in rows(of: "ScriptExtensions.txt") {
        let members = range(row[0])
        for name in scripts.keys { extended[name]?.subtract(members) }
        for short in row[1].split(separator: " ") {
            extended[longName[String(short)] ?? String(short), default: []].formUnion(members)
        }
    }

    let named = namesOfScript.filter { scripts[$0[1]] != nil }
    let scriptEntries = named.map { names in names.joined(separator: ",") + ":" + code(scripts[names[1]] ?? []) }
    let extendedEntries = named.filter { scripts[$0[1]] != extended[$0[1]] }
        .map { names in names.joined(separator: ",") + ":" + code(extended[names[1]] ?? []) }

    var emoji: [String: Set<Int>] = [:]
    for row in rows(of: "emoji/emoji-data.txt") { emoji[row[1], default: []].formUnion(range(row[0])) }
    let properties = [("Emoji_Component", "EComp"), ("Extended_Pictographic", "ExtPict")]
        .map { "\($0.0),\($0.1):" + code(emoji[$0.0] ?? []) }

    // Families of characters with the same simple folding: for each its size, the distance of its first member from that of
    // the family before, and the distances between members.
    var families: [Int: Set<Int>] = [:]
    for row in rows(of: "CaseFolding.txt") where row[1] == "C" || row[1] == "S" {
        let folded = range(row[2]).lowerBound
        families[folded, default: [folded]].insert(range(row[0]).lowerBound)
    }
    var foldings = ""
    var previous = 0
    for family in families.values.map({ $0.sorted() }).sorted(by: { $0[0] < $1[0] }) {
        foldings += code(family.count) + code(family[0] - previous)
        for (left, right) in zip(family, family.dropFirst()) { foldings += code(right - left) }
        previous = family[0]
    }

    print(
        """
        // Written by GenerateTables.swift from version \(version) of the Unicode Character Database.

        /// Unicode properties that the standard library does not provide.
        ///
        /// Each line of a table contains a property's names and, after a colon, its members as `PackedNumbers`: for
        /// each range, the gap before it and the number of its members less one.
        enum UnicodeTables {
            static let version = "\(version)"

        """
    )
    print(literal("scripts", "Script.", scriptEntries))
    print(literal("scriptExtensions", "Script_Extensions, where it differs from Script.", extendedEntries))
    print(literal("properties", "Binary properties.", properties))
    print(
        literal(
            "caseFamilies",
            "Simple case folding: for each family, its size, the distance to its first member, and the gaps between members.",
            [foldings]
        ),
        terminator: ""
    )
    print("}")
}

// MARK: Joining types

/// Runs of one type, in hexadecimal, with the type's letter: those that join a neighbour.
func writeJoiningTypes() {
    var types: [(members: ClosedRange<Int>, letter: String)] = []
    for row in rows(of: "extracted/DerivedJoiningType.txt") where ["D", "L", "R"].contains(row[1]) {
        types.append((range(row[0]), row[1]))
    }
    types.sort { $0.members.lowerBound < $1.members.lowerBound }
    var runs: [(members: ClosedRange<Int>, letter: String)] = []
    for type in types {
        if let last = runs.last, last.letter == type.letter, last.members.upperBound + 1 == type.members.lowerBound {
            runs[runs.count - 1].members = last.members.lowerBound...type.members.upperBound
        } else {
            runs.append(type)
        }
    }
    let words = runs.map { run in
        let ends = [run.members.lowerBound, run.members.upperBound].map { String($0, radix: 16, uppercase: true) }
        return (run.members.count == 1 ? ends[0] : ends.joined(separator: "-")) + run.letter
    }
    var lines = [""]
    for word in words {
        if lines[lines.count - 1].count + word.count > 105 { lines.append("") }
        lines[lines.count - 1] += lines[lines.count - 1].isEmpty ? word : " \(word)"
    }
    print(
        """
        // Written by GenerateTables.swift from version \(version) of the Unicode Character Database.

        extension JoiningType {
            /// Runs of scalars in hexadecimal, each with the letter of its type: dual, left or right.
            static let table = \"""
                \(lines.joined(separator: "\n        "))
                \"""
        }
        """
    )
}

switch CommandLine.arguments.dropFirst(2).first {
case "patterns": writePatternTables()
case "joining": writeJoiningTypes()
default:
    FileHandle.standardError.write(Data("usage: generate-tables FOLDER patterns|joining\n".utf8))
    exit(1)
}
