import JSONText
import ProjectFiles

/// Every fixture that a check meets, parsed once with the place of each value.
struct ParsedFixtures {
    private let files: any FileReading
    private var known: [String: JSONValue?] = [:]

    init(files: any FileReading) {
        self.files = files
    }

    /// A fixture's document; `nil` for what cannot be read, which the loader tells.
    mutating func document(at path: String) -> JSONValue? {
        if let document = known[path] { return document }
        var document: JSONValue?
        if let bytes = try? files.read(path) { document = try? JSONParser().parse(bytes).root }
        known[path] = .some(document)
        return document
    }
}
