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
        guard
            let bytes = try? files.read(file),
            let root = try? JSONParser().parse(bytes, ofFile: file).root,
            let id = root["id"]?.string, root["extends"] != nil
        else { return nil }
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
