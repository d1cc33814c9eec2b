package import Basics
package import ScenarioFormat
import StubServing

/// A story that has been loaded and found fit to judge a client by.
package struct RunnableStory: Sendable {
    let heading: Story
    /// The scenario that was read when the story was selected.
    package let loaded: LoadedScenario
    let library: ScenarioLibrary
    let contracts: ReadContracts
    let files: any FileReading

    /// `SM-03`, or `SM-10/no-data` for a variant.
    package var id: String { heading.id }
    /// The id of the story whose variant it is; its own where it is not a variant.
    package var storyID: String { variantName.map { String(id.dropLast($0.count + 1)) } ?? id }
    /// Which variant it is; `nil` for none.
    package var variantName: String? { heading.variant }
    /// The name in the library; `nil` for the file itself.
    var variant: String? { variantName == nil ? nil : id }
    package var title: String { heading.title }
    /// The file as the user would write it.
    package var file: String { loaded.path }
    /// The default seed of the story's runs.
    package var seed: UInt64 { loaded.scenario.seed }
    /// A Boolean value that indicates whether a correct client sends nothing at all.
    package var isSilent: Bool { heading.isSilent }
    /// Where the story begins, for what is wrong with the whole of it.
    package var place: Place { Place(file: file) }

    /// The ids of the stories that its file extends, the nearest first.
    ///
    /// What the user does in one of them, the user does in this one, too, unless something else is said of it.
    package var extendedIDs: [String] {
        var (ids, seen): ([String], [String]) = ([], [file])
        var next = StoryHeading(file, files: files)?.base
        while let path = next, !seen.contains(path), let heading = StoryHeading(path, files: files) {
            ids.append(heading.id)
            seen.append(path)
            next = heading.base
        }
        return ids
    }
}
