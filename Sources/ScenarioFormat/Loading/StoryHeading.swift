import JSONText
package import ProjectFiles

/// What a file says about itself as a story, read without loading what it extends.
package struct StoryHeading: Sendable {
    package var id: String
    package var title: String
    package var file: String

    /// - Returns: `nil` when the file is no story or cannot be read.
    package init?(_ file: String, files: any FileReading) {
        guard
            let bytes = try? files.read(file),
            let root = try? JSONParser().parse(bytes).root,
            let id = root["id"]?.string, root["extends"] != nil
        else { return nil }
        self.id = id
        self.file = file
        title = root["title"]?.string ?? ""
    }
}
