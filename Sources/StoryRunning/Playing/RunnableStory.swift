package import Basics
import ScenarioFormat
import StubServing

/// A story that has been loaded and found fit to judge a client by.
package struct RunnableStory: Sendable {
    /// `SM-03`, or `SM-10/no-data` for a variant.
    package var id: String
    /// The id of the story whose variant it is; its own where it is none.
    package var storyID: String
    /// Which variant it is; `nil` for none.
    package var variantName: String?
    package var title: String
    /// The file as the user would write it.
    package var file: String
    /// The seed that the story is played with unless told otherwise.
    package var seed: UInt64
    /// Whether a correct client sends nothing at all.
    package var isSilent: Bool
    let library: ScenarioLibrary
    /// What the library calls it; `nil` for the file itself.
    let variant: String?
    /// What was read when it was chosen.
    let loaded: LoadedScenario
    let contracts: ReadContracts

    init(
        _ loaded: LoadedScenario,
        _ story: Story,
        id: String,
        variant: String?,
        _ library: ScenarioLibrary,
        _ contracts: ReadContracts
    ) {
        self.id = id
        title = story.title
        variantName = story.variant
        storyID = story.variant.map { String(id.dropLast($0.count + 1)) } ?? id
        file = loaded.path
        seed = loaded.scenario.seed
        isSilent = story.isSilent
        self.library = library
        self.variant = variant
        self.loaded = loaded
        self.contracts = contracts
    }

    /// Where the story begins, for what is wrong with the whole of it.
    package var place: Place { Place(file: file) }
}
