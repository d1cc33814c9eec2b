import Basics
import JSON

/// Every fixture that a check meets, parsed once with the place of each value.
struct ParsedFixtures {
    private struct Key: Hashable {
        var path: String
        var number: Int32
    }

    private let files: any FileReading
    private var known: [Key: JSONValue?] = [:]

    init(files: any FileReading) {
        self.files = files
    }

    /// A fixture's document; `nil` for what cannot be read, which the loader tells.
    ///
    /// - Parameter number: the document number that its values bear.
    mutating func document(at path: String, number: Int32) -> JSONValue? {
        let key = Key(path: path, number: number)
        if let document = known[key] { return document }
        var document: JSONValue?
        if let bytes = try? files.read(path) {
            document = try? JSONParser(document: number).parse(bytes, ofFile: path).root
        }
        known[key] = .some(document)
        return document
    }
}
