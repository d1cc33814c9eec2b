package import Basics
import JSON

/// What a file says about itself as a story, read without loading what it extends.
package struct StoryHeading: Sendable {
    /// One of the story's variants.
    package struct Variant: Sendable {
        package var name: String
        package var title: String
    }

    package var id: String
    package var title: String
    package var file: String
    package var variants: [Variant]

    /// - Returns: `nil` when the file is no story or cannot be read.
    package init?(_ file: String, files: any FileReading) {
        guard
            let bytes = try? files.read(file),
            let root = try? JSONParser().parse(bytes, ofFile: file).root,
            let id = root[ScenarioKeys.id], root.has(ScenarioKeys.extends)
        else { return nil }
        self.id = id
        self.file = file
        let title = root[ScenarioKeys.title] ?? ""
        self.title = title
        variants = root[ScenarioKeys.variants].filter { $0.value.object != nil }.map {
            Variant(name: $0.name, title: $0.value[ScenarioKeys.title] ?? title)
        }
    }
}
