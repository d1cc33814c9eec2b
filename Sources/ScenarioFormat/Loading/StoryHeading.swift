package import Basics
import JSON

/// The story heading of a file, read without loading the extended files.
package struct StoryHeading: Sendable {
    /// One of the story's variants.
    package struct Variant: Sendable {
        package var name: String
        package var title: String
    }

    package var id: String
    package var title: String
    package var file: String
    /// The place of its ID.
    package var place: Place
    /// The path of the file that it extends.
    package var base: String
    package var variants: [Variant]

    /// - Returns: `nil` if the file is not a story or cannot be read.
    package init?(_ file: String, files: any FileReading) {
        guard let root = try? JSONParser().parse(files.read(file), ofFile: file).root else { return nil }
        self.init(root, in: file)
    }

    private init?(_ root: JSONValue, in file: String) {
        guard let id = root["id"]?.string, root["extends"] != nil else { return nil }
        self.id = id
        base = FilePath.join(FilePath.folder(of: file), root["extends"]?.string ?? "")
        self.file = file
        place = Place(file: file, position: root["id"]?.position.text)
        let title = root["title"]?.string ?? ""
        self.title = title
        variants = root["variants"].members.filter { $0.value.object != nil }.map {
            Variant(name: $0.name, title: $0.value["title"]?.string ?? title)
        }
    }
}

extension StoryHeading {
    /// Returns whether a file may be meant to be a story but has no heading: its text is broken, or the ID is missing.
    package static func isMissing(in file: String, files: any FileReading) -> Bool {
        guard let root = try? JSONParser().parse(files.read(file), ofFile: file).root else {
            return !files.isFolder(file)
        }
        return DocumentKind(of: root) == .story && StoryHeading(root, in: file) == nil
    }
}
