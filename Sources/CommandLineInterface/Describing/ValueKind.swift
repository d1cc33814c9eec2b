import Basics

/// What the words given for an option or a positional may be, and how such a word becomes a Swift value.
package struct ValueKind<Value: Sendable>: Sendable {
    let shape: ValueShape
    let read: @Sendable (String) -> Value?
    let write: @Sendable (Value) -> String

    /// A kind of one's own.
    ///
    /// - Parameters:
    ///   - expected: What would be right, as it follows "wants": `a duration such as 15d`.
    ///   - note: The same in a few words for the help, when the option's own line does not tell.
    ///   - write: How a default is shown in the help.
    ///   - read: Answers `nil` to a word that is not right.
    package init(
        expected: String,
        note: String? = nil,
        completion: ValueCompletion = .nothing,
        write: @escaping @Sendable (Value) -> String = { "\($0)" },
        read: @escaping @Sendable (String) -> Value?
    ) {
        shape = ValueShape(expected: expected, note: note, completion: completion) { read($0) != nil }
        self.read = read
        self.write = write
    }
}

/// What a shell can offer for a value.
package enum ValueCompletion: Sendable, Hashable {
    case nothing
    case choices([String])
    /// Files with one of these endings, and folders on the way to them; any file when there is none.
    case files(endings: [String])
    case folders
}

/// A ``ValueKind`` without its Swift type: all that parsing, help and completion need.
package struct ValueShape: Sendable {
    package var expected: String
    package var note: String?
    package var completion: ValueCompletion
    package var accepts: @Sendable (String) -> Bool
}

extension ValueKind where Value == String {
    /// Any text but the empty one.
    package static func text(_ expected: String = "a text") -> ValueKind {
        ValueKind(expected: expected) { $0.isEmpty ? nil : $0 }
    }

    /// A path; nobody looks whether something is there.
    package static func file(endings: [String] = [], orFolder: Bool = false) -> ValueKind {
        let patterns = endings.isEmpty ? "" : " (" + endings.map { "*.\($0)" }.joined(separator: ", ") + ")"
        let expected = "a file\(patterns)" + (orFolder ? " or a folder" : "")
        return ValueKind(expected: expected, completion: .files(endings: endings)) { $0.isEmpty ? nil : $0 }
    }

    package static var folder: ValueKind {
        ValueKind(expected: "a folder", completion: .folders) { $0.isEmpty ? nil : $0 }
    }

    package static func choice(of names: [String]) -> ValueKind {
        let list = names.joined(lastBy: "or")
        return ValueKind(expected: list, note: list, completion: .choices(names)) { names.contains($0) ? $0 : nil }
    }
}

extension ValueKind where Value == Int {
    /// A decimal number without a plus sign.
    package static func integer(in range: ClosedRange<Int> = .min ... .max) -> ValueKind {
        let note: String? =
            switch (range.lowerBound, range.upperBound) {
            case (.min, .max): nil
            case (let lower, .max): "\(lower) or more"
            case (.min, let upper): "\(upper) or less"
            case (let lower, let upper): "\(lower) to \(upper)"
            }
        return ValueKind(expected: "a whole number" + (note.map { ", \($0)" } ?? ""), note: note) { word in
            guard word.utf8.first != UInt8(ascii: "+"), let number = Int(word) else { return nil }
            return range.contains(number) ? number : nil
        }
    }
}

extension ValueKind where Value: RawRepresentable<String> & CaseIterable {
    /// One of the enumeration's raw values.
    package static var choice: ValueKind {
        let names = Value.allCases.map(\.rawValue)
        let list = names.joined(lastBy: "or")
        return ValueKind(expected: list, note: list, completion: .choices(names), write: \.rawValue) {
            Value(rawValue: $0)
        }
    }
}
